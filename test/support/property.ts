/**
 * Properties as tests, with the seed in each title, and generators of difficult strings. `DTP_SEED` repeats a
 * run.
 */
import fc from 'fast-check';
import { test } from 'vitest';
import { rounds, seed } from './random.ts';

/** Runs a property 1,000 times in a long run, and `sample` times in any other. */
export function property<Values extends [unknown, ...unknown[]]>(
  name: string,
  arbitraries: { readonly [At in keyof Values]: fc.Arbitrary<Values[At]> },
  check: (...values: Values) => void | Promise<void>,
  sample = 300,
): void {
  const checked = fc.asyncProperty<Values>(...arbitraries, async (...values) => {
    await check(...values);
  });
  test(`${name} (seed ${seed})`, { timeout: 600_000 }, async () => {
    await fc.assert(checked, { seed, numRuns: rounds(sample, 1000) });
  });
}

/** Strings that affect a terminal, a shell, a URL, a header or a document. */
const dangerous = [
  ...['\u0000', '\u001b[2J', '\u009b31m', '\u202e', '\u2066', '\u200d', '\u200b', '\ufeff', '\u2028', '\u00ad'],
  ...['\u{e0041}', '\u061c', '\r\n', '\n', '\t', '\u007f', '👩‍💻', 'e\u0301', '漢', '가', '🏳️‍🌈'],
  ...['"', "'", '`', '$(id)', '$HOME', '\\', '!', '%2e%2e', '%', '..', '.', '/', '?', '#', '&', '=', '+', ';', '@'],
  ...[' ', ',', ':', '- ', '#x', '~', 'null', 'no', '1e3', '0x1f', '{}', '[]', '__proto__', 'constructor', '--'],
];

/** Strings that can be encoded as UTF-8. */
export const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...dangerous),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
      fc.string({ maxLength: 8 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''));

/** The same, plus lone surrogates. */
export const anyText = fc.oneof(
  text,
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

/** The same without NUL, which a program argument cannot contain. */
export const word = text.map((one) => one.replaceAll('\u0000', ''));

/** Visible ASCII, and letters that are one column wide. */
export const harmless = fc.string({
  unit: fc.constantFrom(...'abcXYZ019 _-.:,;!?(){}<>|^*éßñøЖд'),
  maxLength: 40,
});

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
  text,
);

/** Any JSON value, with any names. */
export const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(text, tie('value')), { maxLength: 4 }).map((all) => Object.fromEntries(all)),
  ),
})).value;

export const jsonObject = fc
  .array(fc.tuple(text, json), { maxLength: 5 })
  .map((all) => Object.fromEntries(all) as Record<string, unknown>);

export const bytes = fc.uint8Array({ maxLength: 200 });

/** Splits `whole` at these positions. */
export function pieces(whole: Uint8Array, cuts: readonly number[]): readonly Uint8Array[] {
  const places = [...new Set(cuts.map((cut) => cut % (whole.byteLength + 1)))].sort((a, b) => a - b);
  return [0, ...places].map((from, at) => whole.subarray(from, places[at] ?? whole.byteLength));
}

/** Positions to cut at. */
export const cuts = fc.array(fc.nat({ max: 10_000 }), { maxLength: 12 });

export async function* streamOf<T>(all: readonly T[]): AsyncGenerator<T> {
  yield* all;
}
