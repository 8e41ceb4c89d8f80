/** A simulation: 10,000 clients that send again after an outage of 30 s, by the declared policy, with our jitter and without. */
import { build } from 'rolldown';

const CLIENTS = 10_000;
const OUTAGE = 30_000;
/** Milliseconds that count as one moment. */
const MOMENT = 100;

/** A file of the tool's own, so that its very functions run. */
async function load(input) {
  const { output } = await build({
    input,
    cwd: `${import.meta.dirname}/..`,
    platform: 'node',
    output: { format: 'esm' },
    write: false,
  });
  return import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
}

/** mulberry32, so that each run prints the same table. */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const { backoffMs } = await load('src/transport/retry.ts');
const { backoff } = await load('src/operations/shared.ts');

/** When each client sends, in milliseconds; the last is the one that is answered. */
function timesOf(start, random) {
  const times = [start];
  for (let attempt = 1; times.at(-1) < OUTAGE; attempt++)
    times.push(times.at(-1) + backoffMs(backoff, attempt, random()));
  return times;
}

/** All begin within `spread` milliseconds. */
function simulate(spread, jitter) {
  const random = chance(1);
  const clients = Array.from({ length: CLIENTS }, () =>
    timesOf(random() * spread, jitter ? random : () => 1),
  );
  const last = clients.map((times) => times.at(-1));
  const end = Math.max(...last);
  const moments = new Map();
  for (const time of last)
    moments.set(Math.floor(time / MOMENT), (moments.get(Math.floor(time / MOMENT)) ?? 0) + 1);
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

const row = (...cells) =>
  process.stdout.write(
    `${cells.map((cell, at) => String(cell)[at ? 'padStart' : 'padEnd'](at ? 14 : 34)).join('')}\n`,
  );
row('10,000 clients, outage of 30 s', 'requests each', 'all served in', 'peak /s', 'mean /s', 'peak / mean');
for (const [spread, begins] of [
  [0, 'all begin at once'],
  [1000, 'all begin within a second'],
  [30_000, 'they begin over the whole outage'],
])
  for (const jitter of [false, true]) {
    const { requests, recovered, peak, mean, ratio } = simulate(spread, jitter);
    row(
      `${begins}, ${jitter ? 'jitter' : 'none'}`.padEnd(34),
      requests.toFixed(1),
      `${(recovered / 1000).toFixed(1)} s`,
      Math.round(peak),
      Math.round(mean),
      ratio.toFixed(2),
    );
  }
