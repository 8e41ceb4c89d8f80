/** YAML, CSV and TSV of random values, read back by PyYAML, js-yaml and Python's csv. */
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { render } from '../../src/render/index.ts';
import { temporaryFolder } from '../support/context.ts';
import { difficultStrings } from '../support/difficult-strings.ts';
import { anyText, json } from '../support/property.ts';
import { seed } from '../support/random.ts';

const { load } = createRequire(import.meta.url)('js-yaml') as { readonly load: (text: string) => unknown };

const python = ['python3', '/usr/bin/python3'].find((one) => spawnSync(one, ['-c', 'import yaml']).status === 0);
if (!python) process.stdout.write('skipped: no Python with the package yaml (python3-yaml)\n');

/** Strings of the characters of numbers, times, and words with a meaning. */
const numeric = fc
  .array(fc.constantFrom(...'01234567890123456789_.:+-eExXobTtZz ,~=<>aAfFiInNyYosSrRuUlL'), {
    maxLength: 12,
  })
  .map((all) => all.join(''));
const difficult = fc.constantFrom(...difficultStrings);
const joined = fc.array(difficult, { minLength: 2, maxLength: 3 }).map((all) => all.join(''));
const string = fc.oneof(difficult, numeric, joined, anyText);
const number = fc.oneof(
  fc.constantFrom(1e21, -1e21, 1e-7, -1.5e-7, 1.5e300, 5e-324, 2 ** 53, 1e20, 0.1),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => (Object.is(one, -0) ? 0 : one)),
  fc.maxSafeInteger(),
);
const scalar = fc.oneof(string, number, fc.constantFrom(true, false, null));
const record = fc.array(fc.tuple(string, fc.oneof(scalar, json)), { maxLength: 4 }).map(Object.fromEntries);
const nested = fc.array(fc.tuple(string, fc.array(record, { maxLength: 3 })), { maxLength: 2 });

const values: readonly unknown[] = [
  ...difficultStrings.flatMap((one) => [one, { [one]: one }, [[one], { a: { [one]: [one] } }]]),
  ...fc.sample(fc.oneof(json, scalar, fc.array(scalar), record, nested.map(Object.fromEntries)), {
    seed,
    numRuns: 4000,
  }),
];

const row = fc.array(fc.tuple(string, fc.oneof(scalar, json)), { minLength: 1, maxLength: 4 }).map(Object.fromEntries);
const tables: readonly unknown[] = [
  ...difficultStrings.flatMap((one) => [[one, one], [{ [one]: one }], [{ a: one, b: [one] }, { c: '' }]]),
  ...fc.sample(fc.oneof(fc.array(row, { minLength: 1, maxLength: 3 }), fc.array(scalar)), {
    seed,
    numRuns: 4000,
  }),
];

type TextFormat = 'yaml' | 'csv' | 'tsv';

const textsOf = (all: readonly unknown[], format: TextFormat): Promise<readonly string[]> =>
  Promise.all(all.map((one) => render(one, format, { color: false })));

const reader = join(import.meta.dirname, '../support/read_formats.py');

/** The first values that a reader in Python does not read back equal. */
async function differences(all: readonly unknown[], format: TextFormat): Promise<readonly string[]> {
  const file = join(temporaryFolder(), 'cases.ndjson');
  const texts = await textsOf(all, format);
  const cases = all.map((value, at) => ({ value, bytes: Buffer.from(texts[at] ?? '').toString('base64') }));
  writeFileSync(file, cases.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const { stdout, stderr } = spawnSync(python ?? '', [reader, format, file], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, PYTHONUTF8: '1' },
    maxBuffer: 2 ** 28,
  });
  expect(stderr).toBe('');
  const lines = stdout.trimEnd().split('\n');
  expect(lines.pop()).toBe(`${all.length} read`);
  return lines.slice(0, 5);
}

test.skipIf(!python).each<[string, TextFormat, readonly unknown[]]>([
  ['PyYAML', 'yaml', values],
  ["Python's csv", 'csv', tables],
  ['Python', 'tsv', tables],
])(`%s reads %s back equal (seed ${seed})`, async (_, format, all) => {
  expect(await differences(all, format)).toEqual([]);
});

test.each<[string, (text: string) => unknown]>([
  ['js-yaml', load],
  ['yaml', (text) => parse(text)],
  ['yaml for YAML 1.1', (text) => parse(text, { version: '1.1' })],
])(`%s reads YAML back equal (seed ${seed})`, async (_, read) => {
  const texts = await textsOf(values, 'yaml');
  const attempt = (text: string): unknown => {
    try {
      return read(text);
    } catch (error) {
      return error;
    }
  };
  const wrong = texts.filter((text, at) => !isDeepStrictEqual(attempt(text), values[at]));
  expect(wrong.slice(0, 5)).toEqual([]);
});
