/** What `--query` says about an expression that is invalid or fails. */
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { compileQuery } from '../../src/expressions/query.ts';
import { message } from '../support/query.ts';

const names =
  'abs avg ceil contains ends_with find_first find_last floor from_items group_by items join keys length lower map max max_by merge min min_by not_null pad_left pad_right replace reverse sort sort_by split starts_with sum to_array to_number to_string trim trim_left trim_right type upper values zip'.split(
    ' ',
  );

test.each(names)('%s() refuses other arguments in words', (name) => {
  expect(message(`${name}()`)).toMatch(
    new RegExp(`^${name}\\(\\) takes (at least \\d|\\d to \\d|\\d) arguments?, not 0$`),
  );
  expect(message(`${name}(${Array(9).fill('&a').join(', ')})`)).toMatch(
    new RegExp(`^${name}\\(\\) takes \\d.*, not 9$|^argument 1 of ${name}\\(\\) must be .+, not an expression$`),
  );
});

test.each<[expression: string, message: string]>([
  ['', 'the expression is incomplete'],
  ['a.b.', 'the expression is incomplete'],
  ['a[', 'the expression is incomplete'],
  ['(a', 'the expression is incomplete'],
  ['length(a', 'the expression is incomplete'],
  ['a)', 'unexpected ")"'],
  ['[a,]', 'unexpected "]"'],
  ['{a}', 'unexpected "}"'],
  ['length(a,)', 'unexpected ")" after ","'],
  ['a # b', 'unexpected "#"'],
  ['a b', 'a comma or an operator is missing in front of "b"'],
  ["[a 'b']", 'a comma or an operator is missing in front of a literal'],
  ['join(`","` id)', 'a comma or an operator is missing in front of "id"'],
  ['@@', 'a comma or an operator is missing in front of "@"'],
  ['[?n > 5]', 'unexpected number: outside of [ ], write it in backquotes, such as `5`'],
  ["[?id = 'w_1']", 'unexpected "="; use "==" to compare'],
  ["'a", "a ' is not closed"],
  ['`1', 'a ` is not closed'],
  ['"a', 'a " is not closed'],
  [String.raw`"\x"`, String.raw`the name "\x" is not a valid JSON string`],
  ['`petstore`', "`petstore` is not valid JSON; a string is written '…'"],
  [`\`${'9'.repeat(1001)}\``, 'a literal contains a number with 1001 digits, which is too long'],
  ['[0-1]', '0-1 is not a number'],
  ['[--1]', '--1 is not a number'],
  ['&a', '"&" can only start an argument of a function'],
  ['[&a]', '"&" can only start an argument of a function'],
  ['let $x in $x', '"let" needs variables with values, such as $x = id'],
  ['none(a)', 'unknown function none()'],
  ['constructor(a)', 'unknown function constructor()'],
  ['"length"(a)', 'the syntax is not valid'],
])('%s is refused before anything is sent: %s', (expression, expected) => {
  expect(() => compileQuery(expression)).toThrow(DtpError);
  expect(message(expression)).toBe(expected);
});

test.each<[expression: string, message: string]>([
  ['length(`1`)', 'argument 1 of length() must be a string or an array or an object, not a number'],
  [
    'sum(`[1, "a", null]`)',
    'argument 1 of sum() must be an array of numbers, not an array of numbers and strings and nulls',
  ],
  [
    'sort(`[1, "a"]`)',
    'argument 1 of sort() must be an array of strings or an array of numbers, not an array of numbers and strings',
  ],
  [
    'sort_by(`[{"a": 1}, {}]`, &a)',
    'the keys of sort_by() must be all numbers or all strings, not an array of numbers and nulls',
  ],
  [
    'max_by(`[{"a": 1}, {"a": "b"}]`, &a)',
    'the keys of max_by() must be all numbers or all strings, not an array of numbers and strings',
  ],
  ['group_by(`[{}]`, &a)', 'the keys of group_by() must be strings, not null'],
  ['merge(`{}`, `1`)', 'argument 2 of merge() must be an object, not a number'],
  ["pad_left('a', `-1`)", 'argument 2 of pad_left() must be an integer of at least 0, not a number'],
  ['to_string(&a)', 'argument 1 of to_string() must be a value, not an expression'],
  ['`1` / `0`', 'a number is divided by zero'],
  ['`1` % `0`', 'a number is divided by zero'],
  ['`9007199254740993` // `0`', 'a number is divided by zero'],
  ['`1e308` * `10`', 'a number is too large'],
  ["to_number('1e999')", 'a number is too large'],
  [`to_number('${'9'.repeat(1001)}')`, 'an integer has more than 1000 digits'],
  [`\`${'9'.repeat(600)}\` * \`${'9'.repeat(600)}\``, 'an integer has more than 1000 digits'],
  ['missing + `1`', 'an operand of an arithmetic operator must be a number, not null'],
  ['$x', 'the variable $x is not defined'],
  ['`[1]`[::0]', 'the step of a slice must not be 0'],
])('%s fails in words', (expression, expected) => {
  expect(message(expression)).toBe(expected);
});

test.each<[what: string, expression: string]>([
  ['a literal', `\`${'['.repeat(30_000)}${']'.repeat(30_000)}\``],
  ['lists', Array(3000).fill('[@]').join(' | ')],
  ['records', Array(3000).fill('{a: @}').join(' | ')],
  ['a list around a literal', `[\`${'['.repeat(1001)}${']'.repeat(1001)}\`]`],
])('a result is nested too deeply to be printed: %s', (_, expression) => {
  expect(message(expression)).toBe('the expression or its input is nested too deeply, or has too long a list');
});

test('a result may be nested as deeply as a short expression can nest it', () => {
  expect(message(Array(200).fill('[@]').join('|'))).toBe(`${'['.repeat(200)}{}${']'.repeat(200)}`);
  expect(message(`${' '.repeat(1001)}[@]`)).toBe('[{}]');
});
