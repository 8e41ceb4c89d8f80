/** DTP_OUTPUT_FILE gets one line per command, whatever its outcome, and never makes the command fail. */
import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, constants, existsSync, openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { DtpError } from '../../src/errors.ts';
import type { HttpResponse, Send } from '../../src/request/http.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import * as whole from '../support/process.ts';
import { listening } from '../support/sockets.ts';

const canary = 'canary-5ec7e7';

const answer = (status: number, value: unknown, headers = {}): HttpResponse => ({
  status,
  headers,
  body: (async function* () {
    yield Buffer.from(JSON.stringify(value));
  })(),
});

const over =
  (send: Send): Context['openSend'] =>
  async () => ({ send, close: async () => undefined });

/** Runs commands that write to one file and returns its records. */
function journaled(file = 'records.ndjson') {
  const home = temporaryFolder();
  const path = join(home, file);
  return {
    home,
    path,
    run: (argv: readonly string[], world: World = {}) =>
      dtp(argv, {
        home,
        own: 'w_1',
        ...world,
        env: {
          DTP_BASE_URL: 'https://api.example.test',
          DTP_API_KEY: canary,
          DTP_WORKSPACE_ID: 'w_1',
          DTP_OUTPUT_FILE: file,
          ...world.env,
        },
      }),
    records: () =>
      readFileSync(path, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
  };
}

test('a result, a failure, a wrong command line, a local command: a record each, in a private file', async () => {
  const { run, records, path } = journaled();
  const created = { openSend: over(async () => answer(201, { id: 't_1', name: 'ci', key: canary })) };
  await run(['ws', 'tokens', 'create', '--name', 'ci', '--no-lookup'], created);
  await run(['ws', 'get'], {
    openSend: over(async () => answer(404, { message: 'none' }, { 'x-request-id': 'r_1' })),
  });
  await run(['--timeout', '5s', 'ws', 'list', '--bogus']);
  await run(['config', 'path']);
  await run(['ws', 'tokens', '--help']);
  await run(['tokens', 'ls', '--help']);
  const common = {
    schema_version: 1,
    started_at: expect.stringMatching(/^20.*Z$/),
    duration_ms: expect.any(Number),
  };
  const failed = { message: 'The command line or the input is invalid.' };
  expect(records()).toEqual([
    {
      ...common,
      ...{ command: 'ws tokens create', operation: 'createWorkspaceToken', exit_code: 0, code: 'ok' },
      ...{ status: 201, attempts: 1 },
    },
    {
      ...common,
      ...{ command: 'ws get', operation: 'getWorkspace', exit_code: 6, code: 'not_found' },
      ...{ status: 404, attempts: 1, request_id: 'r_1', retryable: false },
      message: 'The service did not find it.',
    },
    { ...common, ...failed, command: 'ws list', operation: 'getWorkspaces', exit_code: 2, code: 'usage' },
    { ...common, command: 'config path', exit_code: 0, code: 'ok' },
    { ...common, command: 'ws tokens', exit_code: 0, code: 'ok' },
    // By its full name, even if an alias was typed.
    { ...common, command: 'ws tokens list', operation: 'getWorkspaceTokens', exit_code: 0, code: 'ok' },
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, 'utf8')).not.toContain(canary);
});

test('retries are counted, and the last status is recorded', async () => {
  const { run, records } = journaled();
  let count = 0;
  // Every sleep ends at once, except for the deadline.
  const sleep = (ms: number) => (ms < 10_000 ? Promise.resolve() : new Promise<void>(() => undefined));
  const clock = { now: () => 0, sleep };
  const openSend = over(async () => (++count < 3 ? answer(503, {}) : answer(200, [])));
  await run(['ws', 'list', '--retry', '3'], { openSend, clock });
  expect(records()).toMatchObject([{ exit_code: 0, status: 200, attempts: 3 }]);
});

test('a failure that repeats the credential is recorded without it', async () => {
  const { run, records } = journaled();
  for (const send of [
    async () => answer(401, { message: `no ${canary}` }),
    async () => Promise.reject(new DtpError('network', `lost after ${canary}`)),
    async () => Promise.reject(new TypeError(`cannot read ${canary}`)),
  ])
    await run(['ws', 'list'], { openSend: over(send) });
  expect(records().map(({ code }) => code)).toEqual(['auth', 'network', 'error']);
  expect(JSON.stringify(records())).not.toContain(canary);
});

test('a record contains nothing that an event, a flag or the service wrote', async () => {
  const { run, records, path } = journaled();
  const hostile = 'x$(touch PWN)`id`;';
  const event = JSON.stringify({ [hostile]: 1 });
  const failing = answer(422, { message: hostile }, { 'x-request-id': hostile });
  for (const argv of [
    ['events', 'post', '--no-spool', '--body', event],
    ['events', 'post', '--no-spool', '--body', `@${hostile}`],
    ['ws', 'get', '--output', hostile],
    ['ws', hostile],
    ['ws', 'get'],
  ])
    await run(argv, { openSend: over(async () => failing) });
  expect(records()).toHaveLength(5);
  expect(records().at(-1)).toMatchObject({ code: 'rejected', message: 'The service rejected the request.' });
  expect(readFileSync(path, 'utf8')).not.toMatch(/[$`;]|PWN/);
});

test('an existing file is added to and keeps its mode', async () => {
  const { run, records, path } = journaled();
  writeFileSync(path, '{"mine":true}\n');
  chmodSync(path, 0o644);
  await run(['config', 'path']);
  expect(records()).toMatchObject([{ mine: true }, { command: 'config path' }]);
  expect(statSync(path).mode & 0o777).toBe(0o644);
});

test.each([
  ['a missing folder', 'no/such/records.ndjson', 'ENOENT'],
  ['a folder', '.', 'it is not a file'],
])('%s is a warning', async (_, file, why) => {
  const { run } = journaled(file);
  const ended = await run(['config', 'path'], { env: { GITHUB_ACTIONS: 'true' } });
  expect(ended.code).toBe(0);
  expect(ended.stdout).toContain('config.json');
  const text = `DTP_OUTPUT_FILE: cannot write to ${file} (${why})`;
  expect(ended.stderr).toBe(`warning: ${text}\n::warning title=dtp config path::${text}\n`);
  expect((await run(['ws', 'list', '--bogus'])).code).toBe(2);
});

test.skipIf(process.platform === 'win32')('a pipe without a reader does not block the command', async () => {
  const path = join(temporaryFolder(), 'pipe');
  const { run } = journaled(path);
  execFileSync('mkfifo', [path]);
  const ended = await run(['config', 'path']);
  expect(ended.code).toBe(0);
  expect(ended.stderr).toContain('ENXIO');
});

test('an empty variable counts as unset', async () => {
  const { run, home } = journaled();
  await run(['config', 'path'], { env: { DTP_OUTPUT_FILE: '' } });
  expect(existsSync(join(home, 'records.ndjson'))).toBe(false);
});

/** Processes that write to one file. */
function folder() {
  const { folder, remove } = whole.home();
  onTestFinished(remove);
  const env = {
    DTP_OUTPUT_FILE: join(folder, 'records.ndjson'),
    DTP_API_KEY: 'k-1',
    DTP_ERROR_FORMAT: 'text',
  };
  const records = () =>
    readFileSync(env.DTP_OUTPUT_FILE, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  return { folder, env, records };
}

test('the lines of concurrent processes do not mix', async () => {
  const { folder: home, env, records } = folder();
  const all = Array.from({ length: 12 }, () => whole.dtp(home, ['config', 'path'], { env }));
  expect((await Promise.all(all)).every(({ code }) => code === 0)).toBe(true);
  expect(records().map(({ command }) => command)).toEqual(Array(12).fill('config path'));
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s leaves a record', async (signal, code) => {
  const { folder: home, env, records } = folder();
  let child: ReturnType<typeof whole.start> | undefined;
  const server = http.createServer(() => child?.kill(signal));
  const address = await listening(server, () => server.closeAllConnections());
  child = whole.start(home, ['ws', 'current'], { env: { ...env, DTP_BASE_URL: `http://${address}` } });
  const ended = await new Promise((done) => child?.on('close', done));
  expect(ended).toBe(code);
  expect(records()).toMatchObject([{ command: 'ws current', exit_code: code, code: 'signal', attempts: 1 }]);
});

test('a signal that ends a busy command leaves a record too', async () => {
  const { folder: home, env, records } = folder();
  // In the current folder, a pipe is refused.
  const outside = join(temporaryFolder(), 'pipe');
  execFileSync('mkfifo', [outside]);
  const child = whole.start(home, ['ws', 'list', '--ca-cert', outside], {
    env: { ...env, DTP_BASE_URL: 'http://127.0.0.1:1' },
  });
  const ended = new Promise((done) => child.on('close', done));
  // Opens once the command reads, which then waits forever.
  const flags = constants.O_WRONLY | constants.O_NONBLOCK;
  const pipe = await until(() => openSync(outside, flags));
  child.kill('SIGTERM');
  expect(await until(records)).toMatchObject([{ command: 'ws list', exit_code: 143, code: 'signal' }]);
  closeSync(pipe);
  expect(await ended).toBe(143);
});

/** The result of `look`, retried until it no longer throws. */
async function until<T>(look: () => T): Promise<T> {
  for (;;) {
    try {
      return look();
    } catch {
      await new Promise((done) => setTimeout(done, 20));
    }
  }
}

test('dtp dev adds its record after those of its command', async () => {
  const { folder: home, env, records } = folder();
  const inner = `${process.execPath} ${join(import.meta.dirname, '../../bin/dtp.cjs')} ws list -o json; exit 3`;
  const ended = await whole.dtp(home, ['dev', '--ephemeral', '--', 'sh', '-c', inner], { env });
  expect(ended.code).toBe(3);
  expect(records()).toMatchObject([
    { command: 'ws list', operation: 'getWorkspaces', exit_code: 0, status: 200 },
    { command: 'dev', exit_code: 3, code: 'command' },
  ]);
});

test('open handles do not keep the process running after a command', async () => {
  const { folder: home, env, records } = folder();
  const preload = join(home, 'open.mjs');
  writeFileSync(preload, 'setInterval(() => undefined, 1e8);');
  const ended = await whole.dtp(home, ['ws', 'list'], {
    env: { ...env, DTP_BASE_URL: 'http://127.0.0.1:1', NODE_OPTIONS: `--import ${preload}` },
  });
  expect(ended.code).toBe(11);
  expect(ended.stderr).toContain('refused the connection');
  expect(records()).toMatchObject([{ exit_code: 11 }]);
});

test.each([
  [0, ['--profile', 'local', 'ws', 'list']],
  [2, ['ws', 'nope']],
  [11, ['--base-url', 'http://127.0.0.1:1', 'ws', 'list']],
])('exit %i skips the teardown of Node, after everything is written', async (code, argv) => {
  const { folder: home, env, records } = folder();
  const given = { ...env, DTP_API_KEY: 'k', NODE_OPTIONS: '--trace-exit' };
  const ended = await whole.dtp(home, argv, { env: given });
  expect([ended.code, ended.stderr]).toEqual([
    code,
    expect.stringContaining(`Exited the environment with code ${code}`),
  ]);
  expect(records()).toMatchObject([{ exit_code: code }]);
});
