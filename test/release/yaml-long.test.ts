/** YAML of lists that are written in blocks: it parses back equal, in linear time. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { blockSize } from '../../src/render/blocks.ts';
import { yaml } from '../../src/render/yaml.ts';
import { seed } from '../support/random.ts';

const written = async (value: unknown) => [await yaml(value)].flat().join('');
const rows = (count: number) => Array.from({ length: count }, (_, id) => ({ id, tags: ['a', 'b'], text: 'x\n\n y\n' }));

test.each([
  ['a list', rows(blockSize + 1)],
  ['a list in a field', { items: rows(2 * blockSize + 1), next: 'p2' }],
  ['two such fields', { first: rows(blockSize + 1), small: [1], second: rows(blockSize + 1) }],
  ['a field with a name that needs quotes', { 'no: ': rows(blockSize + 1), 'a b': 1 }],
  ['a list of multi-line strings', { items: Array.from({ length: blockSize + 1 }, () => ' a\n\n\tb \n c') }],
])('%s in blocks parses back equal', async (_, value) => {
  expect(parse(await written(value))).toEqual(value);
});

test('a list of 100,000 rows takes linear time', async () => {
  const value = { items: rows(100_000) };
  const text = await written(value);
  expect(text.split('\n').filter((line) => line.startsWith('  - id: '))).toHaveLength(100_000);
});

test('whatever the rows contain, a long field parses back equal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), fc.jsonValue(), async (key, row) => {
      const value = { [key]: Array.from({ length: blockSize + 1 }, () => row) };
      expect(parse(await written(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
    { seed, numRuns: 20 },
  );
});
