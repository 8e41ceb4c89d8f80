/** The seed of a run: always the same, unless DTP_SEED sets another. */
import { expect, test } from 'vitest';
import { seedOf } from './seed.ts';

test('it is the same without DTP_SEED, and the given number with it', () => {
  expect([undefined, '', '7', '2147483647'].map(seedOf)).toEqual([20250301, 20250301, 7, 2147483647]);
});

test('a random seed is a number, which repeats the run', () => {
  const drawn = seedOf('random');
  expect(seedOf(String(drawn))).toBe(drawn);
});

test.each(['x', '-1', '1.5', '1e3', ' 7'])('"%s" is rejected', (given) => {
  expect(() => seedOf(given)).toThrow('DTP_SEED must be a number or "random"');
});
