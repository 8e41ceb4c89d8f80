/** Debian packages of the executables for Linux. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathsBelow } from './archives.mjs';

const architectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' };

/** Where the files of an archive go. */
const places = {
  dtp: 'usr/bin/dtp',
  'completions/dtp.bash': 'usr/share/bash-completion/completions/dtp',
  'completions/_dtp': 'usr/share/zsh/vendor-completions/_dtp',
  'completions/dtp.fish': 'usr/share/fish/vendor_completions.d/dtp.fish',
  man: 'usr/share/man',
  'THIRD-PARTY-NOTICES': 'usr/share/doc/dtp/copyright',
};

/** Writes `dtp_<version>_<architecture>.deb` from the folders that the archives contain. */
export function writeDebianPackages(release, folders) {
  for (const [name, architecture] of Object.entries(architectures)) writePackage(release, folders[name], architecture);
}

function writePackage({ version, out, work, seconds }, folder, architecture) {
  const place = join(work, `debian-${architecture}`);
  for (const [from, to] of Object.entries(places)) {
    mkdirSync(dirname(join(place, to)), { recursive: true });
    cpSync(join(folder, from), join(place, to), { recursive: true });
  }
  const pages = join(place, places.man);
  for (const section of readdirSync(pages))
    for (const page of readdirSync(join(pages, section))) execFileSync('gzip', ['-9n', join(pages, section, page)]);
  const bytes = pathsBelow(place).reduce((sum, path) => sum + statSync(join(place, path)).size, 0);
  mkdirSync(join(place, 'DEBIAN'));
  writeFileSync(
    join(place, 'DEBIAN/control'),
    `Package: dtp
Version: ${version}
Architecture: ${architecture}
Maintainer: The maintainers of dtp <dtp@localhost>
Section: devel
Priority: optional
Installed-Size: ${Math.ceil(bytes / 1024)}
Depends: libc6 (>= 2.28), libstdc++6 (>= 8), libgcc-s1, libatomic1
Description: command-line client of a developer tooling platform
 Workspaces, events, API documents, reports and code samples. It includes
 Node, and a service that answers all operations on this machine.
`,
  );
  const file = join(out, `dtp_${version}_${architecture}.deb`);
  // gzip, because xz takes minutes for a few megabytes less.
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zgzip', '--build', place, file], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, SOURCE_DATE_EPOCH: String(seconds) },
  });
  rmSync(place, { recursive: true });
}
