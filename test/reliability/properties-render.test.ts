/** Any value in any format: the output cannot act on a terminal, and machine formats read back. */
import { deepStrictEqual } from 'node:assert';
import { decode } from '@toon-format/toon';
import fc from 'fast-check';
import { expect } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { DtpError } from '../../src/errors.ts';
import { type Format, formats } from '../../src/render/formats.ts';
import { render, type View } from '../../src/render/index.ts';
import { jsonText, visible } from '../../src/render/sanitize.ts';
import { anyText, harmless, json, property, text } from '../support/property.ts';

const plain: View = { color: false };

/** Code points that act on a terminal or are invisible. */
const hostile: readonly (readonly [from: number, to: number])[] = [
  ...([
    [0x00, 0x1f],
    [0x7f, 0x9f],
    [0xad, 0xad],
    [0x600, 0x605],
    [0x61c, 0x61c],
    [0x6dd, 0x6dd],
  ] as const),
  ...([
    [0x70f, 0x70f],
    [0x180e, 0x180e],
    [0x200b, 0x200f],
    [0x2028, 0x202e],
    [0x2060, 0x2064],
  ] as const),
  ...([
    [0x2066, 0x206f],
    [0xd800, 0xdfff],
    [0xfeff, 0xfeff],
    [0xfff9, 0xfffb],
  ] as const),
  ...([
    [0x1bca0, 0x1bca3],
    [0x1d173, 0x1d17a],
    [0xe0001, 0xe0001],
    [0xe0020, 0xe007f],
  ] as const),
];

/** The hostile characters of a string. A joiner between two emoji combines them, and is not hostile. */
function hostileIn(shown: string, allowed = ''): readonly string[] {
  const joined = shown.replace(/(?<=\p{Emoji}|\ufe0f)\u200d(?=\p{Emoji})/gu, '');
  return [...joined].filter((char) => {
    const point = char.codePointAt(0) as number;
    return !allowed.includes(char) && hostile.some(([from, to]) => point >= from && point <= to);
  });
}

property(
  'a displayed string contains nothing hostile, and does not change when it is displayed again',
  [anyText],
  (one) => {
    expect(hostileIn(visible(one))).toEqual([]);
    expect(visible(visible(one))).toBe(visible(one));
    expect(hostileIn(visible(one, { lines: true }), '\n\t')).toEqual([]);
  },
);

property('a harmless string is displayed unchanged', [harmless], (one) => {
  expect(visible(one)).toBe(one);
  expect(visible(`${one}\n${one}`, { lines: true })).toBe(`${one}\n${one}`);
});

const withHalves = fc.oneof(
  json,
  anyText,
  fc.array(anyText),
  fc.dictionary(anyText, anyText, { noNullPrototype: true }),
);

property('JSON reads back equal and contains nothing hostile', [withHalves, fc.constantFrom(0, 2)], (value, indent) => {
  const written = jsonText(value, indent);
  deepStrictEqual(JSON.parse(written), value);
  expect(hostileIn(written, '\n')).toEqual([]);
});

property('YAML reads back equal in parsers of 1.2 and 1.1, and contains nothing hostile', [json], async (value) => {
  const written = await render(value, 'yaml', plain);
  expect(hostileIn(written, '\n')).toEqual([]);
  deepStrictEqual(parseYaml(written), value);
  deepStrictEqual(parseYaml(written, { version: '1.1', merge: false }), value);
});

/** The value with the code points that TOON cannot escape as visible text. */
function inToon(value: unknown): unknown {
  if (typeof value === 'string')
    return [...value]
      .map((char) => (hostileIn(char).length > 0 && char >= '\ud800' && char < '\ue000' ? visible(char) : char))
      .join('');
  if (Array.isArray(value)) return value.map(inToon);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [inToon(key), inToon(one)]));
}

property('TOON reads back equal in its own decoder, and contains nothing hostile', [withHalves], async (value) => {
  const written = await render(value, 'toon', plain);
  expect(hostileIn(written, '\n')).toEqual([]);
  deepStrictEqual(decode(written), inToon(value));
});

const rows = fc.array(fc.dictionary(text, json, { noNullPrototype: true, minKeys: 1, maxKeys: 4 }), {
  minLength: 1,
  maxLength: 5,
});

property(
  'no format writes anything hostile on a terminal, nor in a pipe if it can escape it',
  [fc.oneof(rows, json), fc.constantFrom(...formats), fc.constantFrom(undefined, 40)],
  async (value, format: Format, width) => {
    const view = { ...plain, ...(width !== undefined && { width }) };
    // Values for a program are unchanged: these formats hide nothing in a pipe.
    const isExact = ['raw', 'csv', 'tsv'].includes(format) && width === undefined;
    // A value without a name is rejected.
    const written = render(value, format, view).catch((error: unknown) => {
      if (format === 'name' && error instanceof DtpError) return error.message;
      throw error;
    });
    if (!isExact) expect(hostileIn(await written, '\n\t')).toEqual([]);
  },
);

property('NDJSON has one document per line, each equal to its row', [fc.array(json, { maxLength: 6 })], async (all) => {
  const written = await render(all, 'ndjson', plain);
  const lines = written.split('\n');
  expect(lines.pop()).toBe('');
  deepStrictEqual(
    lines.map((line) => JSON.parse(line)),
    all,
  );
});

const lined = fc
  .array(fc.oneof(harmless, fc.constantFrom('"', ',', '\n', '\t', ' ', '=1+1', "'")))
  .map((all) => all.join(''));
const cells = fc.oneof(lined, fc.integer(), fc.boolean(), fc.constant(null), fc.array(lined, { maxLength: 2 }));
const records = fc.array(fc.dictionary(lined, cells, { noNullPrototype: true, minKeys: 1, maxKeys: 5 }), {
  minLength: 1,
  maxLength: 6,
});
const titlesOf = (all: readonly Record<string, unknown>[]) => [...new Set(all.flatMap((row) => Object.keys(row)))];

property(
  'TSV has one line for each record and one cell for each header',
  [fc.oneof(records, rows), fc.boolean()],
  async (all, headers) => {
    const titles = titlesOf(all);
    const lines = (await render(all, 'tsv', { ...plain, headers })).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => line.split('\t').length)).toEqual(
      Array(all.length + (headers ? 1 : 0)).fill(titles.length),
    );
  },
);
