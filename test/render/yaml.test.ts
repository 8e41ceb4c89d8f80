/** YAML is byte for byte what the library writes for a whole document, although no document is built. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Document, type ScalarTag } from 'yaml';
import { blockSize } from '../../src/render/blocks.ts';
import { hasHidden, replaceHidden } from '../../src/render/sanitize.ts';
import { yaml } from '../../src/render/yaml.ts';
import { seed } from '../support/random.ts';

const longEscape = (char: string) => `\\U${(char.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`;
const escaped = (text: string) =>
  replaceHidden(JSON.stringify(text), longEscape).replace(/[\ufffe\uffff]/g, longEscape);
const misread = [/^=$/, /^[-+]?0o[\d_]*$/, /^\d{4}-\d\d?-\d\d?[Tt \t][\d: \t.Z+-]+$/, /^ *\n\s*$/];

/** Strings that some parser does not read back in the form of the library. */
const quoted: ScalarTag = {
  tag: 'tag:yaml.org,2002:str',
  default: true,
  identify: (value) =>
    typeof value === 'string' &&
    (hasHidden(value.replaceAll('\n', '')) ||
      /[\ufffe\uffff]/.test(value) ||
      misread.some((pattern) => pattern.test(value))),
  resolve: (text) => text,
  stringify: ({ value }) => escaped(String(value)),
};

const exponential: ScalarTag = {
  tag: 'tag:yaml.org,2002:float',
  default: true,
  identify: (value) => typeof value === 'number' && /^-?\de/.test(String(value)),
  test: /^-?\d\.0e[-+]\d+$/,
  resolve: Number,
  stringify: ({ value }) => String(value).replace('e', '.0e'),
};

function libraryYaml(value: unknown): string {
  if (typeof value === 'string' && value.includes('\n')) return `${escaped(value)}\n`;
  return new Document(value, {
    aliasDuplicateObjects: false,
    compat: 'yaml-1.1',
    customTags: (tags) => [quoted, exponential, ...tags],
  }).toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER });
}

const written = async (value: unknown) => [await yaml(value)].flat().join('');

const words = 'y Y n N yes Yes YES no No NO on On ON off Off OFF oFf true True TRUE tRue false False null Null NULL ~';
const numbers =
  '0 -0 +1 007 08 1_000 0x1F 0o17 -0o7 0b101 1.5 1. .5 -.5 +.5 1e3 1E-3 7e12 1.0e+5 1:30 190:20:30 .inf -.Inf .nan 1,000';
const dates =
  '2025-03-01 2025-3-1 2025-03-01T10:00:00Z 2025-03-01T10:00:00.123Z 2025-03-01T10:00:00+25:00 2025-03-01T1';
const signs =
  '- -a --- ---a ... ...a ? ?a ?? : :a a: a:b ::a # #a a# & &a * *a ! !a | |a > >a % %a @ @a ` `a \' \'a " "a , ,a [ ] [a] {a} =';
const texts: readonly string[] = [
  ...`${words} ${numbers} ${dates} ${signs} << a<< A z Aa a1 sha256:7e12ab 7e12-ab 3f2a 1a2b3c4d-0000-4000-8000-00`.split(
    ' ',
  ),
  ...[
    '',
    ' ',
    '  ',
    ' a',
    'a ',
    'a b',
    'a  b',
    'a #b',
    'a  #b',
    'a: b',
    'a : b',
    'a:\tb',
    'a\tb',
    '\ta',
    'a\t',
    '- a',
    '? a',
  ],
  ...[
    '2025-03-01 10:00:00',
    '2025-03-01 1:2',
    '--- a',
    '%YAML 1.2',
    "it's",
    'say "so"',
    `both ' and "`,
    'a\\b',
    '"',
    "''",
  ],
  ...[
    '\n',
    '\n\n',
    ' \n',
    ' \n ',
    'a\n',
    'a\n\n',
    '\na',
    ' a\nb',
    'a\n b',
    'a \nb',
    'a\n\n\nb',
    'a\nb ',
    'a\n\tb\n',
    '\n a',
    'a\n  ',
  ],
  ...[
    'a\n# b',
    'a: b\nc',
    '---\na',
    'a\n---\n',
    'a\n...',
    '%a\nb',
    "it's\nso",
    `a "b"\n 'c'`,
    'a\r\nb',
    'a\rb',
    '"\n',
    'a\n\n b\n\n',
  ],
  ...[
    '😀',
    'a 😀 b',
    '👩\u200d💻',
    'ü',
    'é: è',
    'ü #',
    '日本',
    '\u00a0',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\u202e',
    '\ud800',
    '\ufffe',
    '\uffff',
  ],
  ...['\u0000', 'a\u0007', '\u001b[31m', '\u007f', 'a\u0007\nb', '\u200b\n'],
  ...[
    'x'.repeat(1023),
    'x'.repeat(1024),
    'x'.repeat(1025),
    '1'.repeat(1023),
    `${'word '.repeat(300)}end`,
    `${'word '.repeat(300)}\nend `,
  ],
];
const scalars: readonly unknown[] = [
  ...[null, true, false, 0, -0, 1, -1, 1.5, -0.25, 1e21, -1e21, 1.5e21, 1e-7, 1.5e-7, 5e-324, Number.MAX_VALUE],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2n ** 70n, -(2n ** 64n)],
];
const shapes: readonly ((one: unknown) => unknown)[] = [
  (one) => one,
  (one) => [one],
  (one) => [one, one],
  (one) => ({ a: one, b: one }),
  (one) => [{ a: one, b: one }, [one, [one]]],
  (one) => ({ a: { b: { c: one } }, d: [{ e: [one] }] }),
];

test('every value, in every shape', async () => {
  const empty = [{}, [], [[]], [{}], { a: {} }, { a: [] }, [[[]], [{ a: [[], {}] }]]];
  for (const one of [...scalars, ...texts, ...empty])
    for (const shape of shapes) expect(await written(shape(one))).toBe(libraryYaml(shape(one)));
});

test('every key, in every shape', async () => {
  for (const key of texts)
    for (const value of [1, null, 'a\nb\n', 'no', {}, [], { [key]: [1, { [key]: 2 }] }, [[key], { a: 1 }]])
      for (const shape of shapes)
        expect(await written(shape({ [key]: value, z: 1 }))).toBe(libraryYaml(shape({ [key]: value, z: 1 })));
});

test('values that are not defined', async () => {
  for (const value of [undefined, [undefined], { a: undefined }, { a: undefined, b: 1 }, [{ a: undefined }, 1]])
    expect(await written(value)).toBe(libraryYaml(value));
});

test('long lists in blocks', async () => {
  const rows = Array.from({ length: blockSize + 1 }, (_, at) => ({
    id: at,
    text: texts[at % texts.length],
    more: [at],
  }));
  for (const value of [
    rows,
    { items: rows, next: null },
    { 'no: ': rows, 'a\nb': rows },
    [rows],
    { in: { items: rows } },
  ])
    expect(await written(value)).toBe(libraryYaml(value));
});

test('generated values', async () => {
  const character = fc.constantFrom(...'ab017eExo .:-+_#\n\t\'"?,[]{}&*!|>%@`~=<\\ü😀\u0007\u200d');
  const string = fc.oneof(fc.string({ unit: character, maxLength: 12 }), fc.constantFrom(...texts), fc.string());
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'medium' },
      fc.oneof(string, fc.double(), fc.integer(), fc.bigInt(), fc.constantFrom(...scalars)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(string, tie('value'), { maxKeys: 4 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(value, async (one) => {
      expect(await written(one)).toBe(libraryYaml(one));
    }),
    { seed, numRuns: 5000 },
  );
});
