/** `--query`: exact integers, the order of strings, and what only the library has. */
import { describe, expect, test } from 'vitest';
import { compileSelection } from '../../src/expressions/jmespath.ts';
import { compileQuery } from '../../src/expressions/query.ts';
import { exactJson } from '../../src/json-object.ts';
import { parseJson } from '../../src/request/json.ts';
import { result } from '../support/query.ts';

describe.each([
  ['16 digits', '9007199254740993', '9007199254740992', '9007199254740994', '18014398509481986'],
  ['20 digits', '12345678901234567890', '12345678901234567889', '12345678901234567891', '24691357802469135780'],
  ['100 digits', `1${'0'.repeat(99)}`, '9'.repeat(99), `1${'0'.repeat(98)}1`, `2${'0'.repeat(99)}`],
])('integers of %s', (_, n, less, more, double) => {
  test.each<[expression: string, expected: string]>([
    ['n', n],
    ['`N`', n],
    ['`{"x": [N]}`.x[0]', n],
    ['n == `N`', 'true'],
    ['n == `LESS`', 'false'],
    ['n != `MORE`', 'true'],
    ['[n < `MORE`, n <= `N`, n > `LESS`, n >= `MORE`]', '[true,true,true,false]'],
    ['[n > `0.5`, n < `0.5`, n == `0.5`]', '[true,false,false]'],
    ['`[N]` == [n]', 'true'],
    ['`{"x": N}` == {x: n}', 'true'],
    ['contains(`[1, N]`, n)', 'true'],
    ['contains(`[1, N]`, `MORE`)', 'false'],
    ['sort(`[MORE, 1, N, LESS]`)', `[1,${less},${n},${more}]`],
    ['sort_by(`[{"x": MORE}, {"x": LESS}, {"x": 2}]`, &x)[].x', `[2,${less},${more}]`],
    ['max(`[N, MORE, 1]`)', more],
    ['min(`[N, LESS, MORE]`)', less],
    ['max_by(`[{"x": N}, {"x": MORE}]`, &x).x', more],
    ['min_by(`[{"x": N}, {"x": LESS}]`, &x).x', less],
    ['sum([n, n])', double],
    ['sum([n, `-N`])', '0'],
    ['avg([n, n, n])', n],
    ['abs(`-N`)', n],
    ['[ceil(n), floor(n)]', `[${n},${n}]`],
    ['to_string(n)', `"${n}"`],
    ['to_string([n])', `"[${n}]"`],
    ["to_number('N')", n],
    ["to_number('-N')", `-${n}`],
    ['to_number(n)', n],
    ['type(n)', '"number"'],
    ['not_null(n)', n],
    ['to_array(n)', `[${n}]`],
    ['[n + `1`, n - `1`]', `[${more},${less}]`],
    ['n * `2`', double],
    ['[n / `1`, n // `1`, n % `N`]', `[${n},${n},0]`],
    ['-n', `-${n}`],
    ['!n', 'false'],
    ['n && `1`', '1'],
    ['[?@ > `LESS`]', 'null'],
    ['items({x: n})', `[["x",${n}]]`],
    ['group_by([{x: n, k: `"a"`}], &k).a[0].x', n],
    ['zip([n], [n])', `[[${n},${n}]]`],
    ['let $x = n in $x', n],
    ['n ? n : `0`', n],
  ])('%s', (expression, expected) => {
    const typed = expression.replaceAll('LESS', less).replaceAll('MORE', more).replaceAll('N', n);
    expect(result(typed, `{"n":${n}}`)).toBe(expected);
  });
});

test.each<[expression: string, expected: string]>([
  ['`9007199254740991` + `2`', '9007199254740993'],
  ['`-9007199254740991` - `2`', '-9007199254740993'],
  ['`94906267` * `94906267`', '9007199515875289'],
  ['`-7` // `2`', '-4'],
  ['`-20000000000000000001` // `2`', '-10000000000000000001'],
  ['`20000000000000000001` / `2`', '10000000000000000000'],
  ['`1` / `4`', '0.25'],
  ['ceil(`1e20`)', '100000000000000000000'],
  ['floor(`1e22`)', '10000000000000000000000'],
  ['sum(`[0.5, 9007199254740993]`)', '9007199254740992'],
  ['sum(`[]`)', '0'],
  ['avg(`[]`)', 'null'],
  ['avg(`[1, 2]`)', '1.5'],
])('%s is exact', (expression, expected) => {
  expect(result(expression)).toBe(expected);
});

test.each<[ordered: string]>([
  [`["", "A", "B", "a", "b", "é", "\uffff", "😀", "😀a", "😁"]`],
  ['["10", "100", "9"]'],
  ['["2026-11-19T23:59:59Z", "2026-11-20", "2026-11-20T00:00:00Z"]'],
])('strings are in the order of their code points everywhere: %s', (text) => {
  const ordered = JSON.parse(text) as string[];
  const literal = `\`${JSON.stringify(ordered.toReversed())}\``;
  const [first, last] = [ordered[0], ordered.at(-1)];
  expect(compileQuery(`sort(${literal})`)({})).toEqual(ordered);
  expect(compileQuery(`sort_by(${literal}[].{s: @}, &s)[].s`)({})).toEqual(ordered);
  expect(compileQuery(`[min(${literal}), max(${literal})]`)({})).toEqual([first, last]);
  expect(compileQuery(`[min_by(${literal}, &@), max_by(${literal}, &@)]`)({})).toEqual([first, last]);
  for (const [at, one] of ordered.entries())
    for (const [other, text] of ordered.entries())
      expect(compileQuery('[a < b, a <= b, a > b, a >= b, a == b]')({ a: one, b: text })).toEqual([
        at < other,
        at <= other,
        at > other,
        at >= other,
        at === other,
      ]);
});

test.each<[expression: string]>([
  ["'a' < `1`"],
  ['`1` >= `null`'],
  ['`true` < `false`'],
  ['`[1]` < `[2]`'],
  ['`{}` <= `{}`'],
  ["missing > 'a'"],
])('%s has no order', (expression) => {
  expect(result(expression)).toBe('null');
});

test('elements with equal keys stay in their order, and the first of them is the largest and the smallest', () => {
  const rows = JSON.stringify([
    { k: 1, n: 'a' },
    { k: 0, n: 'b' },
    { k: 1, n: 'c' },
    { k: 0, n: 'd' },
  ]);
  expect(result('sort_by(@, &k)[].n', rows)).toBe('["b","d","a","c"]');
  expect(result('[max_by(@, &k).n, min_by(@, &k).n]', rows)).toBe('["a","b"]');
});

test.each<[text: string, expected: string]>([
  ...[
    '',
    ' ',
    '0x10',
    '1_000',
    'Infinity',
    '-Infinity',
    'NaN',
    'inf',
    'nan',
    '1,5',
    '--1',
    '1e',
    '.',
    'e5',
    '0b1',
    '1n',
    '１',
  ].map((text): [string, string] => [text, 'null']),
  ['7', '7'],
  [' 7\n', '7'],
  ['+5', '5'],
  ['-0.5', '-0.5'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['1e3', '1000'],
  ['007', '7'],
])('to_number(%j) is %s', (text, expected) => {
  expect(result('to_number(@)', JSON.stringify(text))).toBe(expected);
});

test.each<[expression: string, expected: string]>([
  ["find_first('a😀b😀', '😀')", '1'],
  ["find_last('a😀b😀', '😀')", '3'],
  ["find_first('a😀b😀', '😀', `2`)", '3'],
  ["find_last('a😀b😀', '😀', `0`, `3`)", '1'],
  ["find_first('abc', 'x')", 'null'],
  ["find_first('abc', '')", 'null'],
  ['from_items(`[["a", 1]]`)', '{"a":1}'],
  ['group_by(`[{"k": "constructor"}]`, &k)', '{"constructor":[{"k":"constructor"}]}'],
  ['items(`{"a": 1}`)', '[["a",1]]'],
  ["[lower('AÉ'), upper('aé')]", '["aé","AÉ"]'],
  ["[pad_left('ab', `4`), pad_right('ab', `4`, '-')]", '["  ab","ab--"]'],
  ["[pad_left('', `2`, '0'), pad_left('😀', `2`, '😀')]", '["00","😀😀"]'],
  ["replace('a.b.c', '.', '$&')", '"a$&b$&c"'],
  ["[replace('aaa', 'a', 'aa', `2`), replace('aaa', 'a', 'b', `0`)]", '["aaaaa","aaa"]'],
  ["[split('a,b,c', ','), split('a,b,c', ',', `1`), split('a,b', ',', `5`)]", '[["a","b","c"],["a","b,c"],["a","b"]]'],
  ["[split('a😀', ''), split('', ''), split('', ',')]", '[["a","😀"],[],[""]]'],
  ["[trim(' a b\n'), trim_left(' a '), trim_right(' a ')]", '["a b","a "," a"]'],
  ["[trim('-]a-]', ']-'), trim('  '), trim('😀a😀', '😀')]", '["a","","a"]'],
  ['zip(`[1, 2]`, `["a", "b", "c"]`)', '[[1,"a"],[2,"b"]]'],
  ["[reverse('a😀'), length('a😀'), 'a😀b'[1:], 'a😀b'[::-1]]", '["😀a",2,"😀b","b😀a"]'],
  ['map(&(@ * `2`), `[1, 2]`)', '[2,4]'],
  ['let $x = `2` in map(&(@ * $x), `[1, 2]`)', '[2,4]'],
  ['let $x = `1` in (let $y = `2` in [$x, $y])', '[1,2]'],
  ['`{"a": 1}` | [@, $]', '[{"a":1},{}]'],
])('what only the library has: %s', (expression, expected) => {
  expect(result(expression)).toBe(expected);
});

test.each<[expression: string, value: string, expected: string]>([
  ['[toString, constructor, hasOwnProperty, "__proto__"]', '{}', '[null,null,null,null]'],
  ['"__proto__"', '{"__proto__": 1}', '1'],
  ['{"__proto__": a}', '{"a": 1}', '{"__proto__":1}'],
  ['merge(@, {b: `2`})', '{"__proto__": 1}', '{"__proto__":1,"b":2}'],
  ['@ == `{"toString": null}`', '{"x": null}', 'false'],
])('%s of %s: fields are what the value has', (expression, value, expected) => {
  expect(result(expression, value)).toBe(expected);
});

test.each<[literal: string, expected: string]>([
  ["'a'", '"a"'],
  ["'it\\'s'", '"it\'s"'],
  [String.raw`'\\'`, String.raw`"\\\\"`],
  [String.raw`'\n'`, String.raw`"\\n"`],
  ["'`1`'", '"`1`"'],
  ['`"a\\`b\\`"`', '"a`b`"'],
  ['` [1, 2] `', '[1,2]'],
  ['`"\'"`', '"\'"'],
  ['`{"type": "Function", "name": "none"}`', '{"type":"Function","name":"none"}'],
])('the literal %s', (literal, expected) => {
  expect(result(literal)).toBe(expected);
  expect(result(`{"a'\`": [${literal}, ${literal}]}`)).toBe(`{"a'\`":[${expected},${expected}]}`);
});

test('long integers come back from the thread', async () => {
  const value = parseJson('[12345678901234567890, 9007199254740993]');
  const apply = compileSelection(
    `[sort(@), ${Array(600).fill('sum(map(&(@ + `1`), [@, @, @, @][]))').join(', ')}] | @[:2]`,
  );
  const [first] = await apply(Array(60).fill(value), { signal: AbortSignal.timeout(60_000) });
  expect(exactJson(first)).toBe('[[9007199254740993,12345678901234567890],49418744401957235540]');
});
