/** The life of a `dtp mcp` process: how it starts, what it survives, and how it ends. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectMcp, using } from '../support/mcp.ts';
import { dtp, home, type Served, serve, start } from '../support/process.ts';
import { type Echo, openEcho } from '../support/recording-service.ts';

const { folder, remove } = home();
const cwd = join(folder, 'work');
let service: Served;
let echo: Echo;
let gone: Promise<void>;
let arrived: Promise<void>;

/** Two promises: an unanswered request has arrived, and its client has left. */
function expectHanging() {
  let [come, leave] = [() => {}, () => {}];
  arrived = new Promise((done) => {
    come = done;
  });
  gone = new Promise((done) => {
    leave = done;
  });
  return { come: () => come(), leave: () => leave() };
}
let hanging = expectHanging();

beforeAll(async () => {
  mkdirSync(cwd);
  service = await serve(folder);
  echo = await openEcho(({ path }, whenGone) => {
    if (path === '/v1/user') return [200, '{"id":"u_1"}'];
    if (path === '/v1/auth/validate') return [200, '{"workspace_id":"w_1"}'];
    whenGone(hanging.leave);
    hanging.come();
    return undefined;
  });
});
afterAll(async () => {
  echo.close();
  expect(await service.stop()).toBe(0);
  remove();
});

const toEcho = () => ({ DTP_BASE_URL: echo.address, DTP_API_KEY: 'not a secret', DTP_WORKSPACE_ID: 'w_1' });

/** Speaks the protocol line by line, without the SDK. */
function spoken(env: Readonly<Record<string, string>> = {}) {
  const child = start(folder, ['mcp'], { env, cwd });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    say: (line: string) => child.stdin.write(`${line}\n`),
    next: async () => JSON.parse((await lines.next()).value as string),
    ended: new Promise<number | null>((done) => child.on('close', (code) => done(code))),
  };
}
const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const call = (id: number, name: string) =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: {} } });

test('it starts without a service, says what to do, and needs no restart afterwards', async () => {
  const fresh = join(folder, 'fresh');
  mkdirSync(fresh);
  await using(connectMcp(fresh, ['mcp'], { cwd }), async (server) => {
    expect((await server.client.listTools()).tools.length).toBeGreaterThan(30);
    const lost = await server.call('ws_current');
    expect(lost.value).toMatchObject({ code: 'config', message: 'no base URL is configured' });
    expect(lost.value.next).toContain('dtp auth login --base-url URL');
    await dtp(fresh, ['config', 'set', 'base_url', service.address]);
    const unknown = await server.call('ws_current');
    expect(unknown.value).toMatchObject({
      code: 'auth',
      next: [`dtp auth login --base-url ${service.address}`],
    });
    const login = ['auth', 'login', '--base-url', service.address, '--with-token'];
    expect(await dtp(fresh, login, { stdin: service.key })).toMatchObject({ code: 0 });
    expect((await server.call('ws_current')).isError).toBe(false);
  });
});

test('a credential that could not be fetched is fetched by a later call', async () => {
  const vault = join(folder, 'vault');
  mkdirSync(vault);
  await dtp(vault, ['config', 'set', 'base_url', service.address]);
  await dtp(vault, ['config', 'set', 'credential_command', `cat ${join(vault, 'key')}`]);
  await using(connectMcp(vault, ['mcp'], { cwd }), async (server) => {
    expect((await server.call('ws_current')).value).toMatchObject({ code: 'config' });
    writeFileSync(join(vault, 'key'), service.key);
    expect((await server.call('ws_current')).isError).toBe(false);
  });
});

test('concurrent calls to the embedded service use one store', async () => {
  await using(connectMcp(folder, ['--profile', 'local', 'mcp', '--allow-writes'], { cwd }), async (server) => {
    const names = Array.from({ length: 20 }, (_, index) => `at once ${index}`);
    const made = await Promise.all(names.map((name) => server.call('ws_tokens_create', { body: { name } })));
    expect(made.map(({ isError }) => isError)).not.toContain(true);
    const { value } = await server.call('ws_tokens_list', {
      query: "[?starts_with(name, 'at once')].name",
    });
    expect(value.sort()).toEqual(names.sort());
    const event = { interaction_type: 'LINT', success: true, execution_id: 'in process' };
    expect((await server.call('events_post', { body: event })).value).toMatchObject({ delivered: 1 });
    expect((await server.call('events_search', { execution_id: 'in process' })).value).toHaveLength(1);
  });
});

test('aborting a call aborts its request and nothing else', async () => {
  hanging = expectHanging();
  await using(connectMcp(folder, ['mcp'], { cwd, env: toEcho() }), async (server) => {
    const cancel = new AbortController();
    const called = server.call('ws_list', {}, { signal: cancel.signal });
    await arrived;
    cancel.abort();
    await expect(called).rejects.toThrow();
    await gone;
    expect((await server.call('auth_user')).value).toEqual({ id: 'u_1' });
  });
});

test('a call that times out says so, and ends alone', async () => {
  await using(connectMcp(folder, ['--timeout', '300ms', 'mcp'], { cwd, env: toEcho() }), async (server) => {
    expect((await server.call('ws_list')).value.code).toBe('timeout');
    expect((await server.client.listTools()).tools).not.toEqual([]);
  });
});

test('invalid messages and unknown tools end nothing, and stdout has only the protocol', async () => {
  const { say, next, child, ended } = spoken(toEcho());
  for (const line of ['no json', '{"json":"no message"}', '[]', '', '{"jsonrpc":"2.0"']) say(line);
  say(initialize);
  expect(await next()).toMatchObject({ id: 1, result: { serverInfo: { name: 'dtp' } } });
  say(call(2, 'no_such_tool'));
  expect(await next()).toMatchObject({ id: 2, error: { code: -32602 } });
  say(call(3, 'auth_user'));
  expect((await next()).result.content).toEqual([{ type: 'text', text: '{"id":"u_1"}' }]);
  child.stdin.end();
  expect(await ended).toBe(0);
});

test('requests are answered even if standard input has ended', async () => {
  const { address, key } = service;
  const { say, next, child, ended } = spoken({ DTP_BASE_URL: address, DTP_API_KEY: key });
  say(initialize);
  say(call(2, 'ws_list'));
  say(call(3, 'auth_user'));
  child.stdin.end();
  const answers = [await next(), await next(), await next()];
  expect(answers.map(({ id, result }) => [id, result.isError])).toEqual(
    expect.arrayContaining([
      [1, undefined],
      [2, undefined],
      [3, undefined],
    ]),
  );
  expect(await ended).toBe(0);
});

test.each([
  ['stdin', 0],
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('%s ends it with %d, in the middle of a call', async (how, code) => {
  hanging = expectHanging();
  const { say, next, child, ended } = spoken(toEcho());
  say(initialize);
  await next();
  say(call(2, 'ws_list'));
  await arrived;
  if (how === 'stdin') child.stdin.end();
  else child.kill(how);
  expect(await ended).toBe(code);
  await gone;
});

test('a message that is too long ends it with an error, but a client that leaves does not', async () => {
  const long = spoken();
  let told = '';
  long.child.stderr.on('data', (chunk) => {
    told += chunk;
  });
  long.child.stdin.on('error', () => undefined);
  long.say('x'.repeat(11 * 1024 * 1024));
  expect(await long.ended).toBe(1);
  expect(told).toContain('A message can be up to 10 MiB');
  const left = spoken();
  left.child.stdout.destroy();
  left.say(initialize);
  expect(await left.ended).toBe(0);
});

test('it exits with 0 if standard input is closed from the start', async () => {
  expect(await dtp(folder, ['mcp'], { cwd })).toMatchObject({ code: 0, stdout: '' });
});

test.each([
  [['--tools', 'nothing_*'], 'no tool matches nothing_*'],
  [['--tools', 'ws_create'], 'ws_create matches only tools that write'],
  [['--root', 'nowhere'], 'nowhere does not exist'],
  [['--dry-run'], 'does not support'],
])('dtp mcp %j is refused', async (argv, words) => {
  const { code, stdout, stderr } = await dtp(folder, ['mcp', ...argv], { cwd });
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(words);
});
