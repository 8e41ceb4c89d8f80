/** What only Windows can show: open files, programs, folders, variables, pipes and paths of real processes. */
import { spawn, spawnSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openStore } from '../../src/service/data/store.ts';
import { inputLine, settingLine, shellLine } from '../../src/shell.ts';
import { withLock } from '../../src/store/lock.ts';
import { processes } from '../../src/system/processes.ts';
import { publish, registry, write, zipOf } from '../support/artifacts.ts';
import { wallClock } from '../support/clocks.ts';
import type { Ended } from '../support/context.ts';
import { connectMcp, using } from '../support/mcp.ts';
import { dtp, home, type Start } from '../support/process.ts';

/** A folder for one test, and the tool with that folder as its home. */
function person() {
  const { folder, remove } = home();
  onTestFinished(remove);
  const run = (argv: readonly string[], { env, ...more }: Start = {}): Promise<Ended> =>
    dtp(folder, argv, { ...more, env: { DTP_ERROR_FORMAT: 'text', ...env } });
  return { folder, run };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));
const config = (folder: string) => JSON.parse(readFileSync(join(folder, 'config/config.json'), 'utf8'));

test.each([
  ['c', ''],
  ['C', ''],
  ['c', '/../..'],
])('dtp mcp in the home folder (with %s:, in it%s) reads no file', async (drive, above) => {
  const { folder } = person();
  write(folder, { 'private.yaml': 'openapi: 3.1.0' });
  const [home, cwd] = [folder.replace(/^./, drive), join(folder.replace(/^C/, 'c'), above)];
  await using(
    connectMcp(folder, ['--profile', 'local', 'mcp'], { cwd, env: { USERPROFILE: home } }),
    async (server) => {
      const argument = { language: 'curl', schema_file: { path: join(folder, 'private.yaml') } };
      const { isError, texts } = await server.call('code_samples_preview', argument);
      expect([isError, texts[0]]).toEqual([true, expect.stringContaining('the tools may not read any folder')]);
    },
  );
});

test('config set while four programs read', async () => {
  const { folder, run } = person();
  expect(await run(['config', 'set', 'workspace', 'w1', '--profile', 'a'])).toMatchObject({ code: 0 });
  const reading = `setInterval(() => require('node:fs').readFileSync(process.argv[1]), 50)`;
  const readers = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['-e', reading, join(folder, 'config/config.json')], { stdio: 'ignore' }),
  );
  onTestFinished(() => readers.forEach((reader) => void reader.kill()));
  for (let at = 2; at < 22; at++) {
    const { code, stderr } = await run(['config', 'set', 'workspace', `w${at}`, '--profile', 'a']);
    expect(code, stderr).toBe(0);
  }
  expect(config(folder).profiles.a.workspace).toBe('w21');
});

/** A file opened so that no other program can open it: the flag UV_FS_O_EXLOCK of Node's file system. */
const alone = 0x10000000;

test('a configuration that another program holds is exit 3, and stays', async () => {
  const { folder, run } = person();
  await run(['config', 'set', 'workspace', 'w1', '--profile', 'a']);
  const file = openSync(join(folder, 'config/config.json'), alone);
  for (const argv of [
    ['config', 'set', 'workspace', 'w2', '--profile', 'a'],
    ['config', 'get', 'workspace', '--profile', 'a'],
  ]) {
    const { code, stderr } = await run(argv);
    expect([argv[1], code, stderr]).toEqual([argv[1], 3, expect.not.stringContaining('disk space')]);
  }
  closeSync(file);
  expect(config(folder).profiles.a.workspace).toBe('w1');
  expect(readdirSync(join(folder, 'config'))).toEqual(['config.json']);
});

const hard = ['a b', '"', 'a\\', 'a b\\\\', '\\"', '%PATH%', '&calc', '" & calc & "', '^', '()<>|', 'é "x"', ''];
const print = 'process.stdout.write(JSON.stringify(process.argv.slice(2)))';

test('dtp dev starts a .cmd by its name, with its arguments', async () => {
  const words = ['a b', 'x=y', '(z)', "it's", 'é', '--flag=a, b'];
  const { folder, run } = person();
  write(folder, { 'print.cjs': print, 'tool.cmd': `@"${process.execPath}" "%~dp0print.cjs" %*\r\n` });
  const { code, stdout, stderr } = await run(['dev', '--ephemeral', '--', 'tool', ...words]);
  expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', words]);
});

// Wine's cmd does not remove the ^ in front of a %.
test.each(hard.filter((word) => !word.includes('%')))('cmd passes %j as it was meant', (word) => {
  const { folder } = person();
  write(folder, { 'print.cjs': print });
  const line = shellLine([process.execPath, join(folder, 'print.cjs'), word], 'cmd');
  const { stdout } = spawnSync('cmd', ['/d', '/s', '/c', `"${line}"`], { windowsVerbatimArguments: true });
  expect(JSON.parse(String(stdout))).toEqual([word]);
});

test('cmd sets a variable, and reads a file, as the printed lines say', () => {
  const { folder } = person();
  write(folder, {
    'key.txt': 'k 1',
    'show.cjs': `process.stdin.pipe(process.stdout); process.stdout.write(process.env.X)`,
  });
  const line = `${settingLine('X', 'a & b', 'cmd')}& ${inputLine(shellLine([process.execPath, 'show.cjs'], 'cmd'), 'key.txt', 'cmd')}`;
  const how = { cwd: folder, windowsVerbatimArguments: true };
  expect(String(spawnSync('cmd', ['/d', '/s', '/c', `"${line}"`], how).stdout)).toBe('a & bk 1');
});

test.each([
  ['cmd', {}, 'set "DTP_TOKEN="'],
  ['PowerShell', { PSModulePath: 'C:\\a;C:\\b;C:\\c' }, 'Remove-Item Env:DTP_TOKEN'],
  ['a POSIX shell', { SHELL: '/bin/bash' }, 'unset DTP_TOKEN'],
])('what to paste is for %s', async (_, env: Readonly<Record<string, string>>, line) => {
  const { run } = person();
  const keys = { DTP_API_KEY: 'a', DTP_TOKEN: 'b', DTP_BASE_URL: 'http://127.0.0.1:9' };
  expect((await run(['doctor'], { env: { ...keys, ...env } })).stdout).toContain(JSON.stringify(line).slice(1, -1));
});

test('profiles are in APPDATA, data and state in LOCALAPPDATA, and earlier files are moved there', async () => {
  const { folder, run } = person();
  const [roaming, local] = [join(folder, 'r'), join(folder, 'l')];
  // Empty variables count as unset, and names have any case.
  const env = { DTP_CONFIG_DIR: '', DTP_DATA_DIR: '', DTP_STATE_DIR: '', AppData: roaming, LocalAppData: local };
  write(join(roaming, 'dtp'), { 'spool/old.txt': 'old' });
  expect(await run(['config', 'set', 'workspace', 'w9', '--profile', 'a'], { env })).toMatchObject({ code: 0 });
  expect(await run(['--profile', 'local', 'ws', 'list'], { env })).toMatchObject({ code: 0 });
  expect(readdirSync(join(roaming, 'dtp'))).toEqual(['config.json']);
  expect(existsSync(join(local, 'dtp/service.db'))).toBe(true);
  expect(readFileSync(join(local, 'dtp/spool/old.txt'), 'utf8')).toBe('old');
});

test.each(['a*b.yaml', 'pets:Zone.yaml', '.git::$INDEX_ALLOCATION/x', 'com¹.yaml', 'aux .yaml', 'x\\y.yaml'])(
  'a bundle with %s is refused before anything is written',
  async (name) => {
    const { service, home } = await registry();
    const bytes = zipOf([{ name: 'openapi.yaml', content: 'openapi: 3.1.0' }, { name }]);
    await publish(service, 'pets', [{ bytes }]);
    const env = { DTP_BASE_URL: service.address, DTP_API_KEY: service.key, DTP_ERROR_FORMAT: 'text' };
    const { code, stderr } = await dtp(home, ['artifacts', 'pull', 'pets:latest', '-O', 'out'], { env });
    expect([code, stderr]).toEqual([12, expect.stringContaining(name.split('\\').at(-1) ?? '')]);
    expect(readdirSync(home).filter((one) => one !== 'state' && one !== 'data')).toEqual([]);
  },
);

/** Whether taskkill can end the children of a process. That of Wine 8 cannot. */
const endsChildren = /\/t\b/i.test(String(spawnSync('taskkill', ['/?']).stdout));

test.for([
  ['ends', 'for /l %i in (1,0,2) do @echo . >> beats', true],
  ['ends with its children', `"${process.execPath}" beat.cjs`, endsChildren],
] as const)('a credential command that takes too long %s', async ([, command, isPossible], { skip }) => {
  skip(!isPossible, 'taskkill has no /T');
  const { folder, run } = person();

  write(folder, {
    beats: '',
    'beat.cjs': `setInterval(() => require('node:fs').appendFileSync('beats', '.'), 50)`,
    'config/config.json': JSON.stringify({
      profiles: { a: { base_url: 'http://127.0.0.1:9', credential_command: command } },
    }),
  });
  const { code, stderr } = await run(['ws', 'current', '--profile', 'a']);
  expect([code, stderr]).toEqual([3, expect.stringContaining('took longer than 3 s')]);
  const length = () => readFileSync(join(folder, 'beats')).byteLength;
  const before = length();
  await pause(1000);
  expect(before).toBeGreaterThan(0);
  expect(length()).toBe(before);
});

test('variables of another case do not survive into a program', async () => {
  const { folder, run } = person();
  write(folder, { 'names.cjs': `process.stdout.write(JSON.stringify(process.env))` });
  const argv = ['dev', '--ephemeral', '--', process.execPath, join(folder, 'names.cjs')];
  const { stdout } = await run(argv, { env: { dtp_api_key: 'theirs', Dtp_Token: 'theirs', dtp_base_url: 'theirs' } });
  const values = Object.entries(JSON.parse(stdout) as Record<string, string>).filter(([name]) => /^dtp_/i.test(name));
  expect(values.filter(([, value]) => value === 'theirs')).toEqual([]);
  expect(values.map(([name]) => name.toUpperCase()).filter((name) => name === 'DTP_API_KEY')).toHaveLength(1);
});

test('a lock is held as long as its pipe is open, whatever C:\\proc contains and whoever has its process id', async () => {
  const { folder, run } = person();
  const lock = join(folder, 'config/config.json.lock');
  const holder = { ...wallClock, ...processes() };
  const proc = join('C:\\proc', String(holder.pid));
  write(proc, { stat: '1 (x) Z 1 1 1' });
  onTestFinished(() => rmSync(proc, { recursive: true }));
  mkdirSync(join(folder, 'config'));
  const set = () => run(['config', 'set', 'workspace', 'w2', '--profile', 'a']);
  const during = await withLock(lock, set, holder);
  expect([during.code, during.stderr]).toEqual([3, expect.stringContaining(`is held by process ${holder.pid}`)]);
  // The process with this id is alive, but it is not the one that took the lock.
  writeFileSync(lock, `${holder.pid}.-.0123456789ab`);
  expect(await set()).toMatchObject({ code: 0 });
});

test('BASH_COMPLETION_USER_DIR with a drive', async () => {
  const { folder, run } = person();
  const env = { BASH_COMPLETION_USER_DIR: `${folder.replaceAll('\\', '/')}/bash;C:/other` };
  expect(await run(['completion', 'bash', '--install'], { env })).toMatchObject({ code: 0 });
  expect(existsSync(join(folder, 'bash/completions/dtp'))).toBe(true);
});

test('a post that stops at an invalid event closes its file', async () => {
  const { folder } = person();
  const { dtp: runHere } = await import('../support/context.ts');
  const file = join(folder, 'events.ndjson');
  writeFileSync(file, `{"id":"a"}\n[1]\n${'{"id":"b"}\n'.repeat(100_000)}`);
  const { code } = await runHere(['--profile', 'local', 'events', 'post', '--body', `@${file}`], { home: folder });
  expect(code).toBe(2);
  await vi.waitFor(() => closeSync(openSync(file, alone)), { timeout: 20_000 });
});

test('a closed store lets go of its file', async () => {
  const { folder } = person();
  const file = join(folder, 'service.db');
  openStore(file).close();
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  // Node ends what it has collected in a later turn.
  await vi.waitFor(() => rmSync(file), { timeout: 20_000 });
  expect(existsSync(file)).toBe(false);
});
