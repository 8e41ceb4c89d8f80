/** Repeatable randomness. */
import { seedOf } from './seed.ts';

export const seed = seedOf(process.env.DTP_SEED);

/** mulberry32: the same choices for the same seed. */
export function randomOf(start: number): () => number {
  let state = start;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `npm run test:long` runs everything; any other run tests a sample. */
const isLong = process.env.DTP_LONG === '1';

/** How many rounds a run does. */
export const rounds = (sample: number, all: number): number => (isLong ? all : sample);

/**
 * The cases of a run: all of them in a long run, otherwise `count` of them, drawn by `seed`, in their original
 * order.
 */
export function sampled<T>(cases: readonly T[], count: number): readonly T[] {
  if (isLong || cases.length <= count) return cases;
  const random = randomOf(seed);
  const drawn = new Set<number>();
  while (drawn.size < count) drawn.add(Math.floor(random() * cases.length));
  return cases.filter((_, index) => drawn.has(index));
}
