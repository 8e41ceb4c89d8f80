/** Rows that are lists, such as those of `--query '[].[a, b]'`, are columns in CSV and TSV. */
import { expect, test } from 'vitest';
import { csv, tsv } from '../../src/render/delimited.ts';
import type { View } from '../../src/render/fields.ts';

test.each([
  [
    'lists',
    [
      ['a', 1, null],
      ['b,c', true, { d: 1 }],
    ],
    'a,1,\n"b,c",true,"{""d"":1}"\n',
    'a\t1\t\nb,c\ttrue\t{"d":1}\n',
  ],
  ['lists with different lengths', [['a'], ['b', 'c']], 'a\nb,c\n', 'a\nb\tc\n'],
  ['lists and others', [['a', 'b'], 'c'], '"[""a"",""b""]"\nc\n', '["a","b"]\nc\n'],
])('%s', async (_, rows, asCsv, asTsv) => {
  const view = {} as View;
  expect((await csv(rows, view)).join('')).toBe(asCsv);
  expect((await tsv(rows, view)).join('')).toBe(asTsv);
});
