/** `dtp serve --database` as processes over a real libSQL server: its start, its keys, its checks, and its end. */
import { execFile } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../../src/service/data/store.ts';
import { bundle } from '../../support/bundled.ts';
import { dtp, home, type Served, serve } from '../../support/process.ts';
import { openRemote } from '../../support/remote-store.ts';
import { hasSqld, openSqld, type Sqld } from '../../support/sqld.ts';

const started: Served[] = [];
const guards: http.Server[] = [];
let folder: string;
let remove: () => void;
let sqld: Sqld;

beforeEach(async () => {
  ({ folder, remove } = home());
  if (hasSqld) sqld = await openSqld();
});
afterEach(async () => {
  for (const one of started.splice(0)) await one.stop();
  for (const one of guards.splice(0)) one.close().closeAllConnections();
  await sqld?.remove();
  remove();
});

async function serveOn(url: string, argv: readonly string[] = [], env: Record<string, string> = {}): Promise<Served> {
  const one = await serve(folder, ['--database', url, ...argv], env);
  started.push(one);
  return one;
}

const statusOf = async (url: string, key?: string) => {
  const response = await fetch(url, key === undefined ? {} : { headers: { 'x-api-key': key } });
  await response.text();
  return response.status;
};

/** Whether the key opens the service. */
const opens = async ({ address }: Served, key: string) => (await statusOf(`${address}/v1/workspaces`, key)) === 200;

const rowsOf = <T>(use: (store: Store) => T): T => {
  const store = openRemote({ url: sqld.url });
  try {
    return use(store);
  } finally {
    store.close();
  }
};

const check = async (argv: readonly string[], env: Record<string, string> = {}) => {
  const { code, stdout, stderr } = await dtp(folder, ['serve', '--check', '-o', 'json', ...argv], { env });
  return { code, stderr, findings: stdout === '' ? [] : JSON.parse(stdout) };
};

/** Writes a file with a secret that only its owner may read. */
function secretFile(name: string, content: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}

/** A server in front of the database, which wants a token, and which can hang or refuse. */
async function openGuard(state: { token: string; isHanging?: boolean; isRefusing?: boolean }) {
  const server = http.createServer((request, response) => {
    if (state.isHanging) return;
    const { method, headers } = request;
    const isKnown = headers.authorization === `Bearer ${state.token}`;
    if (!isKnown || state.isRefusing) {
      response.writeHead(isKnown ? 403 : 401).end();
      return;
    }
    const passed = http.request(new URL(request.url ?? '/', sqld.url), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  guards.push(server);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe.skipIf(!hasSqld)('dtp serve --database', () => {
  test('ten processes that open an empty database at once create its tables and its first token once', async () => {
    const script = join(folder, 'open.mjs');
    await bundle(
      `import { isMainThread, Worker, workerData } from 'node:worker_threads';
      import { openRemoteStore } from './src/service/data/remote.ts';
      import { openGateway } from './src/service/database/gateway.ts';
      import { firstKey, seed } from './src/service/tenancy/seed.ts';
      if (isMainThread) {
        const link = openGateway({ url: new URL(process.argv[2]), token: async () => undefined }).link();
        new Worker(new URL(import.meta.url), { workerData: link, transferList: [link.port] });
      } else {
        const store = openRemoteStore(workerData);
        console.log(seed(store, new Date(0)), firstKey(store).key);
      }`,
      script,
    );
    const run = async () => (await promisify(execFile)(process.execPath, [script, sqld.url])).stdout.split(' ');
    const all = await Promise.all(Array.from({ length: 10 }, run));
    expect(all.filter(([isNew]) => isNew === 'true')).toHaveLength(1);
    expect(new Set(all.map(([, key]) => key)).size).toBe(1);
    rowsOf((store) => expect(store.all('SELECT id FROM workspace_tokens')).toHaveLength(1));
  });

  test('of services that start at once, one prints the key, which opens them all', async () => {
    const all = await Promise.all(Array.from({ length: 3 }, () => serveOn(sqld.url)));
    const [key = '', ...others] = all.flatMap((one) => one.key ?? []);
    expect(others).toEqual([]);
    expect(await Promise.all(all.map((one) => opens(one, key)))).toEqual(all.map(() => true));
    expect(await Promise.all(all.map(({ address }) => statusOf(`${address}/readyz`)))).toEqual(all.map(() => 200));
    expect(new Set(all.map((one) => one.workspace_id)).size).toBe(1);
    rowsOf((store) => expect(store.find('meta', { key: 'schema' })?.value).toBe('1'));
    expect((await serveOn(sqld.url)).key).toBeUndefined();
  });

  test('the owner key comes from a file, is never printed, and must be a token of the first user', async () => {
    const key = 'k'.repeat(40);
    const path = secretFile('key', `${key}\n`);
    const first = await serveOn(sqld.url, ['--owner-key-file', path]);
    expect(first.key).toBeUndefined();
    expect(await opens(first, key)).toBe(true);
    expect((await serveOn(sqld.url, ['--owner-key-file', path])).key).toBeUndefined();
    const refusals = [
      [secretFile('other', 'o'.repeat(40)), 'its first user has no token with the owner key'],
      [secretFile('open', key, 0o644), 'can be read or changed by other users'],
      [secretFile('short', 'short'), 'must have one key'],
      [join(folder, 'missing'), 'ENOENT'],
    ] as const;
    for (const [file, message] of refusals) {
      const argv = ['serve', '--database', sqld.url, '--owner-key-file', file];
      const { code, stderr } = await dtp(folder, argv);
      expect([file, code, stderr]).toEqual([file, 3, expect.stringContaining(message)]);
      expect(stderr).not.toContain(key);
    }
  });

  test('--check tries everything and changes nothing', async () => {
    const tables = async () => {
      const body = JSON.stringify({ requests: [{ type: 'execute', stmt: { sql: 'SELECT name FROM sqlite_master' } }] });
      const answer = await fetch(`${sqld.url}/v2/pipeline`, { method: 'POST', body });
      const { results } = (await answer.json()) as { results: [{ response: { result: { rows: unknown[] } } }] };
      return results[0].response.result.rows;
    };
    const empty = await check(['--database', sqld.url]);
    expect(empty).toMatchObject({
      code: 0,
      findings: [
        { check: 'endpoint', status: 'ok' },
        { check: 'database', status: 'ok' },
      ],
    });
    expect(await check(['--tls-cert', 'no.pem', '--tls-key', 'no.pem'])).toMatchObject({ code: 3 });
    expect(empty.findings[1].message).toMatch(/^127\.0\.0\.1:\d+ answers, .* needs new tables/);
    expect(await tables()).toEqual([]);
    rowsOf(() => undefined);
    const full = await check([], { DTP_DATABASE_URL: sqld.url });
    expect(full.findings[1].message).toMatch(/has its tables$/);
    rowsOf((store) => store.update('meta', { key: 'schema' }, { value: '7' }));
    const newer = await check(['--database', sqld.url]);
    expect(newer).toMatchObject({ code: 3, findings: [{ status: 'ok' }, { status: 'fail', fix: 'Update dtp.' }] });
    const guard = await openGuard({ token: 'right' });
    expect(await check(['--database', guard.url], { DTP_DATABASE_TOKEN: 'wrong-token' })).toMatchObject({ code: 4 });
    await sqld.kill();
    expect(await check(['--database', sqld.url])).toMatchObject({ code: 11 });
  });

  test('newer tables end readiness, and a service that starts refuses and leaves them alone', async () => {
    const { address } = await serveOn(sqld.url);
    rowsOf((store) => store.update('meta', { key: 'schema' }, { value: '2' }));
    expect(await statusOf(`${address}/readyz`)).toBe(503);
    const { code, stderr } = await dtp(folder, ['serve', '--database', sqld.url]);
    expect([code, stderr]).toEqual([3, expect.stringContaining('its tables have version 2')]);
    const next = { tables: [], changes: [['CREATE TABLE more (id)']] };
    const store = openRemote({ url: sqld.url }, next);
    expect(store.find('meta', { key: 'schema' })?.value).toBe('2');
    store.close();
  });

  test('an older database is brought up to date once', () => {
    rowsOf((store) => store.insert('meta', { key: 'a', value: 'b' }));
    const next = { tables: [], changes: [['CREATE TABLE more (id)', "INSERT INTO more VALUES ('x')"]] };
    for (const _ of [1, 2]) {
      const store = openRemote({ url: sqld.url }, next);
      expect(store.all('SELECT id FROM more')).toHaveLength(1);
      expect(store.find('meta', { key: 'schema' })?.value).toBe('2');
      expect(store.find('meta', { key: 'a' })?.value).toBe('b');
      store.close();
    }
    expect(() => rowsOf(() => undefined)).toThrow('its tables have version 2');
  });

  test('a command prints the token, and runs again when the database refuses it', async () => {
    const state = { token: 'token-one' };
    const guard = await openGuard(state);
    const file = secretFile('token', state.token);
    const command = `echo run >> runs; cat ${file}`;
    const one = await serveOn(guard.url, [], { DTP_DATABASE_TOKEN_COMMAND: command });
    expect(await opens(one, one.key)).toBe(true);
    state.token = 'token-two';
    expect(await statusOf(`${one.address}/readyz`)).toBe(503);
    writeFileSync(file, state.token);
    await expect.poll(() => statusOf(`${one.address}/readyz`)).toBe(200);
    await expect.poll(() => opens(one, one.key)).toBe(true);
  });

  test('a database that hangs: health answers, readiness is red within 5 s, and it comes back', async () => {
    const state = { token: 'right', isHanging: false };
    const guard = await openGuard(state);
    const one = await serveOn(guard.url, [], { DTP_DATABASE_TOKEN: 'right' });
    state.isHanging = true;
    const waiting = Array.from({ length: 40 }, () => statusOf(`${one.address}/v1/workspaces`, one.key).catch(() => 0));
    expect(await statusOf(`${one.address}/healthz`)).toBe(200);
    const signal = AbortSignal.timeout(60_000);
    expect((await fetch(`${one.address}/readyz`, { signal })).status).toBe(503);
    state.isHanging = false;
    await Promise.all(waiting);
    await expect.poll(() => statusOf(`${one.address}/readyz`)).toBe(200);
  });

  test('a database that refuses what it allowed before: a clear 503, and the log has the reason', async () => {
    const state = { token: 'right', isRefusing: false };
    const guard = await openGuard(state);
    const one = await serveOn(guard.url, ['--log-format', 'json'], { DTP_DATABASE_TOKEN: 'right' });
    state.isRefusing = true;
    const answer = await fetch(`${one.address}/v1/workspaces`, { headers: { 'x-api-key': one.key } });
    const message = 'the database cannot be used: it answers with status 403';
    expect([answer.status, await answer.json()]).toEqual([503, { message, status_code: 503 }]);
    await expect.poll(one.errors).toContain(`"message":"a request failed: ${message}"`);
    state.isRefusing = false;
    expect(await statusOf(`${one.address}/v1/workspaces`, one.key)).toBe(200);
  });

  test('the reason of a 500 is logged', async () => {
    const one = await serveOn(sqld.url, ['--log-format', 'json']);
    rowsOf((store) => store.run('DROP TABLE short_urls'));
    const headers = { 'x-api-key': one.key, 'content-type': 'application/json' };
    const sent = { method: 'POST', headers, body: '{"url":"https://a.example/"}' };
    const answer = await fetch(`${one.address}/v1/short_urls`, sent);
    expect([answer.status, await answer.json()]).toEqual([500, { message: 'internal error', status_code: 500 }]);
    const warning = '"message":"a request failed: dtp itself has a fault: Error: no such table: short_urls at ';
    await expect.poll(one.errors).toContain(warning);
    await one.stop();
    for (const line of one.errors().trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('event');
  });

  test('SIGTERM: a request that is running ends whole, and no other begins', async () => {
    const one = await serveOn(sqld.url);
    const { port } = new URL(one.address);
    const socket = connect(Number(port), '127.0.0.1');
    const head = [
      `POST /v1/workspace/${one.workspace_id}/events HTTP/1.1`,
      `host: 127.0.0.1:${port}`,
      `x-api-key: ${one.key}`,
      'content-type: application/json',
      'content-length: 2',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n[`);
    await expect.poll(() => statusOf(`${one.address}/readyz`)).toBe(200);
    process.kill(one.pid, 'SIGTERM');
    const isOpen = () => statusOf(`${one.address}/healthz`).then(Boolean, () => false);
    await expect.poll(isOpen).toBe(false);
    socket.write(']');
    const answer = await text(socket);
    // The batch of events is empty.
    expect(answer).toMatch(/^HTTP\/1\.1 422 [\s\S]*"status_code":422\}$/);
    expect(answer).toMatch(/^connection: close\r$/im);
    expect(await one.ended).toBe(0);
  });

  test.each([
    [['--database', 'http://192.0.2.1:8080'], {}, 'must be a libsql: or https: URL'],
    [['--database', 'libsql://db.example.com?authToken=secret'], {}, 'must be a libsql: or https: URL'],
    [['--database', 'libsql://db.example.com', '--ephemeral'], {}, '--database and --ephemeral cannot be combined'],
    [['--database', 'libsql:'], {}, 'must be a libsql: or https: URL'],
    [['--database', ''], {}, 'must be a libsql: or https: URL'],
    [
      ['--database', 'LIBSQL://db.example.com'],
      { DTP_DATABASE_TOKEN: 'secret\nb' },
      'DTP_DATABASE_TOKEN must be visible',
    ],
    [[], { DTP_DATABASE_URL: 'ftp://db.example.com' }, 'must be a libsql: or https: URL'],
  ])('%j %j is refused', async (argv, env, message) => {
    const { code, stderr } = await dtp(folder, ['serve', ...argv], { env });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(stderr).not.toContain('secret');
  });
});
