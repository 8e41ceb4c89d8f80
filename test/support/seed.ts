/** The seed of a run, which vitest.config.ts passes to every test file. */

/** The same in every run, so that a failure can be repeated. */
const usual = 20250301;

/** `DTP_SEED` is a number, or `random` for a new one. Throws for anything else. */
export function seedOf(given: string | undefined): number {
  if (!given) return usual;
  if (given === 'random') return Date.now() % 2 ** 31;
  if (/^\d{1,10}$/.test(given)) return Number(given);
  throw new Error(`DTP_SEED must be a number or "random"; "${given}" is not`);
}
