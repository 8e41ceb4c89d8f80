/** All data of a store goes into a file and back: the same data, or nothing. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { exportStore, isEmptyStore } from '../../../src/service/data/export.ts';
import { checkedExport, importStore } from '../../../src/service/data/import.ts';
import { openStore, type Store } from '../../../src/service/data/store.ts';
import { Refusal } from '../../../src/service/refusal.ts';
import { FIND_TABLES } from '../../../src/service/schema/versions.ts';
import { served } from '../../support/embedded-service.ts';
import { fillService } from '../../support/filled-service.ts';

const folder = mkdtempSync(join(tmpdir(), 'dtp-transfer-'));
afterAll(() => rmSync(folder, { recursive: true }));

const linesOf = (store: Store): string[] => [...exportStore(store)];

/** Yields the bytes in pieces that do not end with the lines. */
async function* pieces(text: string, size = 1000): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let from = 0; from < bytes.length; from += size) yield bytes.subarray(from, from + size);
}

const read = (store: Store, text: string) => importStore(store, pieces(text), async () => {});

const service = await served();
await fillService(service);
const lines = linesOf(service.store);
const text = lines.join('');
await service.close();

test('an export of an import is the same, byte for byte', async () => {
  const store = openStore(':memory:');
  const sums = await read(store, text);
  expect(linesOf(store).join('')).toBe(text);
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual(sums);
  const tables = store.all("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => name);
  expect(Object.keys(sums).sort()).toEqual(tables.sort());
  expect(Object.values(sums).filter(({ rows }) => rows > 0).length).toBeGreaterThan(25);
});

test('difficult values, long rows and many rows stay the same, and no line has more than a row and a page', async () => {
  const from = openStore(':memory:');
  const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => at % 251));
  for (const position of [0, 1, 2]) from.insert('chunks', { content_id: 'c', position, bytes });
  for (const id of ['', 'a\0b', 'a\0c', '\u2028\n\r"\\', '😀', "'; --"])
    from.insert('schema_store', { id, record: id });
  for (let at = 0; at < 700; at++) from.insert('schema_store', { id: `id-${at}`, record: 'x'.repeat(at) });
  const all = linesOf(from);
  expect(Math.max(...all.map(({ length }) => length))).toBeLessThan(4_100_000);
  expect(all.filter((line) => line.startsWith('["chunks"')).length).toBe(3);
  const to = openStore(':memory:');
  await read(to, all.join(''));
  expect(linesOf(to)).toEqual(all);
  expect(to.get('SELECT hex(id) AS id FROM schema_store WHERE id = ?', 'a\0c')).toEqual({ id: '610063' });
});

test('an export shows one moment, although another process writes', () => {
  const file = join(folder, 'busy.db');
  const [store, other] = [openStore(file), openStore(file)];
  store.insert('schema_store', { id: 'before', record: '' });
  const started = exportStore(store);
  const first = [started.next().value, started.next().value];
  other.insert('schema_store', { id: 'meanwhile', record: '' });
  const rest = [...started].join('');
  expect([first.join('') + rest.includes('before'), rest.includes('meanwhile')]).toEqual([expect.anything(), false]);
  expect(linesOf(store).join('')).toContain('meanwhile');
  other.close();
  store.close();
});

const tables = Object.keys(JSON.parse(lines.at(-1) ?? ''));
const [header = ''] = lines;
const withLine = (line: unknown) => [...lines.slice(0, -1), `${JSON.stringify(line)}\n`, lines.at(-1)].join('');

/** What is wrong with a file, the file, and what is said. */
const hostile: readonly (readonly [string, string, RegExp])[] = [
  ['nothing', '', /not an export/],
  ['another JSON', '{"events":[]}\n', /not an export/],
  ['a document', 'openapi: 3.1.0\ninfo:\n', /not an export/],
  ['another version', text.replace('"version":1', '"version":2'), /version of dtp/],
  ['another schema', text.replace('"schema":1', '"schema":2'), /version of dtp/],
  ['only a header', header, /end is missing/],
  ['a line less at its end', lines.slice(0, -1).join(''), /end is missing/],
  ['half of its last line', text.slice(0, -10), /incomplete/],
  ['half of the file', text.slice(0, text.length / 2), /incomplete/],
  ['a line less in the middle', lines.filter((_, at) => at !== 4).join(''), /refuses|digests/],
  [
    'two lines in the other order',
    [header, lines[1], lines[3], lines[2], ...lines.slice(4)].join(''),
    /refuses|digests/,
  ],
  ['another value', text.replace('"local"', '"remote"'), /digests/],
  ['the same line twice', [...lines.slice(0, 3), ...lines.slice(2)].join(''), /refuses rows of/],
  ['another digest', text.replace(/"sha256":"./, '"sha256":"g'), /digests/],
  ['something after its end', `${text}["meta"]\n`, /after its end/],
  ['no JSON', text.replace('["meta"', '["meta'), /not JSON/],
  ['an unknown table', withLine(['sqlite_master', ['x']]), /does not fit/],
  ['a statement as a table', withLine(['meta (key) VALUES (1); --', ['x', 'y']]), /does not fit/],
  ['a property as a table', withLine(['constructor', []]), /does not fit/],
  ['too few columns', withLine(['meta', ['x']]), /does not fit/],
  ['a row that is not a list', withLine(['meta', 'xy']), /does not fit/],
  ['an unknown type', withLine(['meta', [true, 'x']]), /unknown type/],
  ['a deep value', withLine(['meta', [{ base64: { base64: '' } }, 'x']]), /unknown type/],
  ['another row of the database itself', withLine(['meta', ['9', 'schema']]), /refuses rows of meta/],
  ['a reference to nothing', withLine(['owners', ['no-user', 'no-workspace']]), /refuses rows of owners/],
  ['a number in a column of strings', withLine(['meta', [1, 'x']]), /digests/],
  ['more values than a statement takes', withLine(['meta', ...Array(20_000).fill(['a', 'b'])]), /refuses rows of meta/],
];

describe.each(hostile)('a file with %s', (_, file, reason) => {
  test('is refused, and nothing of it stays', async () => {
    // Neither tables stay nor, if there are tables already, rows.
    for (const [creates, count] of [
      [false, 0],
      [true, tables.length],
    ] as const) {
      const store = openStore(':memory:', undefined, creates);
      await expect(read(store, file)).rejects.toThrow(reason);
      expect([store.all(FIND_TABLES).length, isEmptyStore(store)]).toEqual([count, true]);
      await read(store, text);
      expect(linesOf(store).join('')).toBe(text);
    }
  });
});

/** The bytes that are passed on, and the error at their end. */
async function checked(source: AsyncIterable<Uint8Array>) {
  let passed = '';
  try {
    for await (const chunk of checkedExport(source)) passed += Buffer.from(chunk).toString();
    return { passed, error: undefined };
  } catch (error) {
    return { passed, error };
  }
}

test('a whole export is passed on unchanged', async () => {
  expect(await checked(pieces(text))).toEqual({ passed: text, error: undefined });
});

test('an export that ends anywhere is not passed on as a whole one', async () => {
  for (let at = 0; at < 20; at++) {
    const { passed, error } = await checked(pieces(text.slice(0, Math.floor((text.length * at) / 20))));
    expect([error instanceof Refusal, passed.length < text.length]).toEqual([true, true]);
  }
  const cut = await checked(pieces(text.slice(0, -1)));
  expect([cut.passed.endsWith('}}'), cut.error]).toEqual([false, expect.any(Refusal)]);
});

test.each([
  ['an error of the service', '{"message":"the database cannot be reached"}\n', /not an export/],
  [
    'an error behind rows',
    [...lines.slice(0, 3), '{"message":"the database cannot be reached"}\n'].join(''),
    /digests/,
  ],
  ['another value', text.replace('"local"', '"remote"'), /digests/],
  ['a line less', lines.filter((_, at) => at !== 4).join(''), /digests/],
])('%s is not passed on as an export', async (_, wrong, reason) => {
  const { passed, error } = await checked(pieces(wrong));
  expect([passed.length < wrong.length, String(error)]).toEqual([true, expect.stringMatching(reason)]);
});

test.each([
  ['without tables', false],
  ['without rows', true],
])('a store %s is not exported', (_, creates) => {
  const store = openStore(':memory:', undefined, creates);
  expect(() => linesOf(store)).toThrow('there is no data in :memory:');
  expect(store.all(FIND_TABLES).length).toBe(creates ? tables.length : 0);
});

test('a store whose rows refer to nothing is not exported, because no store would take them', async () => {
  const store = openStore(':memory:');
  await read(store, text);
  store.get('PRAGMA foreign_keys = OFF');
  store.run('DELETE FROM workspaces');
  expect(() => linesOf(store)).toThrow('refers to nothing');
});

test('an import replaces nothing', async () => {
  const store = openStore(':memory:');
  store.insert('schema_store', { id: 'x', record: '' });
  const before = linesOf(store);
  await expect(read(store, text)).rejects.toThrow('there is already data');
  expect(linesOf(store)).toEqual(before);
});

test('a line without an end is not collected forever', async () => {
  const endless = async function* () {
    yield Buffer.from(header);
    for (;;) yield Buffer.alloc(2 ** 24, 'x');
  };
  await expect(importStore(openStore(':memory:'), endless(), async () => {})).rejects.toThrow('a line is too long');
});
