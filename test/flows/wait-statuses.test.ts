/** How each status affects a job with --wait: whether it is polled again, and when. */
import { expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { type Reply, service } from '../support/answering.ts';
import { dtp } from '../support/context.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1' };
const argv = ['code-samples', 'jobs', 'get', 'j_1', '--wait', '--poll-interval', '2s', '-o', 'json'];
const running: Reply = [202, { status: 'running' }];

/** Time only advances when somebody waits. Deadlines of a minute or more are never reached. */
function waiting() {
  let now = 0;
  const waits: number[] = [];
  const sleep: Clock['sleep'] = async (ms, signal) => {
    if (ms >= 60_000) return new Promise((_, over) => signal?.addEventListener('abort', over));
    waits.push(ms);
    now += ms;
  };
  return { clock: { now: () => now, sleep }, waits };
}

const waitFor = async (failure: Reply) => {
  const { clock, waits } = waiting();
  const { asked, openSend } = service(
    (_, call) => [running, failure, [200, { snippets: [] }] as const][call - 1] ?? failure,
  );
  const { code } = await dtp(argv, { env, openSend, clock });
  return [code, asked.length, waits];
};

test.each([200, 201, 203, 206])('a %i is the result', async (status) => {
  expect(await waitFor([status, { snippets: [] }])).toEqual([0, 2, [2000]]);
});

test.each([202, 408, 429, 500, 502, 503, 504])('after a %i, the job is polled again', async (status) => {
  expect(await waitFor([status, {}])).toEqual([0, 3, [2000, 2000]]);
  // No sooner than the service asks, and no sooner than the interval.
  expect(await waitFor([status, {}, { 'retry-after': '7' }])).toEqual([0, 3, [2000, 7000]]);
  expect(await waitFor([status, {}, { 'retry-after': '1' }])).toEqual([0, 3, [2000, 2000]]);
});

test.each([
  [400, 7],
  [401, 4],
  [403, 5],
  [404, 6],
  [410, 6],
  [422, 7],
  [501, 10],
  [505, 10],
])('a %i ends the wait', async (status, code) => {
  expect(await waitFor([status, { message: 'no' }])).toEqual([code, 2, [2000]]);
});
