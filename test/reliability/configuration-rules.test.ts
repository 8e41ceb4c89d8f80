/** Permissions that are too open, unreadable files, and the commands that work without a configuration. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dtp, type Ended, temporaryFolder } from '../support/context.ts';
import { mounted } from '../support/mount.ts';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
const env = { DTP_ERROR_FORMAT: 'text' };

/** A home with a configuration. */
function configured(text: string, file = 0o600, folder = 0o700): { home: string; config: string; file: string } {
  const home = temporaryFolder();
  const config = join(home, 'config');
  mkdirSync(config);
  writeFileSync(join(config, 'config.json'), text);
  chmodSync(join(config, 'config.json'), file);
  chmodSync(config, folder);
  return { home, config, file: join(config, 'config.json') };
}

const stored = '{"profiles":{"default":{"workspace":"w_1"}}}';
const withKey = '{"profiles":{"default":{"workspace":"w_1","credential":"k-12345678"}}}';
const get = ['config', 'get', 'workspace', '-r'];
const secrets = 'so others may have read the secrets in it';

test.each([
  [0o644, 0o700, ['config.json had permissions 0644', '0600']],
  [0o600, 0o755, ['config had permissions 0755', '0700']],
  [0o644, 0o755, ['config.json had permissions 0644', '0600', 'config had permissions 0755', '0700']],
])(
  'a file with mode %o in a folder with mode %o: both are restricted, with one warning',
  async (ofFile, ofFolder, said) => {
    const { home, config, file } = configured(stored, ofFile, ofFolder);
    const first = await dtp(get, { home, env });
    expect([first.code, first.stdout]).toEqual([0, 'w_1\n']);
    const lines = first.stderr.trimEnd().split('\n');
    expect(lines).toHaveLength(said.length / 2);
    for (const [at, line] of lines.entries()) {
      expect(line).toContain('warning: ');
      expect(line).toContain(`${said[2 * at]}, ${secrets}. They are now ${said[2 * at + 1]}`);
    }
    expect([modeOf(file), modeOf(config)]).toEqual(['600', '700']);
    expect(await dtp(get, { home, env })).toEqual({ code: 0, stdout: 'w_1\n', stderr: '' });
  },
);

test('narrower modes stay, and Windows has no modes', async () => {
  const narrower = configured(stored, 0o400, 0o500);
  expect(await dtp(get, { home: narrower.home, env })).toMatchObject({ code: 0, stderr: '' });
  expect([modeOf(narrower.file), modeOf(narrower.config)]).toEqual(['400', '500']);
  const wide = configured(stored, 0o644, 0o755);
  const runtime = { version: 'v20.18.1', platform: 'win32' };
  expect(await dtp(get, { home: wide.home, env, runtime })).toMatchObject({ code: 0, stderr: '' });
});

test.each([[get], [['config', 'set', 'workspace', 'w_2']]])(
  'a folder that holds more than profiles keeps its mode: %j',
  async (argv) => {
    const { home, config, file } = configured(stored, 0o644, 0o755);
    writeFileSync(join(config, 'letter.txt'), 'mine');
    const ended = await dtp(argv, { home, env });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('config.json had permissions 0644');
    expect(ended.stderr).not.toContain('0755');
    expect([modeOf(file), modeOf(config)]).toEqual(['600', '755']);
  },
);

test("a new configuration in a shared folder leaves the folder's mode alone", async () => {
  const home = temporaryFolder();
  const config = join(home, 'config');
  mkdirSync(join(config, 'Documents'), { recursive: true });
  chmodSync(config, 0o755);
  expect(await dtp(['config', 'set', 'workspace', 'w_1'], { home, env })).toMatchObject({ code: 0 });
  expect([modeOf(config), modeOf(join(config, 'config.json'))]).toEqual(['755', '600']);
});

test('if a mode cannot be changed, there is a warning and the command continues', async () => {
  const { home, config, file } = configured(withKey, 0o644, 0o755);
  if (!mounted(['--bind', config], config)) return;
  const remount = (as: string) => execFileSync('mount', ['-o', `remount,${as},bind`, config]);
  remount('ro');
  const ended = await dtp(get, { home, env });
  expect([ended.code, ended.stdout]).toEqual([0, 'w_1\n']);
  expect(ended.stderr).toContain(`${secrets}. They cannot be changed: the disk is read-only`);
  // Without secrets, there is nothing to warn of.
  remount('rw');
  writeFileSync(file, stored);
  remount('ro');
  expect(await dtp(get, { home, env })).toEqual({ code: 0, stdout: 'w_1\n', stderr: '' });
  const set = await dtp(['config', 'set', 'workspace', 'w_2'], { home, env });
  expect(set.code).toBe(3);
  expect(set.stderr).toContain(`the disk is read-only. The previous configuration is unchanged`);
});

test('the store of the embedded service, which contains keys', async () => {
  const home = temporaryFolder();
  const current = ['--profile', 'local', 'ws', 'current'];
  expect(await dtp(current, { home, env })).toMatchObject({ code: 0, stderr: '' });
  const file = join(home, 'data', 'service.db');
  chmodSync(file, 0o644);
  const ended = await dtp(current, { home, env });
  expect(ended.code).toBe(0);
  expect(ended.stderr).toBe(`warning: ${file} had permissions 0644, ${secrets}. They are now 0600\n`);
  expect(modeOf(file)).toBe('600');
  expect(await dtp(current, { home, env })).toMatchObject({ stderr: '' });
});

const broken = '{"profiles":{"default":{"credential":"canary-s3cret"';

test.each([
  [['--version']],
  [['--help']],
  [['help', 'environment']],
  [['completion', 'bash']],
  [['schema', 'ws', 'list']],
  [['config', 'path']],
  [['config', 'explain']],
  [['--profile', 'local', 'ws', 'current']],
])('if the configuration is not JSON, %j still works', async (argv) => {
  const { home, config } = configured(broken);
  const ended = await dtp(argv, { home, env });
  expect([ended.code, ended.stdout === ''], ended.stderr).toEqual([0, false]);
  expect(ended.stderr + ended.stdout).not.toContain('canary');
  expect(readdirSync(config)).toEqual(['config.json']);
});

/** A service that returns a workspace. */
const openSend = async () => ({
  send: async () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield Buffer.from('[]');
    })(),
  }),
  close: async () => undefined,
});
const address = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', ...env };

test('so does a command that gets its URL and credential elsewhere', async () => {
  const { home, file } = configured(broken);
  const argv = ['ws', 'list', '-o', 'json'];
  const ended = await dtp(argv, { home, env: address, openSend });
  expect(ended).toEqual({ code: 0, stdout: '[]\n', stderr: `warning: ${file} is not JSON\n` });
  const refused = (more: object, flags: readonly string[] = []) =>
    dtp([...flags, ...argv], { home, env: { ...env, ...more }, openSend });
  for (const one of [
    await refused({}),
    await refused({ DTP_API_KEY: 'k-1' }),
    await refused(address, ['--profile', 'work']),
    await refused({ ...address, DTP_PROFILE: 'work' }),
  ])
    expect([one.code, one.stdout, one.stderr]).toEqual([3, '', expect.stringContaining(`${file} is not JSON`)]);
});

test('a command that changes it saves the broken file under another name, and the next one starts from scratch', async () => {
  const { home, config, file } = configured(broken);
  const set = (): Promise<Ended> => dtp(['config', 'set', 'workspace', 'w_1'], { home, env });
  const first = await set();
  expect([first.code, first.stdout]).toEqual([3, '']);
  const [, aside = ''] = /renamed to (\S+),/.exec(first.stderr) ?? [];
  expect([readFileSync(aside, 'utf8'), modeOf(aside), existsSync(file)]).toEqual([broken, '600', false]);
  expect(await set()).toMatchObject({ code: 0 });
  expect(readdirSync(config).sort()).toEqual(['config.json', aside.slice(config.length + 1)].sort());
  expect(modeOf(config)).toBe('700');
});

test.each([
  [['config', 'set', 'workspace', 'w_1']],
  [['config', 'unset', 'workspace']],
  [['config', 'use', 'local']],
  [['config', 'use', 'default']],
  [['config', 'delete', 'default', '--yes']],
  [['auth', 'login', '--base-url', 'https://api.example.test', '--with-token']],
  [['auth', 'logout']],
  [['ws', 'use', 'w_1']],
  [['ws', 'use', 'w_1', '--base-url', 'https://api.example.test']],
  [['init', '--local']],
  [['init', '--base-url', 'https://api.example.test', '--with-token']],
])('%j saves a broken file under another name, and stores nothing', async (argv) => {
  for (const text of [broken, '[]', '{"profiles":5}']) {
    const { home, config } = configured(text);
    const ended = await dtp(argv, { home, env, stdin: 'k-123456\n', openSend });
    expect([ended.code, ended.stdout], ended.stderr).toEqual([3, '']);
    const [, aside = ''] = /renamed to (\S+),/.exec(ended.stderr) ?? [];
    expect([readFileSync(aside, 'utf8'), modeOf(aside)], ended.stderr).toEqual([text, '600']);
    expect(readdirSync(config)).toEqual([aside.slice(config.length + 1)]);
    expect(ended.stderr).not.toContain('canary');
  }
});

test.each([[['config', 'list']], [['config', 'get', 'output']], [['ws', 'list']], [['doctor']], [['open']]])(
  '%j only reads, so it leaves a broken file in place',
  async (argv) => {
    const { home, config } = configured(broken);
    expect((await dtp(argv, { home, env, openSend })).code).not.toBe(0);
    expect(readdirSync(config)).toEqual(['config.json']);
  },
);

/** Named pipes without a writer, and endless devices, in place of a file: anybody could have created them. */
describe.skipIf(process.platform === 'win32')('special files do not block the tool', () => {
  const pipe = (path: string) => execFileSync('mkfifo', [path]);
  const endless = (path: string) => symlinkSync('/dev/zero', path);

  test.each([
    ['a pipe', pipe],
    ['a device', endless],
  ])('%s as config.json', async (_, lay) => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'config'), { mode: 0o700 });
    lay(join(home, 'config/config.json'));
    const { mode } = statSync('/dev/zero');
    expect(await dtp(['ws', 'current'], { home, env })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/config\.json cannot be read: it is a pipe or a device, not a file/),
    });
    expect(statSync('/dev/zero').mode).toBe(mode);
  });

  test.each([
    ['a pipe', pipe, /\.dtp\.json is not a file/],
    ['a link to a device', endless, /\.dtp\.json is a symbolic link/],
  ])('%s as .dtp.json', async (_, lay, message) => {
    const { home } = configured(stored);
    lay(join(home, '.dtp.json'));
    expect(await dtp(['ws', 'current'], { home, env })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(message),
    });
  });

  test('a device as a body, or as certificates', async () => {
    const home = temporaryFolder();
    const to = { ...env, DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };
    expect(await dtp(['ws', 'create', '--body', '@/dev/zero'], { home, env: to })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('/dev/zero is larger than 64 MiB; pass a file instead'),
    });
    expect(await dtp(['ws', 'list', '--ca-cert', '/dev/zero'], { home, env: to })).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('/dev/zero (from --ca-cert) is not a file'),
    });
  });

  test('a folder as config.json keeps its mode', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'config/config.json'), { recursive: true, mode: 0o755 });
    const before = modeOf(join(home, 'config/config.json'));
    expect(await dtp(['ws', 'current'], { home, env })).toMatchObject({ code: 3 });
    expect(modeOf(join(home, 'config/config.json'))).toBe(before);
  });
});
