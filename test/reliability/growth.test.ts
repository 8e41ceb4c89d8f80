/** No string from a service makes a function slow: the work is linear in the string's length, not quadratic. */
import { describe, expect, test } from 'vitest';
import { growthOf, mostGrowth, shapes } from '../support/growth.ts';
import { rounds } from '../support/random.ts';
import { textFunctions } from '../support/text-works.ts';

const length = rounds(128 * 1024, 16 * 1024 * 1024);

describe.each(Object.entries(textFunctions))('%s', (_, work) => {
  test('a long string takes about as long as short ones of the same length together', async () => {
    const slow: string[] = [];
    for (const [name, shape] of Object.entries(shapes)) {
      const growth = await growthOf(work, shape, length);
      if (growth > mostGrowth) slow.push(`${name}: ${growth.toFixed(1)}`);
    }
    expect(slow).toEqual([]);
  });
});

test('a function that looks back at each character would be caught', async () => {
  const lookingBack = (text: string) => {
    let found = 0;
    for (let at = 0; at < text.length; at += 256) found += text.lastIndexOf('\u0000', at);
    return found;
  };
  expect(await growthOf(lookingBack, '7', 1024 * 1024)).toBeGreaterThan(mostGrowth);
});
