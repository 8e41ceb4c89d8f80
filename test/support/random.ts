/** Chance that can be repeated. `DTP_SEED` gives the seed of a run. */

export const seed = Number(process.env.DTP_SEED ?? Date.now() % 2 ** 31);

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
