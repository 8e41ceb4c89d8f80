/** Simulates 10,000 clients that retry during an outage of 30 s with the declared policy, with and without jitter. */
import { load } from '../scripts/bundle/load.mjs';
import { measured, report } from './support/report.mjs';

const CLIENTS = 10_000;
const OUTAGE = 30_000;
/** The width of a time slot in milliseconds. */
const MOMENT = 100;

/** The functions that the tool itself uses, and a seeded random generator, so that every run gives the same result. */
const { defaultRetryPolicy, waitAfter } = await load('src/operations/retry-rules.ts');
const { randomOf } = await load('test/support/random.ts');

/** The times in milliseconds at which a client sends. Only the last request succeeds. */
function timesOf(start, random) {
  const times = [start];
  for (let attempt = 1; times.at(-1) < OUTAGE; attempt++)
    times.push(times.at(-1) + waitAfter(defaultRetryPolicy, attempt, random()));
  return times;
}

/** All clients start within `spread` milliseconds. */
function simulate(spread, jitter) {
  const random = randomOf(1);
  const clients = Array.from({ length: CLIENTS }, () => timesOf(random() * spread, jitter ? random : () => 1));
  const last = clients.map((times) => times.at(-1));
  const end = Math.max(...last);
  const moments = new Map();
  for (const time of last) moments.set(Math.floor(time / MOMENT), (moments.get(Math.floor(time / MOMENT)) ?? 0) + 1);
  const peak = Math.max(...moments.values()) / MOMENT;
  const mean = CLIENTS / (end - OUTAGE);
  return {
    requests: clients.reduce((sum, times) => sum + times.length, 0) / CLIENTS,
    recovered: end - OUTAGE,
    peak: peak * 1000,
    mean: mean * 1000,
    ratio: peak / mean,
  };
}

function rowOf([spread, begins], jitter) {
  const { requests, recovered, peak, mean, ratio } = simulate(spread, jitter);
  const goal = jitter ? { atMost: 2 } : {};
  const note = `${requests.toFixed(1)} requests each, all served in ${(recovered / 1000).toFixed(1)} s`;
  return measured(`clients ${begins}, ${jitter ? 'our jitter' : 'no jitter'}: peak`, peak, 'requests/s', {
    ...{ ratio, to: `the mean of ${Math.round(mean)}`, note, ...goal },
  });
}

await report('outage', () =>
  [
    [0, 'at once'],
    [1000, 'within a second'],
    [30_000, 'over the whole outage'],
  ].flatMap((begins) => [rowOf(begins, false), rowOf(begins, true)]),
);
