/** Archives of the executables: one folder each, with completions, man pages and licenses. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';

/** The name in the archive by the platform of the executable. */
const names = {
  'linux-x64': 'linux-x64',
  'linux-arm64': 'linux-arm64',
  'darwin-x64': 'macos-x64',
  'darwin-arm64': 'macos-arm64',
  'win-x64': 'windows-x64',
};

/** Writes the archives to `release.out`. Returns the folders that they contain, by their platform. */
export function writeArchives(release) {
  return Object.fromEntries(
    Object.entries(names).map(([platform, name]) => {
      const folder = makeFolder(release, platform, `dtp-${release.version}-${name}`);
      if (platform.startsWith('win')) writeZip(release, folder);
      else writeTar(release, folder);
      return [name, join(release.work, folder)];
    }),
  );
}

function makeFolder({ work, seconds }, platform, folder) {
  const extension = platform.startsWith('win') ? '.exe' : '';
  const place = join(work, folder);
  mkdirSync(place);
  const executable = join(work, `dtp-${platform}${extension}`);
  copyFileSync(executable, join(place, `dtp${extension}`));
  copyFileSync(`${executable}.LICENSES`, join(place, 'THIRD-PARTY-NOTICES'));
  for (const name of ['README.md', 'LICENSE']) copyFileSync(name, join(place, name));
  cpSync('completions', join(place, 'completions'), { recursive: true });
  for (const page of readdirSync('man')) {
    const section = join(place, 'man', `man${page.at(-1)}`);
    mkdirSync(section, { recursive: true });
    copyFileSync(join('man', page), join(section, page));
  }
  for (const path of pathsBelow(place)) {
    chmodSync(join(place, path), path.endsWith('/') || path === `dtp${extension}` ? 0o755 : 0o644);
    utimesSync(join(place, path), seconds, seconds);
  }
  // The archive and the Debian package need only the folder.
  rmSync(executable);
  return folder;
}

/** The sorted paths below a folder. Those of folders end with a slash. */
export const pathsBelow = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => `${join(entry.parentPath, entry.name).slice(folder.length + 1)}${entry.isDirectory() ? '/' : ''}`)
    .sort();

function writeTar({ work, out, seconds }, folder) {
  const file = join(work, `${folder}.tar`);
  const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', `--mtime=@${seconds}`, '--format=ustar'];
  execFileSync('tar', [...same, '-cf', file, folder], { cwd: work });
  writeFileSync(join(out, `${folder}.tar.gz`), execFileSync('gzip', ['-9nc', file], { maxBuffer: 2 ** 30 }));
  rmSync(file);
}

function writeZip({ work, out, seconds }, folder) {
  const place = join(work, folder);
  const files = pathsBelow(place).filter((path) => !path.endsWith('/'));
  const content = Object.fromEntries(files.map((path) => [`${folder}/${path}`, readFileSync(join(place, path))]));
  writeFileSync(join(out, `${folder}.zip`), zipSync(content, { level: 9, mtime: seconds * 1000 }));
}
