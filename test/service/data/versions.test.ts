/** Versions of the tables: a store is brought up to date once, and one that is newer is left alone. */
import { createHash } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../../src/service/data/store.ts';
import { FIND_TABLES, latestVersion, versionOf, versions } from '../../../src/service/schema/versions.ts';
import { removeFolder } from '../../support/folders.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dtp-test-'));
});
afterEach(() => removeFolder(folder));

/** The next version has another column in one table. */
const next = {
  tables: versions.tables.map((sql) =>
    sql.replace('(key TEXT PRIMARY KEY, value', '(key TEXT PRIMARY KEY, more, value'),
  ),
  changes: [...versions.changes, ['ALTER TABLE meta ADD COLUMN more']],
};

// If this fails, add the statements that lead to the new tables to `changes` in versions.ts, and then change this test.
test('the tables of the latest version are these', () => {
  const digest = createHash('sha256').update(versions.tables.join(';')).digest('hex');
  expect([latestVersion(), digest.slice(0, 12)]).toEqual([1, '6db447203ce9']);
});

test('a file of an older version is brought up to date, once, and keeps its rows', () => {
  const file = join(folder, 'service.db');
  const old = openStore(file);
  old.insert('meta', { key: 'a', value: 'b' });
  // Files have not always had a version.
  old.delete('meta', { key: 'schema' });
  old.close();
  for (const _ of [1, 2]) {
    const store = openStore(file, next);
    expect(store.find('meta', { key: 'a' })).toEqual({ key: 'a', value: 'b', more: null });
    expect(store.find('meta', { key: 'schema' })?.value).toBe(String(latestVersion(next)));
    store.close();
  }
});

test('a file of a newer version, or of something else, is refused and not changed', () => {
  const file = join(folder, 'service.db');
  openStore(file, next).close();
  const open = () => openStore(file);
  expect(open).toThrow('its tables have version 2, but this version of dtp only knows versions up to 1');
  const store = openStore(file, next);
  store.update('meta', { key: 'schema' }, { value: 'other' });
  store.close();
  expect(() => openStore(file, next)).toThrow('it has tables of something else');
  expect(open).toThrow('it has tables of something else');
});

test.each([[true], [false]])('a file with only tables of something else is refused', (creates) => {
  const file = join(folder, 'service.db');
  const other = openStore(file, { tables: ['CREATE TABLE other (x)', ...next.tables], changes: [] });
  for (const { name } of other.all(FIND_TABLES)) if (name !== 'other') other.run(`DROP TABLE ${name}`);
  other.close();
  expect(() => openStore(file, versions, creates)).toThrow('it has tables of something else');
});

test('a new file of a later version has its tables and its number', () => {
  const store = openStore(':memory:', next);
  expect(store.find('meta', { key: 'schema' })).toEqual({ key: 'schema', more: null, value: '2' });
  store.close();
});

test.each([
  [[], undefined, 0],
  [['meta'], '1', 1],
  [['meta'], '12', 12],
  [['meta'], 'abc', Number.NaN],
  [['meta'], '0', Number.NaN],
  [['other'], undefined, Number.NaN],
])('tables %j and the row %s are version %d', (tables, row, version) => {
  expect(versionOf(tables, row)).toBe(version);
});
