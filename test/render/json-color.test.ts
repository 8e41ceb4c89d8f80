/** JSON in color: only on a terminal, and the same text without the escape sequences. */
import { stripVTControlCharacters } from 'node:util';
import { expect, it, test } from 'vitest';
import { render } from '../../src/render/index.ts';
import { coloredJson } from '../../src/render/json-color.ts';

const terminal = { color: true, width: 80, now: 0 };
const value = {
  id: 'a "quoted" \\ name',
  'a:b': '{"x": 1, "y": [true, null]}',
  long: 12345678901234567890n,
  small: -1.5e-7,
  list: [true, false, null, 0, '', 'é👩‍💻', '\u001b[31m'],
  none: {},
};

it.each(['json', 'ndjson'] as const)('-o %s is the same text, in color', async (format) => {
  const plain = await render(value, format, { color: false });
  const text = await render(value, format, terminal);
  expect(text).not.toBe(plain);
  expect(stripVTControlCharacters(text)).toBe(plain);
  expect(await render(value, format, { ...terminal, color: false })).toBe(plain);
});

it.each(['json', 'ndjson', 'raw', 'yaml', 'csv'] as const)('-o %s has no color in a pipe', async (format) => {
  expect(await render(value, format, { color: true })).not.toContain('\u001b');
});

test('names, strings, numbers and words have different colors', () => {
  expect(coloredJson('{"a": "b", "c": [-1.5e3, true, null]}')).toBe(
    '{\u001b[1m"a"\u001b[22m: \u001b[32m"b"\u001b[39m, \u001b[1m"c"\u001b[22m: ' +
      '[\u001b[33m-1.5e3\u001b[39m, \u001b[33mtrue\u001b[39m, \u001b[2mnull\u001b[22m]}',
  );
});

test('an escaped quote does not end a string', () => {
  expect(coloredJson(String.raw`["a\"1", "\\"]`)).toBe(
    String.raw`[G"a\"1"E, G"\\"E]`.replaceAll('G', '\u001b[32m').replaceAll('E', '\u001b[39m'),
  );
});

test('JSON that nobody can read on a screen stays plain', () => {
  const text = JSON.stringify('x'.repeat(5 * 1024 * 1024));
  expect(coloredJson(text)).toBe(text);
});
