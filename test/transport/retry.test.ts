/** The declared retry on a simulated clock: which failures are retried, how long the waits are, and when it stops. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { DtpError } from '../../src/errors.ts';
import { defaultRetryPolicy, waitAfter } from '../../src/operations/retry-rules.ts';
import type { HttpRequest, HttpResponse, Send } from '../../src/request/http.ts';
import { retryAfterMs, withAskedWait, withRetry } from '../../src/transport/retry.ts';

const request: HttpRequest = { method: 'POST', url: 'https://api.example.test/v1/x', headers: {} };

/** A clock that only advances when somebody waits. It records the waits. */
function stoppedClock() {
  const waits: number[] = [];
  let now = 0;
  const clock: Clock = {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      waits.push(ms);
      now += ms;
    },
  };
  return { clock, waits, pass: (ms: number) => (now += ms) };
}

const answer = (status: number, headers: Record<string, string> = {}): HttpResponse => ({
  status,
  headers,
  body: (async function* () {})(),
});
const lost = new DtpError('network', 'refused', { retryable: true });
const tls = new DtpError('network', 'expired', { retryable: false });

/** Returns the outcomes in turn, and then the last one forever. */
function sends(outcomes: readonly (HttpResponse | Error)[], each: () => void = () => undefined) {
  let count = 0;
  const send: Send = async () => {
    const outcome = outcomes[Math.min(count++, outcomes.length - 1)] as HttpResponse | Error;
    each();
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  return { send, count: () => count };
}

const signal = new AbortController().signal;

test.each([
  [1, 0, 100],
  [1, 1, 150],
  [2, 0, 150],
  [2, 1, 225],
  [3, 1, 337.5],
  [7, 0, 1139.0625],
  [8, 0, 1333],
  [8, 1, 1999.5],
  [40, 0, 1333],
  [40, 0.5, 1666.25],
  [Number.POSITIVE_INFINITY, 1, 1999.5],
])('after attempt %i with the random value %d, it waits %d ms', (attempt, random, ms) => {
  expect(waitAfter(defaultRetryPolicy, attempt, random)).toBe(ms);
});

test.each([
  [undefined, undefined],
  ['3', 3000],
  [' 0 ', 0],
  ['Thu, 01 Jan 1970 00:00:05 GMT', 4000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['Thursday, 01-Jan-70 00:00:05 GMT', 4000],
  ['Thu Jan  1 00:00:05 1970', 4000],
  ['9'.repeat(400), 999_999_999_000],
  ['soon', undefined],
  ['', undefined],
  // Other strings that Date.parse would accept as dates.
  ['-5', undefined],
  ['3.5', undefined],
])('Retry-After: %s is %s ms', (header, ms) => {
  expect(retryAfterMs(header === undefined ? {} : { 'retry-after': header }, 1000)).toBe(ms);
});

// Our clock shows 1000 ms, or 11 minutes more.
test.each([
  ['Thu, 01 Jan 1970 00:00:05 GMT', 'Thu, 01 Jan 1970 00:00:02 GMT', 3000],
  ['Thu, 01 Jan 1970 00:00:05 GMT', 'Thursday, 01-Jan-70 00:00:02 GMT', 3000],
  ['Thu, 01 Jan 1970 00:00:05 GMT', ' Thu Jan  1 00:00:02 1970 ', 3000],
  ['Thu, 01 Jan 1970 00:00:05 GMT', 'Thu, 01 Jan 1970 00:00:09 GMT', 0],
  ['3', 'Thu, 01 Jan 1970 00:00:02 GMT', 3000],
])('Retry-After: %s in a response of %s is %s ms by any clock', (header, date, ms) => {
  for (const now of [1000, 661_000]) expect(retryAfterMs({ 'retry-after': header, date }, now)).toBe(ms);
});

test.each([[undefined], [''], ['yesterday'], ['3']])('with the Date %s, our clock counts', (date) => {
  const headers = { 'retry-after': 'Thu, 01 Jan 1970 00:00:05 GMT', ...(date !== undefined && { date }) };
  expect(retryAfterMs(headers, 1000)).toBe(4000);
});

test.each([[408], [500], [502], [503]])('status %i is retried until the request succeeds', async (status) => {
  const { clock, waits } = stoppedClock();
  const { send, count } = sends([answer(status), lost, answer(204)]);
  const response = await withRetry(send, defaultRetryPolicy, { clock, random: () => 0.5 })(request, { signal });
  expect([response.status, response.attempts, count(), waits]).toEqual([204, 3, 3, [125, 187.5]]);
});

test.each([[400], [401], [404], [409], [429], [501], [504], [200], [302]])(
  'status %i is returned at once',
  async (status) => {
    const { clock, waits } = stoppedClock();
    const { send, count } = sends([answer(status)]);
    const response = await withRetry(send, defaultRetryPolicy, { clock, random: () => 0 })(request, { signal });
    expect([response.status, count(), waits]).toEqual([status, 1, []]);
  },
);

test.each([[tls], [new TypeError('a bug')]])('%s is not retried', async (error) => {
  const { clock } = stoppedClock();
  const { send, count } = sends([error]);
  await expect(withRetry(send, defaultRetryPolicy, { clock, random: () => 0 })(request, { signal })).rejects.toThrow(
    error.message,
  );
  expect(count()).toBe(1);
});

test('no wait begins that would exceed 60 seconds, and the last error is reported', async () => {
  const { clock, waits } = stoppedClock();
  const { send, count } = sends([lost]);
  const error = await withRetry(send, defaultRetryPolicy, { clock, random: () => 1 })(request, { signal }).catch(
    (one: unknown) => one,
  );
  expect(error).toMatchObject({ code: 'network', facts: { attempts: count() } });
  const waited = waits.reduce((sum, ms) => sum + ms, 0);
  expect(waited).toBeLessThanOrEqual(60_000);
  expect(waited + 2000).toBeGreaterThan(60_000);
});

test('a service that asks for no wait still gets the policy’s', async () => {
  const { clock, waits } = stoppedClock();
  const { send } = sends([answer(503, { 'retry-after': '0' }), answer(200)]);
  await withRetry(
    withAskedWait(send, () => new Date(0)),
    defaultRetryPolicy,
    { clock, random: () => 0.5 },
  )(request, { signal });
  expect(waits).toEqual([125]);
});

test('an endless body of a failed attempt does not delay the next attempt', async () => {
  const { clock } = stoppedClock();
  let stopped = false;
  const send: Send = async (_, options) => {
    if (stopped) return answer(200);
    options.signal.addEventListener('abort', () => {
      stopped = true;
    });
    return {
      status: 503,
      headers: {},
      body: (async function* () {
        await new Promise(() => undefined);
      })(),
    };
  };
  const response = await withRetry(send, defaultRetryPolicy, { clock, random: () => 0 })(request, { signal });
  expect([response.status, response.attempts]).toEqual([200, 2]);
});

test('a deadline reports the number of attempts and the last reason', async () => {
  const deadline = new AbortController();
  const { clock } = stoppedClock();
  const late = new DtpError('timeout', 'no result within 4 s');
  const { send } = sends([answer(503)]);
  const onRetry = (attempt: number) => attempt === 3 && deadline.abort(late);
  const failed = withRetry(send, defaultRetryPolicy, { clock, random: () => 0, onRetry })(request, {
    signal: deadline.signal,
  });
  await expect(failed).rejects.toMatchObject({
    code: 'timeout',
    message: 'no result within 4 s (attempt 3: status 503)',
    facts: { attempts: 3 },
  });
});

test('time spent in attempts counts', async () => {
  const { clock, pass } = stoppedClock();
  const { send, count } = sends([answer(503)], () => pass(30_000));
  const response = await withRetry(send, defaultRetryPolicy, { clock, random: () => 0 })(request, { signal });
  expect([response.status, response.attempts, count()]).toEqual([503, 2, 2]);
});

test('Retry-After is respected without jitter, if it fits', async () => {
  const { clock, waits } = stoppedClock();
  const { send } = sends([answer(503, { 'retry-after': '7' }), answer(503, { 'retry-after': '54' })]);
  const asking = withAskedWait(send, () => new Date(0));
  const response = await withRetry(asking, defaultRetryPolicy, { clock, random: () => 0 })(request, { signal });
  expect([response.status, response.attempts, waits]).toEqual([503, 2, [7000]]);
});

test('a 429 is retried only if it says how long to wait', async () => {
  const { clock, waits } = stoppedClock();
  const { send, count } = sends([answer(429, { 'retry-after': '7' }), answer(429), answer(200)]);
  const asking = withAskedWait(send, () => new Date(0));
  const response = await withRetry(asking, defaultRetryPolicy, { clock, random: () => 0 })(request, { signal });
  expect([response.status, count(), waits]).toEqual([429, 2, [7000]]);
});

test('the interrupt ends the wait', async () => {
  const interrupt = new AbortController();
  const { clock } = stoppedClock();
  const { send } = sends([answer(503)]);
  const reason = new Error('stop');
  const failed = withRetry(send, defaultRetryPolicy, {
    clock,
    random: () => 0,
    onRetry: () => interrupt.abort(reason),
  })(request, {
    signal: interrupt.signal,
  });
  await expect(failed).rejects.toBe(reason);
});
