/**
 * Simulates clients that retry by the declared policy: 10,000 through an outage of 30 s, with and without jitter, and a
 * fleet whose service is overloaded after the outage, with and without Retry-After.
 */
import { load } from '../scripts/bundle/load.mjs';
import { simulateFleet } from './support/fleet.mjs';
import { count, measured, report, scaled } from './support/report.mjs';

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

/** How much of the normal load the service of a fleet accepts. */
const CAPACITY = 2;

/** The values of Retry-After in milliseconds. A date is the end of the outage, the same moment for all clients. */
const asked = {
  'no Retry-After': () => undefined,
  'Retry-After: 10': () => 10_000,
  'Retry-After: DATE': (now, end) => Math.max(0, end - now),
};

function fleetRow([size, outage, header]) {
  const clients = scaled(size, 1000);
  const ended = simulateFleet({ clients, outageMs: outage * 1000, capacity: CAPACITY, askedMs: asked[header] });
  const { peak, ratio, requests, half, most } = ended;
  const note = `half delivered ${Math.round(half)} s after it, 99 % ${Math.round(most)} s; ${requests.toFixed(1)} requests each`;
  return measured(`fleet of ${count(clients)}, ${outage} s, ${header}: peak`, peak, 'requests/s', {
    ...{ ratio, to: 'the normal load', note },
  });
}

await report('outage', () => [
  ...[
    [0, 'at once'],
    [1000, 'within a second'],
    [30_000, 'over the whole outage'],
  ].flatMap((begins) => [rowOf(begins, false), rowOf(begins, true)]),
  ...[
    [10_000, 30, 'no Retry-After'],
    [10_000, 30, 'Retry-After: 10'],
    [10_000, 30, 'Retry-After: DATE'],
    [100_000, 30, 'no Retry-After'],
    [100_000, 30, 'Retry-After: 10'],
    [1_000_000, 30, 'no Retry-After'],
    [1_000_000, 30, 'Retry-After: 10'],
    [10_000, 600, 'no Retry-After'],
    [10_000, 600, 'Retry-After: 10'],
  ].map(fleetRow),
]);
