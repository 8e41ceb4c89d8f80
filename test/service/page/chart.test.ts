/** The chart of events: which minutes it shows, what it counts, and that it reads a bounded number of events. */
import { expect, test } from 'vitest';
import { insertEvents } from '../../../src/service/data/events.ts';
import { openStore } from '../../../src/service/data/store.ts';
import { minuteChart } from '../../../src/service/page/events.ts';
import { viewerWith } from '../../../src/service/page/sessions.ts';
import { firstKey, seed } from '../../../src/service/tenancy/seed.ts';

const newest = new Date(2025, 2, 1, 12, 30, 30).getTime();

/** The chart of events, which are given by their age in seconds. */
function chartOf(events: readonly (readonly [age: number, success?: boolean])[]): string | undefined {
  const store = openStore(':memory:');
  const now = new Date(newest);
  seed(store, now);
  const { key, workspaceId } = firstKey(store);
  const records = events.map(([age, success], at) => ({
    ...{ id: `e${at}`, success, created_at: new Date(newest - age * 1000).toISOString() },
  }));
  if (records.length > 0) insertEvents(store, workspaceId, records, now);
  const scope = { store, now: () => now, base: '' };
  const viewer = viewerWith(key, scope);
  if (!viewer) throw new Error('the key opens nothing');
  return minuteChart({ scope, viewer })?.text.replace(/<\/?span[^>]*>/g, '');
}

test('without events, there is no chart', () => {
  expect(chartOf([])).toBeUndefined();
});

test('the chart shows the hour that ends with the newest event, by outcome', () => {
  const chart = chartOf([[0, true], [1, true], [2, false], [61], [59 * 60 + 30, true], [59 * 60 + 31, true]]);
  expect(chart).toMatch(/from 11:31 to 12:31: ✔ 3 succeeded ✘ 1 failed ○ 1 without an outcome\s*</);
  expect(chart).toContain('at most 3');
  expect([...(chart ?? '').matchAll(/<rect class="(\w+)" x="(\d+)"/g)].map(([, kind, x]) => `${kind} ${x}`)).toEqual([
    ...['good 0', 'other 696', 'good 708', 'bad 708'],
  ]);
});

test('of more events, the chart shows the newest 5000', () => {
  const chart = chartOf(Array.from({ length: 5100 }, (_, at) => [at / 10, true] as const));
  expect(chart).toMatch(/from 12:22 to 12:31: ✔ 5000 succeeded/);
  expect(chart).toContain('(the newest 5000)');
});
