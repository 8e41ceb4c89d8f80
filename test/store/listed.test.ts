/** The lists that completions cache: valid for a minute, and only under their key. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keepListed, readCachedValues } from '../../src/store/listed.ts';
import { temporaryFolder } from '../support/context.ts';

const rows = [
  { value: 'w1', help: 'acme' },
  { value: 'w2', help: '' },
];

test('a cached list can be read for a minute, and under no other key', async () => {
  const folder = temporaryFolder();
  await keepListed(folder, 'workspaces', 1000, rows);
  expect(readCachedValues(folder, 'workspaces', 1000)).toEqual(rows);
  expect(readCachedValues(folder, 'workspaces', 60_999)).toEqual(rows);
  expect(readCachedValues(folder, 'workspaces', 61_000)).toBeUndefined();
  expect(readCachedValues(folder, 'workspaces', 999)).toBeUndefined();
  expect(readCachedValues(folder, 'tags', 1000)).toBeUndefined();
});

const odd: readonly (readonly [what: string, text: string, read: unknown])[] = [
  ['not JSON', '{', undefined],
  ['not an object', '[]', undefined],
  ['null', 'null', undefined],
  ['no rows', JSON.stringify({ of: 'tags', at: 1000 }), undefined],
  ['rows that are not a list', JSON.stringify({ of: 'tags', at: 1000, rows: { length: 1 } }), undefined],
  ['a time that is not a number', JSON.stringify({ of: 'tags', at: '1000', rows }), undefined],
  [
    'rows of another shape',
    JSON.stringify({ of: 'tags', at: 1000, rows: [null, 'x', { value: 5, help: '' }, ...rows] }),
    rows,
  ],
];

test.each(odd)('a file with %s', async (_, text, read) => {
  const folder = temporaryFolder();
  await keepListed(folder, 'tags', 1000, rows);
  const [file = ''] = readdirSync(folder);
  writeFileSync(join(folder, file), text);
  expect(readCachedValues(folder, 'tags', 1000)).toEqual(read);
});
