/** Numbers in JSON compared with a slow reader that looks at each character, and the time for hostile strings. */
import { deepStrictEqual } from 'node:assert';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { jsonText, linePieces } from '../../src/render/sanitize.ts';
import { findInexactNumber, parseJson, UnrepresentableNumberError } from '../../src/request/json.ts';
import { growthOfTexts, mostGrowth } from '../support/growth.ts';
import { property } from '../support/property.ts';

/** The value of a token; undefined for a number that cannot be represented exactly. */
function numberOf(token: string): number | bigint | undefined {
  if (!/^-?\d+$/.test(token)) return Number.isFinite(Number(token)) ? Number(token) : undefined;
  if (token.replace('-', '').length > 1000) return undefined;
  return Number.isSafeInteger(Number(token)) ? Number(token) : BigInt(token);
}

/** The value of a valid string, and its number tokens, read character by character. */
function read(text: string): { readonly value: unknown; readonly numbers: readonly string[] } {
  let at = 0;
  const numbers: string[] = [];
  const skip = () => {
    while (' \t\n\r'.includes(text[at] ?? 'x')) at++;
  };
  const string = (): string => {
    const from = at++;
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
    return JSON.parse(text.slice(from, ++at)) as string;
  };
  const value = (): unknown => {
    skip();
    const found = text[at] === '{' ? record() : text[at] === '[' ? list() : scalar();
    skip();
    return found;
  };
  const scalar = (): unknown => {
    if (text[at] === '"') return string();
    const from = at;
    while (/[^ \t\n\r,\]}]/.test(text[at] ?? ',')) at++;
    const token = text.slice(from, at);
    if (/^[a-z]/.test(token)) return JSON.parse(token);
    numbers.push(token);
    return numberOf(token);
  };
  const list = (): unknown[] => {
    const all: unknown[] = [];
    for (at++, skip(); text[at] !== ']'; ) {
      all.push(value());
      if (text[at] === ',') at++;
    }
    at++;
    return all;
  };
  const record = (): unknown => {
    const all: [string, unknown][] = [];
    for (at++, skip(); text[at] !== '}'; ) {
      skip();
      const name = string();
      skip();
      at++;
      all.push([name, value()]);
      if (text[at] === ',') at++;
    }
    at++;
    return Object.fromEntries(all);
  };
  return { value: value(), numbers };
}

const digits = (most: number) => fc.stringMatching(new RegExp(`^[1-9]\\d{0,${most}}$`));
const token = fc.oneof(
  fc.constantFrom('0', '-0', '9007199254740991', '9007199254740992', '-9007199254740993', '1e400', '-1E+400'),
  fc.constantFrom(...['1.7976931348623157e308', '1.797693134862315e+308', '2E308', '1e0309', '0e999', '1e-400']),
  fc.constantFrom('9'.repeat(309), `${'9'.repeat(309)}.5`, '1'.repeat(1000), `-${'1'.repeat(1001)}`),
  digits(24),
  digits(24).map((one) => `-${one}`),
  fc.tuple(digits(18), digits(20)).map(([whole, part]) => `${whole}.${part}`),
  fc
    .tuple(digits(18), fc.constantFrom('e', 'E+', 'e-', 'E'), digits(2))
    .map(([whole, mark, power]) => whole + mark + power),
);
const raw = fc
  .array(
    fc.oneof(
      fc.constantFrom('\\"', '\\\\', '\\n', '\\u0031', '\\ue000', ' ', ',', ':', '[', ']', '{', '}', 'sha256:7e12'),
      fc.constantFrom('\ue000', '\ue0000\ue001', '\\ue0000\\ue001', 'é', '1e400', '__proto__', ', 12345678901234567 ,'),
      token,
    ),
    { maxLength: 5 },
  )
  .map((parts) => `"${parts.join('')}"`);
const name = fc.oneof(raw, fc.constantFrom('"a"', '"1"', '"__proto__"'));
const space = fc.constantFrom('', '', ' ', '\n', '\t\r\n ');
const spaced = (inner: fc.Arbitrary<string>) =>
  fc.tuple(space, inner, space).map(([before, one, after]) => before + one + after);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: spaced(
    fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      token,
      raw,
      fc.constantFrom('null', 'true', 'false', '[]', '{}'),
      fc.array(tie('json'), { maxLength: 5 }).map((all) => `[${all.join(',')}]`),
      fc
        .array(fc.tuple(spaced(name), tie('json')), { maxLength: 5 })
        .map((all) => `{${all.map(([one, inner]) => `${one}:${inner}`).join(',')}}`),
    ),
  ),
}));

property('each number has the value of the slow reader, or is an error', [json], (text) => {
  const { value, numbers } = read(text);
  const bad = numbers.find((one) => numberOf(one) === undefined);
  if (bad === undefined) deepStrictEqual(parseJson(text), value);
  else expect(() => parseJson(text)).toThrow(UnrepresentableNumberError);
  const inexact = numbers.find((one) => typeof numberOf(one) !== 'number');
  expect(findInexactNumber(text)).toBe(inexact && (inexact.length > 40 ? `${inexact.slice(0, 40)}…` : inexact));
});

property(
  'invalid JSON stays invalid',
  [json, fc.nat(), fc.nat(), fc.constantFrom('', '"', '0', '-', ':', ']')],
  (text, from, length, other) => {
    const start = from % (text.length + 1);
    const broken = text.slice(0, start) + other + text.slice(start + (length % 8));
    let isJson = true;
    try {
      JSON.parse(broken);
    } catch {
      isJson = false;
    }
    if (!isJson) expect(() => parseJson(broken)).toThrow(SyntaxError);
  },
);

property('a value is written with the same digits that were read', [json], async (text) => {
  const { value, numbers } = read(text);
  // JSON.stringify writes neither the sign of -0 nor the exponent of 1e20.
  const isSame = (one: unknown) => typeof one === 'bigint' || (Math.abs(Number(one)) < 2 ** 53 && !Object.is(one, -0));
  fc.pre(numbers.map(numberOf).every(isSame));
  deepStrictEqual(read(jsonText(parseJson(text), 2)).value, value);
  const line = `${jsonText(value)}\n`;
  deepStrictEqual(read(line).value, value);
  expect([...(await linePieces([value, value]))].join('')).toBe(line + line);
});

const long = '12345678901234567';
const filled = (part: string, length: number) => part.repeat(Math.ceil(length / part.length));

/** Strings of about this length. */
const hostile: Readonly<Record<string, (length: number) => string>> = {
  'all quotes': (length) => `${filled('"', length)},${long}`,
  'all backslashes': (length) => `"${filled('\\', length)}",${long}`,
  'backslashes and quotes': (length) => `["${filled('\\\\\\"', length)}",${long}]`,
  'one integer': (length) => filled('1', length),
  'one integer in a string': (length) => `["a, ${filled('1', length)}"]`,
  'one fraction': (length) => `[1.${filled('1', length)}]`,
  'many long integers': (length) => `[${filled(`${long},`, length)}0]`,
  'many integers of a thousand digits': (length) => `[${filled(`${filled('1', 1000)},`, length)}0]`,
  'many long integers in a string': (length) => `["${filled(` ${long} ,`, length)}"]`,
  'many strings that contain one': (length) => `[${filled(`", ${long} ,",`, length)}0]`,
  'many exponents': (length) => `[${filled('1.5e100,', length)}0]`,
  'all brackets': (length) => `${filled('[', length / 2)}${long}${filled(']', length / 2)}`,
};

test.each(Object.entries(hostile))('%s: the time is linear in the length, not quadratic', async (_, make) => {
  const work = (text: string) => {
    try {
      parseJson(text);
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof UnrepresentableNumberError)) throw error;
    }
  };
  expect(await growthOfTexts(work, make, 2 ** 21)).toBeLessThan(mostGrowth);
});

/** Deterministic, and as varied as SHA-256. */
const digest = (number: number) =>
  Array.from({ length: 8 }, (_, at) =>
    (Math.imul(number + 1, 0x9e3779b1 + 2 * at) >>> 0).toString(16).padStart(8, '0'),
  ).join('');
const rows = Array.from({ length: 20_000 }, (_, at) => ({ id: `row-${at}`, digest: `sha256:${digest(at)}` }));

test.each([
  ['digests', JSON.stringify({ rows })],
  ['digests and one long integer', `{"n":${long},"rows":${JSON.stringify(rows)}}`],
])('%s are parsed once, without a function that is called for each value', (_, text) => {
  const parse = vi.spyOn(JSON, 'parse');
  parseJson(text);
  const calls = parse.mock.calls;
  parse.mockRestore();
  expect(calls).toEqual([[expect.any(String)]]);
});

test('a value with a long integer is written at once, not part by part', () => {
  const calls = vi.spyOn(JSON, 'stringify');
  const text = jsonText([rows, 10n ** 20n], 2);
  const count = calls.mock.calls.length;
  calls.mockRestore();
  expect(count).toBeLessThan(5);
  expect(text).toBe(JSON.stringify([rows, 'long'], undefined, 2).replace('"long"', `1${'0'.repeat(20)}`));
});
