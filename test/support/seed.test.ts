/** The seed of a run: the same in each, unless another is asked for. */
import { expect, test } from 'vitest';
import { seedOf } from './seed.ts';

test('it is the same without DTP_SEED, and the given number with it', () => {
  expect([undefined, '', '7', '2147483647'].map(seedOf)).toEqual([20250301, 20250301, 7, 2147483647]);
});

test('one that is drawn is a number that repeats it', () => {
  const drawn = seedOf('random');
  expect(seedOf(String(drawn))).toBe(drawn);
});

test.each(['x', '-1', '1.5', '1e3', ' 7'])('"%s" is refused', (given) => {
  expect(() => seedOf(given)).toThrow('DTP_SEED must be a number or "random"');
});
