/** A list in a request, which is parsed in parts: they are what parseJson makes of the whole, or both refuse it. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/request/json.ts';
import { partsOfBody } from '../../../src/service/http/json.ts';
import { Refusal } from '../../../src/service/refusal.ts';
import { property } from '../../support/property.ts';

const read = (text: string): unknown[] | string => {
  try {
    const parts = partsOfBody(Buffer.from(text))?.();
    return parts ? [...parts].flat() : 'not a list';
  } catch (error) {
    if (error instanceof Refusal) return `${error.status} ${error.message}`;
    throw error;
  }
};

const parsed = (text: string): unknown => {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
};

const long = Array.from({ length: 2500 }, (_, at) => ({ at, text: `],[{"\\ ${at}` }));

describe('lists', () => {
  test.each([
    ['[]'],
    [' [ ] '],
    ['[1]'],
    ['[1,2 , 3]\n'],
    ['[[],{},[[]],{"a":[1,{"b":"],["}]}]'],
    ['["\\"],[", "\\\\"]'],
    [JSON.stringify(long)],
    [JSON.stringify(long, null, 2)],
  ])('%.40s is what JSON.parse reads', (text) => {
    expect(read(text)).toEqual(JSON.parse(text));
  });

  test('a long list comes in parts of at most 1,000 elements', () => {
    const parts = partsOfBody(Buffer.from(JSON.stringify(long)));
    for (const _ of [1, 2]) expect([...(parts?.() ?? [])].map(({ length }) => length)).toEqual([1000, 1000, 500]);
  });

  test('so does one of 3 MiB', () => {
    const text = JSON.stringify(Array.from({ length: 30 }, () => 'x'.repeat(100_000)));
    expect([...(partsOfBody(Buffer.from(text))?.() ?? [])].map(({ length }) => length)).toEqual([11, 11, 8]);
  });
});

describe('invalid JSON', () => {
  const thousand = '1,'.repeat(1000);
  test.each(
    ['[', '[1', '[1,', '[1,]', '[,1]', '[,]', '[1]]', '[1]x', '[1}', '[{"a":1]', '[1 2]', '["a]', '[nul]', '[1],[2]']
      .concat([`[${thousand}]`, `[${thousand}`, `[${thousand}1`, `[${thousand}1]2`, `[${thousand},1]`, '[1]\0'])
      .map((text) => [text]),
  )('%.20s is refused', (text) => {
    expect(parsed(text)).toBeUndefined();
    expect(read(text)).toMatch(/^400 the body is not valid JSON: /);
  });

  const sign = fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', ' ');
  property(
    'any list, and any change of one character, is read like parseJson reads it',
    [fc.array(fc.jsonValue()), fc.nat(), sign],
    (list, at, other) => {
      const text = JSON.stringify(list);
      const place = at % text.length;
      for (const each of [text, `[${text.slice(1, place)}${other}${text.slice(place + 1)}`]) {
        const [own, whole] = [read(each), parsed(each)];
        if (whole === undefined) expect(own).toMatch(/^400 /);
        else expect(own).toEqual(whole);
      }
    },
  );
});

test.each([
  ['deep', `[1,${'['.repeat(501)}${']'.repeat(501)}]`, '400 body[1] is nested deeper than 500'],
  ['with many values', `[1,[${'1,'.repeat(10_000)}1]]`, '413 body[1] has more than 10000 values'],
  ['large', `[1,"${'x'.repeat(1024 * 1024)}"]`, '413 body[1] is larger than 1048576 bytes'],
  ['with half of a surrogate pair', '["\\ud800"]', '400 the body contains half of a surrogate pair'],
])('an element that is %s is refused', (_, text, refusal) => {
  expect(read(text)).toBe(refusal);
});

test.each(['', ' ', '{}', '"[1]"', '1', 'null'])('%j is not a list', (text) => {
  expect(read(text)).toBe('not a list');
});
