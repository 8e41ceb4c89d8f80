/** Strings that would affect a terminal, in every format: none gets through, and machine formats lose nothing. */
import { decode } from '@toon-format/toon';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { DtpError } from '../../src/errors.ts';
import { formats } from '../../src/render/formats.ts';
import { render, type View } from '../../src/render/index.ts';
import { messageJson, messageText } from '../../src/render/message.ts';
import { jsonText, visible } from '../../src/render/sanitize.ts';

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** C0, DEL and C1; bidi; zero-width; separators; BOM; soft hyphen; tags; lone surrogates. */
const hostile = [
  ...range(0, 0x1f),
  ...range(0x7f, 0x9f),
  ...[0xad, 0x61c, 0x180e, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2028, 0x2029],
  ...range(0x202a, 0x202e),
  ...range(0x2060, 0x2064),
  ...range(0x2066, 0x2069),
  ...[0xfeff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe0001, 0xe0041],
].map((point) => String.fromCodePoint(point));

/** The hostile characters that a string contains literally. Paired surrogates are not lone. */
const bare = (text: string) => {
  const rest = text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '');
  return hostile.filter((char) => char !== '\n' && (char.length > 1 ? text : rest).includes(char));
};

const texts = [
  ...hostile,
  ...hostile.map((char) => `a${char}b ${char}`),
  hostile.join(''),
  `\u001b]0;title\u0007\u001b[31mred\u001b[0m \u009b2J`,
  `${'long '.repeat(30)}\u202eevil\n\n  next\u0000 \n`,
  '日本\u200b語 😀\ud83d',
];

const views: readonly View[] = [{ color: false }, { color: false, width: 40 }];

describe.each(formats)('%s', (format) => {
  // With -r and in CSV and TSV, values are unchanged, except on a terminal.
  const shown = ['raw', 'csv', 'tsv'].includes(format) ? views.filter(({ width }) => width !== undefined) : views;
  const may = (char: string) => char === '\t' && ['csv', 'tsv', 'raw'].includes(format);
  it.each(shown)('escapes them in values, keys, rows and nested values: %j', async (view) => {
    for (const text of texts)
      for (const value of [
        [text],
        { [text]: text, id: text },
        [{ [text]: text, id: text, b: [text], c: { [text]: text } }],
      ])
        expect(bare(await render(value, format, view)).filter((char) => !may(char))).toEqual([]);
    // A single string keeps its tabs in a table, because there are no columns.
    for (const text of texts)
      expect(bare(await render(text, format, view)).filter((char) => char !== '\t')).toEqual([]);
  });
});

describe('machine formats', () => {
  const values = texts.flatMap((text) => [text, { [text]: text }, [[text], { b: { c: text } }]]);

  it('json parses back equal', async () => {
    for (const value of values) expect(JSON.parse(await render(value, 'json', { color: false }))).toEqual(value);
  });

  it('ndjson parses back equal, with one line per row', async () => {
    const rows = texts.map((text) => ({ text }));
    const text = await render(rows, 'ndjson', { color: false });
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(rows);
  });

  it('yaml parses back equal', async () => {
    for (const value of values) expect(parse(await render(value, 'yaml', { color: false }))).toEqual(value);
    for (const value of [...'~!@#%&*|>-?:,[]{}"\'', 'null', 'yes', '1e3', '0x1', '2024-01-01', '<<', '---', '', ' '])
      expect(parse(await render({ [value]: [value] }, 'yaml', { color: false }))).toEqual({
        [value]: [value],
      });
  });
});

describe('toon', () => {
  it('parses back equal, except for what it cannot escape, which is visible', async () => {
    for (const text of [
      ...texts.filter((one) => !/[\p{Cs}\u{e0000}-\u{e0fff}]/u.test(one)),
      'x: 1',
      '- a',
      '#',
      '[1]:',
      '::',
    ])
      for (const value of [text, [text], { [text]: { [text]: text } }, [{ id: text }, { id: 'b' }]])
        expect(decode(await render(value, 'toon', { color: false }))).toEqual(value);
    expect(decode(await render('a\ud800\u{e0041}', 'toon', { color: false }))).toBe('a\\ud800\\udb40\\udc41');
  });
});

describe('visible', () => {
  it.each([
    ['\u001b[31m', '\\u001b[31m'],
    ['a\nb\tc\r\n', 'a\\nb\\tc\\r\\n'],
    ['\u202eabc\u200b\ufeff', '\\u202eabc\\u200b\\ufeff'],
    ['\u2028\u2029\u0085', '\\u2028\\u2029\\u0085'],
    ['\ud800x\udc00', '\\ud800x\\udc00'],
    ['\u{e0041}', '\\udb40\\udc41'],
    ['é 日本 😀 ❤️ – “x”', 'é 日本 😀 ❤️ – “x”'],
  ])('%j', (text, expected) => {
    expect(visible(text)).toBe(expected);
  });

  it('keeps line breaks and tabs if they are allowed', () => {
    expect(visible('a\r\nb\tc\rd\u001b', { lines: true })).toBe('a\nb\tc\\u000dd\\u001b');
  });
});

it('jsonText writes hidden characters as JSON escapes', () => {
  expect(jsonText({ a: '\u009b\u202e\u{e0041}😀' })).toBe('{"a":"\\u009b\\u202e\\udb40\\udc41😀"}');
});

it('messages escape them', () => {
  for (const text of texts) {
    const error = new DtpError('server', text, {
      hint: text,
      next: [text],
      path: text,
      details: { [text]: text },
    });
    error.stack = `${text}\n at ${text}`;
    expect(bare(messageText(error, { color: false, debug: false }))).toEqual([]);
    expect(bare(messageText(error, { color: false, debug: true })).filter((char) => char !== '\t')).toEqual([]);
    expect(bare(messageJson(error))).toEqual([]);
    expect(JSON.parse(messageJson(error)).error).toMatchObject({ message: text, details: { [text]: text } });
  }
});
