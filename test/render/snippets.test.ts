/** Code on a terminal: a heading for each code sample, and the same code in color. */
import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { highlighted, highlightedDocument } from '../../src/render/highlight.ts';
import { render, type View } from '../../src/render/index.ts';

const terminal: View = { color: false, width: 80, now: 0, rows: 'snippets' };
const start = '\u001b';

const code: Readonly<Record<string, string>> = {
  bash: `# a comment\ncurl --request GET \\\n  --url 'https://x.test/pets?a=1&b=<2>' "$HOME"`,
  csharp: 'public class Pets { string s = "a & b"; int n = 1; }',
  go: 'package main\n\nfunc main() {\n\ts := `a <b> & "c"`\n}',
  java: 'class Pets { String s = "x"; List<String> all; }',
  json: '{"a": [1, true, null, "b<c>"]}',
  kotlin: 'fun main() { val a = "x" }',
  php: "<?php\n$a = 'x'; echo $a;",
  python: 'def a(b: int) -> str:\n    return f"{b}"  # &amp;',
  ruby: "def a\n  puts 'x'\nend",
  swift: 'let a: String = "x"',
  typescript: 'const a: Pet<string> = await sdk.pets.list({ limit: 10 }); // &lt;',
  yaml: 'a: "b"\nc:\n  - 1\n  - true # no',
};

describe('highlighting', () => {
  it.each(Object.entries(code))('%s: colors, and not one other character', async (language, text) => {
    const shown = await highlighted(text, language);
    expect(shown).toContain(`${start}[`);
    expect(stripVTControlCharacters(shown)).toBe(text);
  });

  it.each(['curl', 'shell', 'node', 'ts', 'unity', 'Python'])('%s is a known name', async (language) => {
    expect(await highlighted('"x" + 1', language)).toContain(start);
  });

  it.each(['cobol', '', 'constructor', '__proto__'])('%j is not: the code stays as it is', async (language) => {
    expect(await highlighted('"x" + 1', language)).toBe('"x" + 1');
  });

  it('keeps any string', async () => {
    const anything = fc.string({
      unit: fc.constantFrom(...'<>&"\'#/*{}:- \n\taé漢1', '&amp;', '<span>', '`'),
      maxLength: 60,
    });
    const languages = fc.constantFrom(...Object.keys(code));
    await fc.assert(
      fc.asyncProperty(anything, languages, async (text, language) => {
        expect(stripVTControlCharacters(await highlighted(text, language))).toBe(text);
      }),
    );
  });

  it.each([
    ['{"a": 1}', true],
    ['overlay: 1.0.0\n', true],
    ['# a comment\n---\nopenapi: 3.1.0\n', true],
    ['- a\n- b\n', true],
    ['just words: and more of them', false],
    ['<html><body>1</body></html>', false],
    ['', false],
  ])('a document is recognized: %j', async (text, isKnown) => {
    const shown = await highlightedDocument(text);
    expect([shown.includes(start), stripVTControlCharacters(shown)]).toEqual([isKnown, text]);
  });
});

describe('snippets', () => {
  const rows = [
    { method: 'get', path: '/pets', operationId: 'listPets', language: 'go', code: 'a := 1\n\n' },
    {
      method: 'put',
      path: '/pets\u001b[2J',
      operationId: '',
      language: 'curl',
      code: 'curl \u001b[31m\n\tx',
    },
  ];

  it('have a heading each, and unbroken code', async () => {
    const text = 'GET /pets  listPets  go\n\na := 1\n\nPUT /pets\\u001b[2J  curl\n\ncurl \\u001b[31m\n\tx\n';
    expect(await render({ snippets: rows }, 'table', terminal)).toBe(text);
    // The rest of a long heading is on a separate line.
    expect(await render({ snippets: rows }, 'table', { ...terminal, width: 16 })).toBe(
      text.replace('GET /pets  ', 'GET /pets\n  ').replace('[2J  ', '[2J\n  '),
    );
    const colored = await render({ snippets: rows }, 'table', { ...terminal, color: true });
    expect(colored).not.toBe(text);
    expect(stripVTControlCharacters(colored)).toBe(text);
  });

  test.each<[string, Partial<View>]>([
    ['--fields', { fields: ['path', 'code'] }],
    ['--wide', { wide: true }],
  ])('%s makes a table of them', async (_, more) => {
    expect(await render({ snippets: rows }, 'table', { ...terminal, ...more })).toMatch(/PATH .*CODE/);
  });

  test('a pipe gets a table with the exact code', async () => {
    expect(await render({ snippets: rows }, 'table', { color: false, rows: 'snippets' })).toContain('a := 1\\n\\n');
  });
});
