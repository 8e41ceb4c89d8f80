/** `install.sh` of a release: what it installs, in which shells, and that a failure leaves nothing behind. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ended } from './context.ts';
import { run, serveRelease, version } from './release.ts';

/** Not root, so that permissions count. */
const USER = 65534;
const isRoot = process.getuid?.() === 0;
if (!isRoot) process.stderr.write('skipped: a full disk and forbidden folders, because this is not root\n');

const filesBelow = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));

export function testInstaller(out: string, folder: string): void {
  let server: Awaited<ReturnType<typeof serveRelease>>;
  let onHanging = () => undefined as undefined;
  beforeAll(async () => {
    chmodSync(folder, 0o755);
    server = await serveRelease(out, () => onHanging());
  });
  afterAll(() => server.stop());

  /** A PATH with only these programs, and the basic ones of the system or of busybox. */
  function toolsOf(name: string, programs: readonly string[], isBusybox = false): string {
    const place = join(folder, name);
    if (existsSync(place)) return place;
    mkdirSync(place);
    const basic = [
      'awk',
      'cat',
      'cp',
      'cut',
      'find',
      'grep',
      'gzip',
      'mkdir',
      'mktemp',
      'mv',
      'rm',
      'sed',
      'sha256sum',
    ];
    for (const one of [...basic, 'tar', 'uname', 'sort', 'head', ...programs])
      symlinkSync(isBusybox ? '/bin/busybox' : `/usr/bin/${one}`, join(place, one));
    return place;
  }

  function homeFolder(): string {
    const place = mkdtempSync(join(folder, 'home-'));
    for (const name of ['', 'tmp', 'home']) {
      mkdirSync(join(place, name), { recursive: true });
      if (isRoot) chownSync(join(place, name), USER, USER);
    }
    return place;
  }

  interface Way {
    readonly shell?: readonly string[];
    readonly tools?: string;
    readonly place?: string;
    readonly started?: (pid: number) => void;
  }

  /** Runs it with an empty environment. `from` is the part of the server. */
  async function install(from: string, args: readonly string[], how: Way = {}): Promise<Ended & { home: string }> {
    const { shell = ['/bin/dash'], tools = toolsOf('curl', ['curl']), place = homeFolder(), started } = how;
    const home = join(place, 'home');
    const env = { PATH: tools, HOME: home, TMPDIR: join(place, 'tmp'), DTP_INSTALL_URL: `${server.url}/${from}` };
    const user = isRoot ? { uid: USER, gid: USER } : {};
    const argv = [...shell, join(out, 'install.sh'), ...args];
    return { ...(await run(argv, { cwd: home, env, ...user, detached: true }, started)), home };
  }

  const nothingIn = (home: string) => expect([filesBelow(home), readdirSync(join(home, '../tmp'))]).toEqual([[], []]);

  describe('install.sh', () => {
    const ways: readonly (readonly [string, readonly string[], () => string, string])[] = [
      ['dash and curl', ['/bin/dash'], () => toolsOf('curl', ['curl']), '/usr/bin/curl'],
      ['dash and wget', ['/bin/dash'], () => toolsOf('wget', ['wget']), '/usr/bin/wget'],
      ['busybox alone', ['/bin/busybox', 'sh'], () => toolsOf('busybox', ['wget'], true), '/bin/busybox'],
    ];
    for (const [name, shell, tools, needed] of ways)
      test(`with ${name}, it installs, updates and uninstalls`, async ({ skip }) => {
        if (![shell[0] ?? '', needed].every(existsSync)) skip(`${name} is not installed`);
        const place = homeFolder();
        const how = { shell, tools: tools(), place };
        const target = join(place, 'home/.local/bin/dtp');
        for (const from of [`v${version}`, `v${version}`]) {
          const { code, stdout, stderr } = await install(from, [], how);
          expect([code, stderr]).toEqual([0, '']);
          expect(stdout).toContain(`Installed dtp ${version} as ${target}\n`);
        }
        const { stdout } = await run([target, '--version'], { env: { HOME: place } });
        expect(stdout).toBe(`${version}\n`);
        const files = filesBelow(join(place, 'home'));
        for (const end of ['/completions/dtp', '/_dtp', '/dtp.fish', '/man1/dtp-events-post.1', '/man7/dtp-flags.7'])
          expect([end, files.filter((file) => file.endsWith(end)).length]).toEqual([end, 1]);
        expect(files.filter((file) => file.endsWith('-new'))).toEqual([]);
        expect(readdirSync(join(place, 'tmp'))).toEqual([]);
        expect(await install('', ['--uninstall'], how)).toMatchObject({ code: 0, stderr: '' });
        nothingIn(join(place, 'home'));
      });

    test('--to and --version choose the folder and the version', async () => {
      const { code, home } = await install(`v${version}`, ['--to', 'my tools', '--version', `v${version}`]);
      expect([code, existsSync(join(home, 'my tools/dtp'))]).toEqual([0, true]);
    });

    test.each([
      [
        'a wrong digest',
        'damaged',
        [],
        /^error: dtp-\S+ has the digest \w+ instead of \w+\n {2}Nothing was installed/m,
      ],
      ['an interrupted download', 'cut', [], /^error: cannot download \S+\n {2}Check the version, the network/m],
      ['a version that does not exist', 'v9', ['--version', '9.9.9'], /^error: SHA256SUMS does not list dtp-9\.9\.9/m],
      ['a version that is a command', 'v1', ['--version', '1;id'], /^error: invalid version: 1;id$/m],
      ['an unknown option', 'v1', ['--force'], /^error: install\.sh has no option --force$/m],
    ])('after %s, nothing is installed, and a message says why', async (_, from, args, message) => {
      for (const tools of [toolsOf('curl', ['curl']), toolsOf('wget', ['wget'])]) {
        const { code, stdout, stderr, home } = await install(from, args, { tools });
        expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(message)]);
        nothingIn(home);
      }
    });

    test('a folder in the place of a file is named, and nothing is installed', async () => {
      for (const target of ['.local/bin/dtp', '.local/share/man/man1/dtp.1']) {
        const place = homeFolder();
        const taken = join(place, 'home', target);
        mkdirSync(taken, { recursive: true });
        if (isRoot) execFileSync('chown', ['-R', `${USER}`, join(place, 'home')]);
        const { code, stdout, stderr, home } = await install(`v${version}`, [], { place });
        expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(`error: ${taken} is a folder\n`)]);
        nothingIn(home);
      }
    });

    test('--uninstall fails if the folder has no dtp, which may be in another one', async () => {
      const { code, stdout, stderr } = await install('', ['--uninstall', '--to', 'elsewhere']);
      expect([code, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^error: \S+\/elsewhere has no dtp\n/)]);
    });

    test('a signal during the download leaves nothing behind', async () => {
      const kill = new Promise<void>((done) => {
        onHanging = () => void done();
      });
      const started = (pid: number) => void kill.then(() => process.kill(-pid, 'SIGTERM'));
      const { code, home } = await install('hanging', [], { started });
      expect(code).not.toBe(0);
      nothingIn(home);
    });

    test.skipIf(!isRoot)('a folder that may not be written to is named, and nothing is installed', async () => {
      const { code, stderr, home } = await install(`v${version}`, ['--to', '/usr/bin']);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: cannot write to \/usr\/bin\n {2}Check its/m)]);
      nothingIn(home);
    });

    test.skipIf(!isRoot).for(['home', 'tmp'])(
      'a full disk at %s is reported, and nothing is installed',
      async (at, { skip }) => {
        const place = homeFolder();
        const mount = `mount -t tmpfs -o size=40m,mode=777 none "${join(place, at)}"`;
        const user = `setpriv --reuid ${USER} --regid ${USER} --clear-groups`;
        const script = `${mount} && ${user} env -i PATH="${toolsOf('curl', ['curl'])}" HOME="${place}/home" \
        TMPDIR="${place}/tmp" DTP_INSTALL_URL="${server.url}/v${version}" /bin/dash "${out}/install.sh"
        code=$?; find "${place}" -type f; exit $code`;
        const { code, stdout, stderr } = await run(['unshare', '--mount', 'sh', '-c', script], { env: process.env });
        if (/unshare failed|mount: .*denied/.test(stderr)) skip('file systems cannot be mounted');
        expect([code, stdout, stderr]).toEqual([
          1,
          '',
          expect.stringMatching(/^error: cannot (write|download|unpack)/m),
        ]);
      },
    );
  });
}
