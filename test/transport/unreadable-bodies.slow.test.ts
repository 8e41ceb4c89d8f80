/** Responses with an unreadable body: the status decides, and a `post` that got a complete response is not repeated. */
import http from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { openSend } from '../../src/transport/send.ts';
import { hastyClock, wallClock } from '../support/clocks.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { listening } from '../support/sockets.ts';

type Answer = (response: http.ServerResponse, status: number) => void;

const reason = '{"message":"the field is wrong"}';

const encoded =
  (encoding: string, body: string | Buffer): Answer =>
  (response, status) =>
    response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body);

/** Sends fewer bytes than declared and closes the connection. */
const cut =
  (headers: Readonly<Record<string, string>>, body: string | Buffer): Answer =>
  (response, status) => {
    response.writeHead(status, { ...headers, 'content-length': String(Buffer.byteLength(body) + 99) });
    response.write(body, () => setTimeout(() => response.socket?.destroy(), 20));
  };

/** Complete bodies that cannot be decoded. */
const undecodable: readonly (readonly [string, Answer])[] = [
  ['invalid gzip', encoded('gzip', reason)],
  ['half a gzip', encoded('gzip', gzipSync(reason.repeat(9)).subarray(0, 20))],
  ['a long string that is not gzip', encoded('gzip', 'x'.repeat(200_000))],
  ['invalid deflate', encoded('deflate', reason)],
  ['invalid br', encoded('br', reason)],
  ['two encodings', encoded('gzip, gzip', gzipSync(gzipSync(reason)))],
  ['an unknown encoding', encoded('zstd', reason)],
];

const broken: readonly (readonly [string, Answer])[] = [
  ['a truncated body', cut({}, reason)],
  ['truncated invalid gzip', cut({ 'content-encoding': 'gzip' }, reason)],
  ['truncated gzip', cut({ 'content-encoding': 'gzip' }, gzipSync(reason))],
  ['a truncated unknown encoding', cut({ 'content-encoding': 'zstd' }, reason)],
];

/** Each wait ends at once, and its time is added to the clock, so that a minute of retries takes a moment. */
function passingClock(): Clock {
  let passed = 0;
  return {
    now: () => Date.now() + passed,
    sleep: async (ms, signal) => {
      if (ms >= 10_000) return wallClock.sleep(ms, signal);
      passed += ms;
    },
  };
}

/** A service that responds like this and counts the requests of each kind. */
async function service(answer: Answer, status: number, clock = hastyClock) {
  const asked: string[] = [];
  const server = http.createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => answer(response, status));
  });
  const address = `http://${await listening(server, () => server.closeAllConnections())}`;
  const home = temporaryFolder();
  const env = {
    DTP_BASE_URL: address,
    DTP_API_KEY: 'k-1',
    DTP_WORKSPACE_ID: 'w_1',
    DTP_ERROR_FORMAT: 'json',
  };
  const run = (...argv: string[]) =>
    dtp(argv, { home, env, own: 'w_1', clock, openSend: async (options) => openSend(options) });
  const errorOf = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error;
  return { asked, run, errorOf };
}

const spooled = async (run: (...argv: string[]) => Promise<{ readonly stdout: string }>) =>
  JSON.parse((await run('events', 'queue', 'list', '-o', 'json')).stdout).map(
    ({ state }: { readonly state: string }) => state,
  );

const post = ['events', 'post', '--id', 'e-1'];

describe.each([...undecodable, ...broken])('an error with %s', (_, answer) => {
  test.each([
    [400, 7],
    [401, 4],
    [403, 5],
    [404, 6],
    [422, 7],
    [429, 9],
    [503, 10],
  ])('with status %i is reported as such', async (status, code) => {
    for (const argv of [
      ['auth', 'user'],
      ['publishing-tokens', 'delete', 't_1', '--yes'],
    ]) {
      const { asked, run, errorOf } = await service(answer, status);
      const ended = await run(...argv);
      expect(ended.code, ended.stderr).toBe(code);
      expect(errorOf(ended.stderr).status).toBe(status);
      expect(asked).toHaveLength(1);
    }
  });

  test.each([400, 422])('with status %i rejects events permanently', async (status) => {
    const { asked, run } = await service(answer, status);
    const ended = await run(...post);
    expect(ended.code, ended.stderr).toBe(7);
    expect(await spooled(run)).toEqual(['rejected']);
    const before = asked.length;
    await run('events', 'queue', 'flush');
    expect(asked).toHaveLength(before);
  });
});

describe.each(undecodable)('a 200 with %s', (_, answer) => {
  test('acknowledges events', async () => {
    const { asked, run } = await service(answer, 200);
    const ended = await run(...post, '-o', 'json');
    expect(ended.code, ended.stderr).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({ accepted: 1, delivered: 1, pending: 0, attempts: 1 });
    expect(await spooled(run)).toEqual([]);
    await run('events', 'queue', 'flush');
    expect(asked).toHaveLength(1);
  });

  test('succeeds if no body is declared, and fails otherwise', async () => {
    const { asked, run } = await service(answer, 200);
    expect((await run('publishing-tokens', 'delete', 't_1', '--yes')).code).toBe(0);
    expect((await run('auth', 'user')).code).toBe(12);
    expect(asked).toHaveLength(2);
  });
});

test.each(broken)('a 200 with %s leaves events queued', async (_, answer) => {
  const { run } = await service(answer, 200, passingClock());
  const ended = await run(...post);
  expect(ended.code, ended.stderr).toBe(75);
  expect(await spooled(run)).toEqual(['pending']);
});
