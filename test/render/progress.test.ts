/** The line that says how far work has come. */
import { expect, test } from 'vitest';
import { type Progress, progressText } from '../../src/render/progress.ts';
import { widthOf } from '../../src/render/width.ts';

const wide = 100;

test.each<[string, Progress | undefined, number, string]>([
  ['nothing at first', undefined, 999, ''],
  ['the time if nothing is counted', undefined, 61_900, '61 s'],
  ['no bar if the total is not known', { done: 1000 }, 2000, '1.0 kB, 500 bytes/s, 2 s'],
  ['no bar for an empty file', { done: 0, total: 0 }, 0, '0 bytes of 0 bytes'],
  ['no rate in the first second', { done: 0, total: 2000 }, 0, `${'─'.repeat(24)} 0 bytes of 2.0 kB`],
  [
    'size, rate and time left',
    { done: 1000, total: 4000 },
    2000,
    `${'━'.repeat(6)}${'─'.repeat(18)} 1.0 kB of 4.0 kB, 500 bytes/s, 6 s left`,
  ],
  [
    'own words',
    { done: 3, total: 4, facts: ['3 of 4 delivered'] },
    0,
    `${'━'.repeat(18)}${'─'.repeat(6)} 3 of 4 delivered, 75 %`,
  ],
  ['a full bar if more was done than expected', { done: 9, total: 4, facts: [] }, 0, `${'━'.repeat(24)} 100 %`],
])('%s', (_, progress, elapsedMs, text) => {
  expect(progressText(progress, elapsedMs, wide)).toBe(text);
});

test('the bar gets the room that is left, or none', () => {
  const at = (room: number) => progressText({ done: 1000, total: 4000 }, 0, room);
  for (let room = 0; room < wide; room++) {
    expect(at(room)).toContain('1.0 kB of 4.0 kB');
    if (room >= 16) expect(widthOf(at(room))).toBeLessThanOrEqual(room);
  }
  expect([at(24), at(25)]).toEqual(['1.0 kB of 4.0 kB', '━━────── 1.0 kB of 4.0 kB']);
});
