/** `-F` and `-f`: paths in a body, values, and invalid assignments. */
import { describe, expect, it } from 'vitest';
import { assign, decodeTyped, parseAssignment } from '../../src/input/assignments.ts';

function bodyOf(assignments: readonly string[], body: unknown = {}): unknown {
  for (const one of assignments) {
    const assignment = parseAssignment(one, '-F');
    assign(body, assignment, decodeTyped(assignment.text, '-F'), '-F');
  }
  return body;
}

describe('paths', () => {
  it.each<[readonly string[], unknown]>([
    [['a=x'], { a: 'x' }],
    [['a.b.c=x', 'a.d=y'], { a: { b: { c: 'x' }, d: 'y' } }],
    [['a[]=1', 'a[]=2'], { a: [1, 2] }],
    [['a[].id=1', 'a[].name=x', 'a[].id=2'], { a: [{ id: 1, name: 'x' }, { id: 2 }] }],
    [['a[].b.c=1', 'a[].b.d=2', 'a[].b.c=3'], { a: [{ b: { c: 1, d: 2 } }, { b: { c: 3 } }] }],
    [['a[].tags[]=x', 'a[].tags[]=y', 'a[].id=1', 'a[].id=2'], { a: [{ tags: ['x', 'y'], id: 1 }, { id: 2 }] }],
    [['a[][]=1', 'a[][]=2'], { a: [[1], [2]] }],
    [['a=x', 'a=y'], { a: 'y' }],
    [['a.b=x=y=z'], { a: { b: 'x=y=z' } }],
    [['a='], { a: '' }],
    [['a\\.b=1', 'c\\[\\]=2', 'd\\=e=3', 'f\\\\=4'], { 'a.b': 1, 'c[]': 2, 'd=e': 3, 'f\\': 4 }],
    [['é ü=1'], { 'é ü': 1 }],
    [['a=line\nbreak'], { a: 'line\nbreak' }],
  ])('%j', (given, expected) => {
    expect(bodyOf(given)).toEqual(expected);
  });

  it('set fields of existing values', () => {
    expect(bodyOf(['a.b=2', 'c[]=3'], { a: { b: 1, x: 1 }, c: [1] })).toEqual({
      a: { b: 2, x: 1 },
      c: [1, 3],
    });
  });

  it('may have any name, without side effects', () => {
    const body = bodyOf(['__proto__.evil=1', 'constructor.prototype.evil=2']);
    expect(JSON.stringify(body)).toBe('{"__proto__":{"evil":1},"constructor":{"prototype":{"evil":2}}}');
    expect(({} as { evil?: unknown }).evil).toBeUndefined();
  });

  it.each(['', '=', '=x', 'a', '.a=1', 'a.=1', 'a..b=1', '[]=1', 'a[0]=1', 'a[=1', 'a]=1', 'a[]b=1', 'a[b]=1'])(
    '%j is invalid',
    (given) => {
      expect(() => parseAssignment(given, '-F')).toThrow(/^-F must be NAME=VALUE/);
    },
  );

  it.each<[readonly string[], unknown, string]>([
    [['a=1', 'a.b=2'], {}, '-F a.b: a is not an object'],
    [['a=1', 'a[]=2'], {}, '-F a[]: a is not a list'],
    [['a[]=1', 'a.b=2'], {}, '-F a.b: a is not an object'],
    [['a=1'], [], '-F a: the body is not an object'],
    [['a=1'], 'text', '-F a: the body is not an object'],
  ])('%j over %j', (given, body, message) => {
    expect(() => bodyOf(given, body)).toThrow(message);
  });
});

it.each<[string, unknown]>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['0', 0],
  ['-12', -12],
  ['1.50', 1.5],
  ['1e3', 1000],
  ['9007199254740991', 9007199254740991],
  ...['', ' 1', '01', '1.', '.5', '+1', '0x1', '1_000', 'True', 'NaN', 'Infinity', '2026-01-31', '"x"', '{}'].map(
    (text): [string, unknown] => [text, text],
  ),
])('%j is %j', (text, expected) => {
  expect(decodeTyped(text, '-F')).toBe(expected);
});

it.each(['9007199254740993', '-99999999999999999999', '1e999'])('%s cannot be represented exactly', (text) => {
  expect(() => decodeTyped(text, '-F')).toThrow(`-F: ${text} cannot be represented exactly as a number`);
});
