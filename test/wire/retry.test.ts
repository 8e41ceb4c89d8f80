/** The two operations that are retried: which failures are retried, how long the waits are, when it stops. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { answer, guardWire, lines, posted, type Reply, wire } from '../support/wire.ts';

guardWire();

/**
 * A clock that advances when the program waits. Deadlines (90 seconds for a batch, ten minutes) are never
 * reached.
 */
function jumpingClock(start = 0): { readonly clock: Clock; readonly waits: readonly number[] } {
  const waits: number[] = [];
  let now = start;
  const sleep = async (ms: number, signal?: AbortSignal) => {
    if (ms >= 90_000)
      return new Promise<void>((_, failed) => {
        signal?.addEventListener('abort', () => failed(signal.reason));
      });
    waits.push(ms);
    now += ms;
  };
  return { clock: { now: () => now, sleep }, waits };
}

async function run(argv: readonly string[], start?: number) {
  const { clock, waits } = jumpingClock(start);
  const ended = await wire([...argv, '-o', 'json', '--timeout', '10m'], { clock, random: () => 0.5 });
  return { ...ended, waits };
}

const access = ['auth', 'access'];
const post = ['events', 'post', '-w', 'w_1', '--no-fill', '--body', '[{"id":"e_1"}]'];
const errorOf = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) as string).error;
const ok = '{"generation_allowed":true}';
const allowed = lines('{', '  "generation_allowed": true', '}');

test('getWorkspaceAccess: 503, 503, 200', async () => {
  const seen = answer('GET', '/v1/workspace/access', [503, 'no'], [503], [200, ok]);
  expect(await run(access)).toMatchObject({ code: 0, stdout: allowed, waits: [125, 187.5] });
  expect(seen).toHaveLength(3);
  expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
});

test('postWorkspaceEvents: 503, 503, 200; the same bytes each time', async () => {
  const seen = answer('POST', '/v1/workspace/w_1/events', [503, 'no'], [503], [200]);
  expect(await run(post)).toMatchObject({
    code: 0,
    stdout: posted({ attempts: 3, bytes: 14, elapsed_ms: 313 }),
    waits: [125, 187.5],
  });
  expect(seen.map(({ body }) => body)).toEqual(['[{"id":"e_1"}]', '[{"id":"e_1"}]', '[{"id":"e_1"}]']);
  expect(new Set(seen.map((one) => JSON.stringify(one))).size).toBe(1);
});

test.each([408, 500, 502, 503])('%i is retried', async (status) => {
  const seen = answer('GET', '/v1/workspace/access', [status, 'no'], [200, ok]);
  expect(await run(access)).toMatchObject({ code: 0, stdout: allowed, waits: [125] });
  expect(seen).toHaveLength(2);
});

test.each([
  [400, 7],
  [401, 4],
  [403, 5],
  [404, 6],
  [429, 9],
  [501, 10],
  [504, 10],
  [505, 10],
  [302, 12],
])('%i is not retried', async (status, code) => {
  const asked = status === 429 ? {} : { 'retry-after': '1' };
  const again: Reply = [status, 'no', { ...asked, location: '/v1/user' }];
  const seen = answer('GET', '/v1/workspace/access', again);
  expect(await run(access)).toMatchObject({ code, stdout: '', waits: [] });
  expect(seen).toHaveLength(1);
});

test('an answer that cannot be decoded is not retried', async () => {
  const seen = answer('GET', '/v1/workspace/access', [200, 'no']);
  expect(await run(access)).toMatchObject({ code: 12, stdout: '', waits: [] });
  expect(seen).toHaveLength(1);
});

test('Retry-After in seconds replaces the usual wait', async () => {
  answer('GET', '/v1/workspace/access', [503, '', { 'Retry-After': '1' }], [503], [200, ok]);
  expect(await run(access)).toMatchObject({ code: 0, stdout: allowed, waits: [1000, 187.5] });
});

test('a 429 is retried after the time it asks for', async () => {
  const seen = answer('GET', '/v1/workspace/access', [429, 'no', { 'Retry-After': '9' }], [200, ok]);
  expect(await run(access)).toMatchObject({ code: 0, stdout: allowed, waits: [9000] });
  expect(seen).toHaveLength(2);
});

test('Retry-After as a date', async () => {
  const date = { 'Retry-After': 'Sat, 31 Jan 2026 12:00:02 GMT' };
  answer('POST', '/v1/workspace/w_1/events', [503, '', date], [204]);
  const ended = await run(post, Date.parse('2026-01-31T12:00:00.000Z'));
  expect(ended).toMatchObject({
    code: 0,
    stdout: posted({ attempts: 2, bytes: 14, elapsed_ms: 2000 }),
    waits: [2000],
  });
});

test('waits of exactly 60 seconds in total are within the budget', async () => {
  const later: Reply = [503, '', { 'Retry-After': '30' }];
  answer('GET', '/v1/workspace/access', later, later, [200, ok]);
  expect(await run(access)).toMatchObject({ code: 0, stdout: allowed, waits: [30_000, 30_000] });
});

test('a Retry-After above the budget ends it at once', async () => {
  const seen = answer('GET', '/v1/workspace/access', [503, '{"message":"down"}', { 'Retry-After': '61' }]);
  const ended = await run(access);
  expect(ended).toMatchObject({ code: 10, stdout: '', waits: [] });
  expect(errorOf(ended.stderr)).toMatchObject({ attempts: 1, details: { message: 'down' } });
  expect(seen).toHaveLength(1);
});

test('the budget of 60 seconds ends it, and the last answer is reported', async () => {
  const replies = Array.from({ length: 41 }, (_, index): Reply => [503, `{"message":"down ${index + 1}"}`]);
  const seen = answer('GET', '/v1/workspace/access', ...replies);
  const ended = await run(access);
  expect(ended).toMatchObject({ code: 10, stdout: '' });
  expect(seen).toHaveLength(41);
  expect(ended.waits.slice(0, 10)).toEqual([
    125, 187.5, 281.25, 421.875, 632.8125, 949.21875, 1423.828125, 1666.25, 1666.25, 1666.25,
  ]);
  // Another 1666 would end at 60 674 ms.
  expect(ended.waits.reduce((sum, wait) => sum + wait, 0)).toBe(59_007.734375);
  expect(errorOf(ended.stderr)).toMatchObject({
    code: 'server',
    status: 503,
    operation: 'getWorkspaceAccess',
    attempts: 41,
    retryable: true,
    details: { message: 'down 41' },
  });
});

test('a refused connection is retried', async () => {
  const { clock, waits } = jumpingClock();
  let attempts = 0;
  const random = () => {
    // Called before each wait: the third attempt gets an answer.
    attempts += 1;
    if (attempts === 2) answer('GET', '/v1/workspace/access', [200, ok]);
    return 0.5;
  };
  const ended = await wire([...access, '-o', 'json', '--timeout', '10m'], { clock, random });
  expect(ended).toMatchObject({ code: 0, stdout: allowed });
  expect(waits).toEqual([125, 187.5]);
});
