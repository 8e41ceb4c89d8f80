/** A system that debootstrap made: each way to get dtp leads through tasks of the README there. */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { digestOf } from '../../scripts/release/checksums.mjs';
import { component, valuesOf } from './ci-job.ts';
import { isUnreachable } from './package.ts';
import { run, serveRelease, version } from './release.ts';

/** Packages that the ways need: a downloader, git, and the library of Node that a small system does not have. */
const packages = ['ca-certificates', 'curl', 'git', 'libatomic1'];

/** Tasks of the README, in a new folder. */
const tasks = `
set -e
cd "$(mktemp -d)"
dtp --version
dtp init --sample >/dev/null
cd petstore
export DTP_PROFILE=local
dtp events post --body @events.ndjson -r --query delivered
dtp artifacts push openapi.yaml petstore:v1 >/dev/null
dtp artifacts pull petstore:v1 -O copy >/dev/null
cmp openapi.yaml copy/openapi.yaml
dtp code-samples preview openapi.yaml --language curl --operation-ids listPets \\
  -r --query 'snippets[].operationId'
`;

/** Makes a system in a folder. `absent` is the reason if there is no system. */
export function makeRoot(folder: string): { readonly root: string; readonly absent?: string } {
  const root = join(folder, 'root');
  if (process.getuid?.() !== 0) return { root, absent: 'this is not root' };
  if (spawnSync('debootstrap', ['--version']).error) return { root, absent: 'debootstrap is not installed' };
  const made = spawnSync('debootstrap', ['--variant=minbase', `--include=${packages}`, 'stable', root], {
    encoding: 'utf8',
  });
  return made.status === 0
    ? { root }
    : { root, absent: `debootstrap failed: ${made.stdout.trim().split('\n').at(-1)}` };
}

interface Places {
  readonly out: string;
  readonly folder: string;
  readonly repository: string;
}

export function testFromNothing({ out, folder, repository }: Places): void {
  describe('on a new system', () => {
    let made: ReturnType<typeof makeRoot>;
    let server: Awaited<ReturnType<typeof serveRelease>>;
    beforeAll(async () => {
      made = makeRoot(folder);
      server = await serveRelease(out);
      if (made.absent) process.stderr.write(`skipped: a new system, because ${made.absent}\n`);
    });
    afterAll(() => server.stop());

    /** Runs a script in the system, with a HOME that is new for each way. */
    const inside = (way: string, script: string, env: Readonly<Record<string, string>> = {}) => {
      const home = `/home/${way}`;
      mkdirSync(join(made.root, home), { recursive: true });
      const mounts = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"';
      const words = Object.entries({ HOME: home, PATH: `${home}/.local/bin:/usr/bin:/bin:/usr/sbin:/sbin`, ...env });
      const clean = ['env', '-i', ...words.map(([name, value]) => `${name}=${value}`)];
      return run(['unshare', '--mount', 'sh', '-c', mounts, made.root, ...clean, 'sh', '-ec', script], {});
    };

    const leadsThrough = async (way: string, script: string, env: Readonly<Record<string, string>> = {}) => {
      const got = await inside(way, script, env);
      expect([got.code, got.stderr]).toEqual([0, expect.anything()]);
      const { code, stdout, stderr } = await inside(way, tasks, env);
      expect([code, stdout.trim().split('\n'), stderr]).toEqual([0, [version, '3', 'listPets'], expect.anything()]);
    };

    /** Puts Node and npm of this machine into the system, because Debian's are too old. Returns npm's settings. */
    function putNode(): Readonly<Record<string, string>> {
      const modules = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
      copyFileSync(process.execPath, join(made.root, 'usr/bin/node'));
      cpSync(join(modules, 'npm'), join(made.root, 'opt/npm'), { recursive: true, verbatimSymlinks: true });
      execFileSync('ln', ['-sf', '../../opt/npm/bin/npm-cli.js', join(made.root, 'usr/bin/npm')]);
      const authorities = execFileSync('npm', ['config', 'get', 'cafile'], { encoding: 'utf8' }).trim();
      if (authorities === 'null') return {};
      copyFileSync(authorities, join(made.root, 'etc/authorities.crt'));
      return { npm_config_cafile: '/etc/authorities.crt' };
    }

    test('install.sh leads through the tasks of the README', async ({ skip }) => {
      if (made.absent) skip(made.absent);
      const script = `curl -fsSL ${server.url}/v${version}/install.sh | sh`;
      await leadsThrough('installer', script, { DTP_INSTALL_URL: `${server.url}/v${version}` });
    });

    test('so does the Debian package, which apt can remove again', async ({ skip }) => {
      if (made.absent) skip(made.absent);
      const name = `dtp_${version}_${process.arch === 'x64' ? 'amd64' : 'arm64'}.deb`;
      copyFileSync(join(out, name), join(made.root, 'tmp', name));
      await leadsThrough('debian', `dpkg --install /tmp/${name}`);
      const { code, stdout } = await inside('debian', 'dpkg --purge dtp >/dev/null; find /usr -name "dtp*"');
      expect([code, stdout]).toEqual([0, '']);
    });

    test('so does the GitLab component, which says so if a library is missing', async ({ skip }) => {
      if (made.absent) skip(made.absent);
      const platform = `linux-${process.arch}`;
      const sha256 = digestOf(join(out, `dtp-${version}-${platform}.tar.gz`));
      const url = `${server.url}/v${version}`;
      const { before_script: lines = [], variables } = component('dtp', { version, sha256, url })['.dtp'] ?? {};
      const script = `cd "$HOME"; ${lines.join('\n')}`;
      const own = valuesOf(variables);
      const lacking = await inside('gitlab', `cd /usr/lib/*-linux-gnu; mv libatomic.so.1 away; ${script}`, own);
      expect([lacking.code, lacking.stderr]).toEqual([1, expect.stringContaining('dtp needs an image with glibc')]);
      await inside('gitlab', 'cd /usr/lib/*-linux-gnu; mv away libatomic.so.1');
      await leadsThrough('gitlab', `${script}\nmkdir -p .local/bin; ln -s "$(command -v dtp)" .local/bin/dtp`, own);
    });

    test.for(['npm', 'git'])('so does the way with %s', async (way, { skip }) => {
      if (made.absent) skip(made.absent);
      const env = putNode();
      cpSync(repository, join(made.root, 'tmp/dtp.git'), { recursive: true });
      copyFileSync(join(out, `dtp-${version}.tgz`), join(made.root, 'tmp/dtp.tgz'));
      const from = way === 'npm' ? '/tmp/dtp.tgz' : 'git+file:///tmp/dtp.git';
      try {
        await leadsThrough(way, `npm install --global --prefix "$HOME/.local" ${from}`, env);
      } catch (error) {
        if (!isUnreachable({ stderr: String(error) })) throw error;
        skip('the registry does not answer');
      }
    });
  });
}
