/** Compares `--query` with jmespath.py, the reference, over pairs of an expression and a value. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { compileQuery } from '../../src/expressions/query.ts';
import { parseJson } from '../../src/request/json.ts';
import { openPairs, type Pair } from '../support/jmespath-pairs.ts';
import { randomOf, rounds, seed } from '../support/random.ts';

const python = ['python3', '/usr/bin/python3'].find((one) => spawnSync(one, ['-c', 'import jmespath']).status === 0);
if (!python) process.stdout.write('skipped: no Python with the package jmespath (python3-jmespath)\n');

/** Stands for the result of an expression that fails. */
const failed = 'an error';

/** Returns the results of jmespath.py as it is, or changed as `--query` is meant to differ. */
function reference(pairs: readonly Pair[], ...changed: readonly 'changed'[]): readonly unknown[] {
  const script = join(import.meta.dirname, '../support/jmespath_reference.py');
  const options = { input: JSON.stringify(pairs), encoding: 'utf8', maxBuffer: 2 ** 30 } as const;
  const { status, stdout, stderr } = spawnSync(python as string, [script, ...changed], options);
  expect(status, stderr).toBe(0);
  const texts: readonly (string | null)[] = JSON.parse(stdout);
  return texts.map((one) => (one === null ? failed : comparable(parseJson(one))));
}

function own([expression, value]: Pair): unknown {
  try {
    return comparable(compileQuery(expression)(parseJson(value)));
  } catch (error) {
    // Anything else is a fault of the interpreter.
    if (error instanceof DtpError && error.code === 'usage') return failed;
    throw error;
  }
}

/** Makes 10^20 the same as a double and as an exact integer, and 0 the same as -0. */
function comparable(value: unknown): unknown {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, comparable(one)]));
}

test.skipIf(!python)(`900 pairs have the result of jmespath.py, but for the differences that are meant`, () => {
  const pairs = Array.from({ length: rounds(900, 20_000) }, openPairs(randomOf(seed)));
  const results = pairs.map(own);
  // Most pairs must have a result to compare.
  expect(results.filter((one) => one !== failed && one !== null).length).toBeGreaterThan(pairs.length / 3);
  const theirs = reference(pairs, 'changed');
  const different = pairs.flatMap((pair, at) =>
    isDeepStrictEqual(results[at], theirs[at]) ? [] : [{ pair, ours: results[at], theirs: theirs[at] }],
  );
  expect(different).toEqual([]);
});

const integers = ['9007199254740993', '12345678901234567891', `1${'0'.repeat(98)}7`];

const meant: readonly (readonly [difference: string, expression: string, ours: unknown])[] = [
  ['a number without a fraction is an integer', 'to_string(`[2.0, 1e3]`)', '[2,1000]'],
  [
    'integers of any size have an exact average',
    `avg(\`[${integers[1]}, ${integers[1]}]\`)`,
    BigInt(integers[1] ?? ''),
  ],
  ['a boolean never equals a number in a list', 'contains(`[true]`, `1`)', false],
  ['a boolean never equals a number in a list', '`[1]` == `[true]`', false],
  ['a string and a number have no order', "'a' < `1`", null],
  ['a string contains only strings', "contains('a1', `1`)", false],
  ['every argument of merge() is an object', 'merge(`{}`, `[]`)', failed],
  ['strings have slices', "'petstore'[:3]", 'pet'],
  ['to_number reads no _', "to_number('1_000')", null],
  ['to_string escapes no letters', 'to_string(`["é"]`)', '["é"]'],
  ['a literal is JSON', '`petstore`', failed],
];

test.skipIf(!python)('each difference is one, and is meant', () => {
  const pairs = meant.map(([, expression]): Pair => [expression, 'null']);
  const ours = meant.map(([, , result]) => result);
  expect(pairs.map(own)).toEqual(ours);
  expect(reference(pairs, 'changed')).toEqual(ours);
  for (const [at, theirs] of reference(pairs).entries()) expect(theirs, meant[at]?.[0]).not.toEqual(ours[at]);
});
