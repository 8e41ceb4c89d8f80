/** The store on a libSQL server: what the server does in other ways than SQLite with a file. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemCode } from '../../../src/caught.ts';
import { openStore, type Store } from '../../../src/service/data/store.ts';
import { openRemote } from '../../support/remote-store.ts';
import { hasSqld, openSqld, type Sqld } from '../../support/sqld.ts';

let sqld: Sqld;
let store: Store;
const open = () => openRemote({ url: sqld.url });
beforeAll(async () => {
  if (!hasSqld) return;
  sqld = await openSqld();
  store = open();
});
beforeEach(() => {
  if (hasSqld) store.run('DELETE FROM meta WHERE key <> ?', 'schema');
});
afterAll(() => sqld?.remove());
const slow = test.skipIf(!hasSqld);

const add = (key: string, value = key) => store.insert('meta', { key, value });
const keys = (from = store) =>
  from.all("SELECT key AS name FROM meta WHERE key <> 'schema' ORDER BY key").map(({ name }) => name);
const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return systemCode(error);
  }
  return 'no error';
};

slow('a statement that ran outside of a transaction does not end the transaction in which it runs next', () => {
  add('outside');
  store.transaction(() => {
    add('a');
    add('b');
    // The transaction has not been committed.
    expect(keys(open())).toEqual(['outside']);
  });
  expect(keys()).toEqual(['a', 'b', 'outside']);
  const undone = () =>
    store.transaction(() => {
      add('c');
      store.delete('meta', { key: 'outside' });
      throw new Error('undo');
    });
  expect(undone).toThrow('undo');
  expect(keys()).toEqual(['a', 'b', 'outside']);
});

slow.for<readonly [code: string, fault: () => unknown]>([
  ['SQLITE_CONSTRAINT', () => add('a')],
  ['SQLITE_ERROR', () => store.run('SELECT FROM meta')],
  ['SQLITE_TOOBIG', () => add('large', 'x'.repeat(6_000_000))],
])('after %s in a transaction, another connection can write at once', ([code, fault]) => {
  const other = open();
  const failed = () =>
    store.transaction(() => {
      add('a');
      fault();
    });
  expect(codeOf(failed)).toBe(code);
  const start = performance.now();
  other.insert('meta', { key: 'other', value: '' });
  // The server would wait for 5 s if the transaction went on.
  expect(performance.now() - start).toBeLessThan(4000);
  expect(keys()).toEqual(['other']);
});

slow('a transaction that takes longer than the server allows stores nothing', () => {
  const other = open();
  const late = () =>
    store.transaction(() => {
      add('a');
      // The server waits for the end of the transaction, up to 5 s.
      other.insert('meta', { key: 'other', value: '' });
      add('b');
    });
  expect(late).toThrow();
  expect(keys()).toEqual(['other']);
});

slow('rows of more than the server takes in one value are stored together', () => {
  const rows = Array.from({ length: 20 }, (_, at) => [`key ${at}`, 'ü'.repeat(400_000)]);
  const sql = 'INSERT INTO meta (key, value) ROWS ON CONFLICT DO NOTHING';
  expect(store.insertRows(sql, rows)).toBe(20);
  expect(store.insertRows(sql, rows)).toBe(0);
  expect(store.insertRows(sql, [])).toBe(0);
  expect(store.get('SELECT sum(length(value)) AS sum FROM meta WHERE key <> ?', 'schema')?.sum).toBe(8_000_000);
});

slow('values are the same as in a file', () => {
  const file = openStore(':memory:');
  const bytes = [Uint8Array.of(0, 255), Buffer.from('pooled'), new Uint8Array(0)];
  for (const value of [null, '', 'ü😀', 'half \ud800', 0, -1, 1.5, 2 ** 53, 10n ** 15n, ...bytes]) {
    const read = (from: Store) => from.get('SELECT ?1 AS value, typeof(?1) AS type', value);
    expect(read(store), String(value)).toEqual(read(file));
  }
  expect(store.get('SELECT ? AS value', 'a\0b')).toEqual({ value: 'a\0b' });
  file.close();
});

slow('a connection that has ended is replaced, but not within a transaction', async () => {
  add('before');
  await sqld.start();
  add('after');
  const { commit, rollBack } = store.begin('IMMEDIATE');
  add('lost');
  await sqld.start();
  expect(() => add('late')).toThrow();
  expect(commit).toThrow();
  rollBack();
  expect(keys()).toEqual(['after', 'before']);
});
