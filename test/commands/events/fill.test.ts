/** The times that are filled in: an event is never created before it has started. */
import { expect, test } from 'vitest';
import { fillEvent } from '../../../src/commands/events/fill.ts';

const EARLY = '2026-01-01T00:00:00.000Z';
const LATE = '2026-01-03T00:00:00.000Z';
const instant = (ms: number) => ({ ms, text: new Date(ms).toISOString() });
/** Each look at the clock is a millisecond later. */
const clock = () => {
  let time = Date.parse('2026-01-02T00:00:00.000Z');
  return () => instant(time++);
};
const NOW = clock()().text;

const times = (event: Readonly<Record<string, unknown>>) => {
  const bytes = Buffer.from(JSON.stringify(event));
  const filling = { workspace: 'w', execution: 'x', now: clock(), id: () => 'i' };
  const { local_started_at, created_at } = JSON.parse(String(fillEvent(bytes, event, filling)));
  return [local_started_at, created_at];
};

test.each<readonly [Readonly<Record<string, unknown>>, unknown, unknown]>([
  [{}, NOW, NOW],
  [{ local_started_at: EARLY }, EARLY, NOW],
  [{ local_started_at: LATE }, LATE, LATE],
  [{ created_at: EARLY }, EARLY, EARLY],
  [{ created_at: LATE }, NOW, LATE],
  [{ local_completed_at: EARLY }, EARLY, NOW],
  [{ local_completed_at: LATE }, NOW, NOW],
  [{ created_at: EARLY, local_completed_at: LATE }, EARLY, EARLY],
  [{ created_at: LATE, local_completed_at: EARLY }, EARLY, LATE],
  // The same instant, and an earlier one, in another time zone.
  [{ created_at: '2026-01-02T01:00:00+01:00' }, NOW, '2026-01-02T01:00:00+01:00'],
  [{ created_at: '2026-01-02T00:30:00+01:00' }, '2026-01-02T00:30:00+01:00', '2026-01-02T00:30:00+01:00'],
  // What the user gives is sent as it is, also if it is not a time or contradicts itself.
  [{ created_at: 'soon' }, NOW, 'soon'],
  [{ local_started_at: 7 }, 7, NOW],
  [{ local_started_at: LATE, created_at: EARLY }, LATE, EARLY],
])('%j starts at %s and is created at %s', (event, started, created) => {
  expect(times(event)).toEqual([started, created]);
});
