/** A keychain that is missing, hangs or fails: a clear error in time, and the credential is where the profile says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dtp, home, type Served, serve, start } from '../support/process.ts';
import { addKeychain, copyTool } from '../support/stand-in-keychain.ts';
import { until } from '../support/stubborn-processes.ts';

const [server, bare, equipped] = [home(), home(), home()];
let service: Served;
let user = home();
beforeAll(async () => {
  service = await serve(server.folder, ['--ephemeral']);
  copyTool(bare.folder);
  copyTool(equipped.folder);
  addKeychain(equipped.folder);
});
beforeEach(() => {
  user.remove();
  user = home();
});
afterAll(async () => {
  await service.stop();
  for (const { remove } of [server, bare, equipped, user]) remove();
});

const options = (fault = '', place = equipped) => ({
  tool: join(place.folder, 'bin/dtp.cjs'),
  env: { KEYCHAIN_FAULT: fault, KEYCHAIN_FILE: join(user.folder, 'keychain'), DTP_ERROR_FORMAT: 'text' },
});
const run = (argv: readonly string[], fault?: string, place?: typeof bare) =>
  dtp(user.folder, argv, { ...options(fault, place), stdin: service.key });
const login = (store: string) => ['auth', 'login', '--with-token', '--base-url', service.address, '--store', store];
const configuration = () => readFileSync(join(user.folder, 'config/config.json'), 'utf8');
const entries = () => Object.values(JSON.parse(readFileSync(join(user.folder, 'keychain'), 'utf8')));

test('without the library, a login to the keychain stores nothing, and says what to do', async () => {
  expect((await run(login('file'))).code).toBe(0);
  const before = configuration();
  const { code, stderr } = await run(login('keychain'), '', bare);
  expect([code, stderr]).toEqual([3, expect.stringContaining('@napi-rs/keyring is missing')]);
  expect(stderr).toContain('dtp auth login --base-url');
  expect(stderr).toContain('--store file');
  expect(configuration()).toBe(before);
  const moved = await run(['auth', 'move', '--to', 'keychain'], '', bare);
  expect([moved.code, moved.stderr]).toEqual([3, expect.stringContaining('is unencrypted in ')]);
  expect(configuration()).toBe(before);
});

test.each([
  ['fail get', 'it is locked'],
  ['fail set', 'it is locked'],
  ['lossy', 'it did not store the credential'],
  ['crash get', 'its process ended with SIGKILL'],
  ['hang set', 'it did not answer within 2 s'],
])('if the keychain has the fault "%s", nothing is moved or stored', async (fault, message) => {
  expect((await run(login('file'))).code).toBe(0);
  const before = configuration();
  for (const argv of [['auth', 'move', '--to', 'keychain'], login('keychain')]) {
    const { code, stdout, stderr } = await run([...argv, '--timeout', '2s'], fault);
    expect([code, stderr]).toEqual([3, expect.stringContaining(`the keychain cannot be used: ${message}`)]);
    expect(stderr).not.toContain('Second line');
    expect(stdout + stderr).not.toContain(service.key);
    expect(configuration()).toBe(before);
  }
});

test('a failed deletion loses nothing, and is never a success, except after a new login', async () => {
  expect((await run(login('keychain'))).code).toBe(0);
  const before = configuration();
  const locked = 'the keychain cannot be used: it is locked. It may still have the credential of profile default';
  const logout = await run(['auth', 'logout'], 'fail delete');
  expect([logout.code, logout.stderr]).toEqual([3, expect.stringContaining(locked)]);
  expect(configuration()).toBe(before);

  const moved = await run(['auth', 'move', '--to', 'file'], 'fail delete');
  expect([moved.code, moved.stderr]).toEqual([3, expect.stringContaining(locked)]);
  expect(moved.stderr).toContain('is unencrypted in ');
  expect(configuration()).toContain(service.key);
  expect((await run(['ws', 'current'])).code).toBe(0);

  expect((await run(login('keychain'))).code).toBe(0);
  const again = await run(login('file'), 'fail delete');
  expect([again.code, again.stderr]).toEqual([0, expect.stringContaining(locked)]);

  expect((await run(login('keychain'))).code).toBe(0);
  const deleted = await run(['config', 'delete', 'default', '--yes'], 'fail delete');
  expect([deleted.code, deleted.stderr]).toEqual([3, expect.stringContaining(locked)]);
  expect(deleted.stderr).toContain('deleted profile default');
  expect(configuration()).not.toContain('keychain');
});

test('if the profile cannot be written, the keychain has no entry', async () => {
  expect((await run(login('file'))).code).toBe(0);
  const moved = await run(['auth', 'move', '--to', 'keychain'], 'spoil');
  expect([moved.code, moved.stderr]).toEqual([3, expect.stringContaining('is not JSON')]);
  expect(entries()).toEqual([]);
});

test('a keychain that damages a new credential gets the old one back', async () => {
  expect((await run(login('keychain'))).code).toBe(0);
  expect((await run(login('keychain'), 'lossy')).code).toBe(3);
  expect(entries()).toEqual([service.key]);
  expect((await run(['auth', 'logout'])).code).toBe(0);
  expect(entries()).toEqual([]);
});

test.skipIf(process.platform !== 'linux')(
  'Ctrl-C and the time limit end a keychain that waits forever, with its process',
  async () => {
    expect((await run(login('keychain'))).code).toBe(0);
    const limited = await run(['ws', 'current', '--timeout', '1s'], 'hang get');
    expect([limited.code, limited.stderr]).toEqual([3, expect.stringContaining('it did not answer within 1 s')]);
    const pid = () => Number(readFileSync(join(user.folder, 'keychain.pid'), 'utf8'));
    await until(() => !isRunning(pid()));

    const child = start(user.folder, ['ws', 'current'], options('hang get'));
    const ended = new Promise((done) => child.on('close', (code) => done(code)));
    const first = pid();
    await until(() => pid() !== first);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    await until(() => !isRunning(pid()));

    // Nobody waits for the keychain of a command that was killed.
    const killed = start(user.folder, ['ws', 'current'], options('hang get'));
    const second = pid();
    await until(() => pid() !== second);
    killed.kill('SIGKILL');
    await until(() => !isRunning(pid()));
  },
);

/** A process that has ended may still be listed until its parent notices. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
