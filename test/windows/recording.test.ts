/** The comparison of recordings finds every difference but random values. */
import { expect, test } from 'vitest';
import { comparer } from '../support/recording.ts';

const [a, b, c] = ['0123456789abcdef', '123456789abcdef0', '23456789abcdef01'];

test.each([
  ['equal strings', [['made x', 'made x']]],
  [
    'random ids in the same places',
    [
      [`made ${a}`, `made ${b}`],
      [`deleted ${a}`, `deleted ${b}`],
    ],
  ],
  ['times and ports', [['at 2026-01-31T12:00:00.000Z in 3 ms', 'at 2026-01-31T12:00:07Z in 1.2 s']]],
  ['the width of a column', [['TOOK     ID', 'TOOK  ID']]],
])('%s: equal', (_, texts) => {
  const differenceOf = comparer();
  expect(texts.map(([one = '', other = '']) => differenceOf(one, other))).toEqual(texts.map(() => undefined));
});

test.each([
  ['another word', [['made x', 'made y']]],
  ['a missing word', [['made x', 'made']]],
  [
    'another id in a later place',
    [
      [`made ${a}`, `made ${b}`],
      [`deleted ${a}`, `deleted ${c}`],
    ],
  ],
  [
    'one id in the places of two',
    [
      [`made ${a}`, `made ${b}`],
      [`deleted ${c}`, `deleted ${b}`],
    ],
  ],
  ['an id instead of a time', [['at 2026-01-31T12:00:00Z', `at ${a}`]]],
  ['a missing id', [[`made ${a}`, 'made ']]],
  ['an exit code', [['"code":0', '"code":1']]],
])('%s is a difference', (_, texts) => {
  const differenceOf = comparer();
  expect(texts.map(([one = '', other = '']) => differenceOf(one, other)).at(-1)).toMatch(/ became /);
});
