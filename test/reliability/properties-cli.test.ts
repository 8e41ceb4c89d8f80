/**
 * Values from a command line: bodies from assignments and documents, templates, times and amounts, and
 * completions.
 */
import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { expect } from 'vitest';
import { stringify } from 'yaml';
import { durationOf, isDuration } from '../../src/declarations/duration.ts';
import { DtpError } from '../../src/errors.ts';
import { assign, decodeTyped, parseAssignment } from '../../src/input/assignments.ts';
import { parseDocument } from '../../src/input/files.ts';
import { isDateTime } from '../../src/input/kinds.ts';
import { resources } from '../../src/operations/resources.ts';
import { counted, sizeText, timeText } from '../../src/render/amounts.ts';
import { likeness, nearest } from '../../src/render/nearest.ts';
import { dtp } from '../support/context.ts';
import { anyText, jsonObject, property, text, word } from '../support/property.ts';

/**
 * A body that assignments can build: objects, lists of scalars, and lists of records that start with the same
 * key.
 */
type Leaf = string | number | boolean | null;
type Tree = { readonly [name: string]: Leaf | Tree | readonly Leaf[] | readonly Tree[] };

const leaf: fc.Arbitrary<Leaf> = fc.oneof(text, fc.maxSafeInteger(), fc.boolean(), fc.constant(null));
const name = text.filter((one) => one !== '');
const scalars = fc.array(leaf, { minLength: 1, maxLength: 3 });
const records = fc
  .tuple(
    fc.uniqueArray(name, { minLength: 1, maxLength: 3 }),
    fc.array(fc.array(leaf, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 3 }),
  )
  .map(([names, all]) => all.map((values) => Object.fromEntries(names.map((one, at) => [one, values[at] as Leaf]))));
const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc
    .array(fc.tuple(name, fc.oneof({ maxDepth: 3 }, leaf, scalars, records, tie('tree'))), {
      minLength: 1,
      maxLength: 4,
    })
    .map((all) => Object.fromEntries(all)),
}));

/** The model: each leaf by its path, in document order. */
function* leavesIn(
  value: Tree | Leaf | readonly (Leaf | Tree)[],
  path: string,
): Generator<readonly [path: string, leaf: Leaf]> {
  if (Array.isArray(value)) for (const one of value) yield* leavesIn(one as Leaf | Tree, `${path}[]`);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) {
      const step = key.replace(/[\\.[\]=]/g, '\\$&');
      yield* leavesIn(one as Leaf | Tree, path === '' ? step : `${path}.${step}`);
    }
  else yield [path, value as Leaf];
}

property('assignments build exactly the body that they describe', [tree], (wanted) => {
  const body = {};
  for (const [path, value] of leavesIn(wanted, '')) {
    const isText = typeof value === 'string';
    const assignment = parseAssignment(`${path}=${isText ? value : JSON.stringify(value)}`, '-F');
    assign(body, assignment, isText ? assignment.text : decodeTyped(assignment.text, '-F'), '-F');
  }
  deepStrictEqual(body, wanted);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

property(
  'any string is an assignment or a usage error, and none changes the prototype of all objects',
  [
    fc.oneof(
      anyText,
      text.map((one) => `__proto__.x=${one}`),
      text.map((one) => `a[].${one}=1`),
    ),
    fc.oneof(jsonObject, fc.constant([])),
  ],
  (given, body) => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    try {
      assign(body, parseAssignment(given, '-F'), 1, '-F');
    } catch (error) {
      expect(error).toMatchObject({ code: 'usage' });
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
  },
);

property(
  'a typed value is its JSON value, or the string itself',
  [fc.oneof(text, fc.json(), fc.maxSafeInteger().map(String), fc.double().map(String))],
  (given) => {
    let value: unknown;
    try {
      value = decodeTyped(given, '-F');
    } catch (error) {
      // A number that would be rounded.
      expect(error).toMatchObject({ code: 'usage' });
      return expect(Number.isSafeInteger(Number(given)) && /^-?\d+$/.test(given)).toBe(false);
    }
    if (typeof value === 'string') return expect(value).toBe(given);
    expect(value).toEqual(JSON.parse(given));
  },
);

property('a document is the same in JSON and in YAML', [jsonObject], async (value) => {
  // After a name: at the very start, a byte order mark is not part of the string.
  const document = { body: value };
  // A number that would be rounded is rejected in any document.
  const refused = (error: unknown) => {
    expect(error).toMatchObject({ message: expect.stringContaining('cannot be represented exactly') });
    return document;
  };
  deepStrictEqual(await parseDocument(JSON.stringify(document), '--body').catch(refused), document);
  deepStrictEqual(await parseDocument(stringify(document), '--body').catch(refused), document);
});

property('any string is a document or a usage error', [fc.oneof(anyText, fc.string(), fc.json())], async (given) => {
  const ended = await parseDocument(given, '--body').catch((error: unknown) => error);
  if (ended instanceof Error) expect(ended).toMatchObject({ code: 'usage' });
});

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, '': 1000 } as const;

property(
  'a time is a number with a unit; any other string is invalid',
  [fc.integer({ min: 1, max: 596 }), fc.constantFrom(...(Object.keys(units) as (keyof typeof units)[])), anyText],
  (count, unit, other) => {
    expect(durationOf(`${count}${unit}`, '--timeout')).toBe(count * units[unit]);
    expect(durationOf(` ${count}.5${unit} `, '--timeout')).toBe((count + 0.5) * units[unit]);
    if (!/^\s*\d+(\.\d+)?(ms|s|m|h)?\s*$/.test(other)) {
      expect(isDuration(other)).toBe(false);
      expect(() => durationOf(other, '--timeout')).toThrow(DtpError);
    }
  },
);

/** Values of every unit. */
const size = fc
  .tuple(fc.nat({ max: 40 }), fc.double({ min: 1, max: 2, noNaN: true }))
  .map(([power, factor]) => Math.floor(factor * 2 ** power));

property(
  'amounts in words are within a tenth of the exact amount',
  [size, fc.integer({ min: 0, max: 10 ** 6 })],
  (amount, seconds) => {
    expect(counted(amount)).toBe(amount.toLocaleString('en-US'));
    const [, number, unit] = /^([\d.]+) (bytes?|kB|MB|GB)$/.exec(sizeText(amount)) ?? [];
    const size = Number(number) * 1000 ** Math.max(0, ['bytes', 'kB', 'MB', 'GB'].indexOf(unit as string));
    expect(Math.abs(size - amount)).toBeLessThanOrEqual(amount / 10);
    const [, time, of] = /^(\d+) (s|min|h)$/.exec(timeText(seconds)) ?? [];
    expect(Math.abs(Number(time) * { s: 1, min: 60, h: 3600 }[of as 's'] - seconds)).toBeLessThanOrEqual(seconds / 3);
  },
);

property(
  'a date and time is one that exists in the calendar',
  [
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 31 }),
    text,
  ],
  (date, month, day, other) => {
    expect(isDateTime(date.toISOString())).toBe(true);
    const year = date.getUTCFullYear();
    const made = new Date(Date.UTC(2000, month - 1, day));
    made.setUTCFullYear(year, month - 1, day);
    const two = (one: number) => String(one).padStart(2, '0');
    expect(isDateTime(`${String(year).padStart(4, '0')}-${two(month)}-${two(day)}T00:00:00Z`)).toBe(
      made.getUTCMonth() === month - 1,
    );
    if (Number.isNaN(Date.parse(other))) expect(isDateTime(other)).toBe(false);
  },
);

/** Words that are often alike. */
const like = fc.string({ unit: fc.constantFrom(...'ab'), minLength: 2, maxLength: 6 });

property(
  'a word is most similar to itself, and the nearest word is the most similar one',
  [fc.oneof(word, like), fc.array(fc.oneof(word, like), { maxLength: 6 })],
  (one, all) => {
    expect(likeness(one, one)).toBe(1);
    const found = nearest(one, all);
    const best = Math.max(0, ...all.map((other) => likeness(one, other)));
    expect(found === undefined ? 0 : likeness(one, found)).toBe(best);
  },
);

const asked = fc.array(
  fc.oneof(
    word,
    fc.constantFrom(
      ...resources.map(({ kind }) => kind),
      '--profile',
      '-w',
      '--base-url',
      '--',
      '--fresh',
      '-x',
      '__proto__',
    ),
  ),
  { maxLength: 6 },
);

property(
  'a completion exits with 0 and writes nothing to stderr, whatever its input',
  [asked],
  async (words) => {
    const { code, stdout, stderr } = await dtp(['__complete', ...words], {
      env: { DTP_BASE_URL: 'https://a.test', DTP_API_KEY: 'k' },
      runAside: async () => undefined,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^(\S+\t[^\t\n]*\n)*$/);
  },
  100,
);
