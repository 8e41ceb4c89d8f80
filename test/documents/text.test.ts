/** Documents and references as strings: parsing and writing. */
import { describe, expect, test } from 'vitest';
import { isApiDocument } from '../../src/documents/operations.ts';
import { mayRefer, parseFileReference, pointerTo } from '../../src/documents/pointer.ts';
import { readTree } from '../../src/documents/read-tree.ts';
import { writeTree } from '../../src/documents/tree.ts';

describe('a document is written unchanged, except for comments', () => {
  test('YAML keeps the order of keys, quotes, blocks and numbers', () => {
    const source = [
      "openapi: '3.1.0' # why",
      'info: { title: "yes", version: 1.10, big: 12345678901234567890, hex: 0x1F }',
      'responses:',
      '  default: null',
      '  "404": |',
      '    two',
      '    lines',
      "  '200': >-",
      '    folded',
      "  date: '2025-01-01'",
      '',
    ].join('\n');
    expect(writeTree(readTree(source, 'json').tree, 'yaml')).toBe(
      [
        "openapi: '3.1.0'",
        'info:',
        '  title: "yes"',
        '  version: 1.10',
        '  big: 12345678901234567890',
        '  hex: 0x1F',
        'responses:',
        '  default: null',
        '  "404": |',
        '    two',
        '    lines',
        '  "200": >-',
        '    folded',
        "  date: '2025-01-01'",
        '',
      ].join('\n'),
    );
  });

  test('JSON keeps the order of keys and every digit', () => {
    const source = '{"b":1.10,"200":[12345678901234567890,1e400,-0],"100":{},"__proto__":null,"é":"\\u00e9\\""}';
    expect(writeTree(readTree(source, 'json').tree, 'json').replace(/\n */g, '').replaceAll('": ', '":')).toBe(
      source.replace('\\u00e9', 'é'),
    );
  });

  test('YAML is written as JSON digit by digit', () => {
    const source = 'n: [12345678901234567890, +007, .5, 5., -1.50e+3, 0x1F, 0o17, 0xFFFFFFFFFFFFFFFF, !!float 1, -0]';
    expect(writeTree(readTree(source, 'json').tree, 'json').replace(/[\n ]/g, '')).toBe(
      '{"n":[12345678901234567890,7,0.5,5,-1.50e+3,31,15,18446744073709551615,1,-0]}',
    );
    expect(() => writeTree(readTree('a: .inf', 'any').tree, 'json')).toThrow('has the number .inf, which JSON cannot');
  });

  test.each(['a: .inf', 'a: !!set {x}', 'a: !!binary aGVsbG8=', '~: a', 'a: &a [*a]'])(
    '%s: only a copy is refused',
    (source) => {
      expect(() => readTree(source, 'unique')).not.toThrow();
      expect(() => readTree(source, 'json')).toThrow(/ at line 1/);
    },
  );

  test('a duplicate key is rejected by the strict parser, otherwise the last one counts', () => {
    expect(() => readTree('a: 1\na: 2\n', 'unique')).toThrow('has the key "a" a second time at line 2');
    expect(writeTree(readTree('a: 1\na: 2\n', 'any').tree, 'json')).toBe('{\n  "a": 2\n}\n');
  });
});

test.each([
  ['{"$ref":"#/a"}', false],
  ["$ref: '#/a'", false],
  ['{"$ref" : "a.json"}', true],
  ['$ref: ./a.yaml', true],
  ['? $ref\n: ./a.yaml', true],
  ['$ref: # a comment\n  ./a.yaml', true],
  ['"$ref":\n  >-\n  a.yaml', true],
  ['{"discriminator":{"mapping":{"cat":"cat.json"}}}', true],
  ['a mapping of $refs', false],
])('%j may refer: %j', (text, expected) => {
  expect(mayRefer(text)).toBe(expected);
});

test.each([
  ['a/b.yaml#/x~1y~01/%7Bid%7D', { path: 'a/b.yaml', keys: ['x/y~1', '{id}'] }],
  ['%2e%2e/b%20c', { path: '../b c', keys: [] }],
  ['b.yaml?x=1#', { path: 'b.yaml', keys: [] }],
  ['#/%7E1', { path: '', keys: ['/'] }],
  ['x#anchor', { path: 'x', keys: undefined }],
  ['%zz', { path: '%zz', keys: [] }],
  ['https://x/y', undefined],
  ['', undefined],
])('the reference %s is parsed', (text, expected) => {
  expect(parseFileReference(text)).toEqual(expected);
});

test.each([
  [[], '#'],
  [['paths', '/a/{b}', 'x~y', ''], '#/paths/~1a~1%7Bb%7D/x~0y/'],
  [['100 %', '#é[]'], '#/100%20%25/%23%C3%A9%5B%5D'],
])('the pointer to %j', (keys, expected) => {
  expect(pointerTo(keys)).toBe(expected);
  expect(parseFileReference(expected)?.keys).toEqual(keys);
});

test.each<[object, boolean]>([
  [{ openapi: 3 }, true],
  [{ openapi: 3.1 }, true],
  [{ openapi: '3.0.3' }, true],
  [{ swagger: 2 }, true],
  [{ swagger: '2.0' }, true],
  [{ openapi: 4 }, false],
  [{ openapi: '3' }, false],
  [{ swagger: 1.2 }, false],
  [{}, false],
])('%j is an API document: %j', (document, expected) => {
  expect(isApiDocument({ ...document })).toBe(expected);
});
