/** The file of the store: shared by processes, private to the user, and persistent. */
import { execFile } from 'node:child_process';
import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openStore } from '../../../src/service/data/store.ts';
import { firstKey, seed } from '../../../src/service/tenancy/seed.ts';
import { bundle } from '../../support/bundled.ts';
import { served } from '../../support/embedded-service.ts';
import { removeFolder } from '../../support/folders.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dtp-test-'));
});
afterEach(() => removeFolder(folder));

test('two open stores see the same data, and the second seed does nothing', () => {
  const file = join(folder, 'new', 'service.db');
  const [one, two] = [openStore(file), openStore(file)];
  seed(one, new Date(0));
  seed(two, new Date(1));
  expect(firstKey(two)).toEqual(firstKey(one));
  one.run("INSERT INTO meta (key, value) VALUES ('a', 'b')");
  expect(two.get("SELECT value FROM meta WHERE key = 'a'")).toEqual({ value: 'b' });
  expect(two.all('SELECT id FROM workspaces')).toHaveLength(1);
  expect(statSync(file).mode & 0o077).toBe(0);
  one.close();
  two.close();
});

test.each([
  ['abort', undefined],
  ['ignore', { workspace_id: 'w', namespace: 'n', digest: 'd', since: '1' }],
  ['replace', { workspace_id: 'w', namespace: 'n', digest: 'd', since: '2' }],
  ['update since', { workspace_id: 'w', namespace: 'n', digest: 'd', since: '2' }],
] as const)('%s decides what a second row with the same key does', (existing, row) => {
  const store = openStore(':memory:');
  const key = { workspace_id: 'w', namespace: 'n', digest: 'd' };
  expect(store.insert('loose_blobs', { ...key, since: '1' })).toBe(1);
  const again = () => store.insert('loose_blobs', { ...key, since: '2' }, existing);
  if (row) expect(again()).toBe(existing === 'ignore' ? 0 : 1);
  else expect(again).toThrow(/UNIQUE/);
  expect(store.find('loose_blobs', key)).toEqual(row ?? { ...key, since: '1' });
  expect(store.update('loose_blobs', { digest: 'other' }, { since: '3' })).toBe(0);
  expect(store.update('loose_blobs', { digest: 'd' }, { since: '3' })).toBe(1);
  expect(store.list('loose_blobs', { since: '3' }, 'digest')).toMatchObject([key]);
  expect(store.delete('loose_blobs', key)).toBe(1);
  store.close();
});

test('processes that open a new store at once agree on its key', async () => {
  const script = join(folder, 'seed.mjs');
  await bundle(
    `import { openStore } from './src/service/data/store.ts';
    import { firstKey, seed } from './src/service/tenancy/seed.ts';
    const store = openStore(process.argv[2]);
    seed(store, new Date(0));
    console.log(firstKey(store).key);`,
    script,
  );
  const file = join(folder, 'service.db');
  const run = async () => (await promisify(execFile)(process.execPath, [script, file])).stdout;
  const keys = await Promise.all(Array.from({ length: 8 }, run));
  expect(new Set(keys).size).toBe(1);
  expect(keys[0]).toMatch(/^dtp_[0-9a-f]{64}\n$/);
});

/** Only a power cut would lose data without this, not a killed process. */
test('each commit is synced to the disk', () => {
  const store = openStore(join(folder, 'synced.db'));
  expect(store.get('PRAGMA synchronous')).toMatchObject({ synchronous: 2 });
  expect(store.get('PRAGMA journal_mode')).toMatchObject({ journal_mode: 'wal' });
  store.close();
});

test('data is still there after a restart', async () => {
  const file = join(folder, 'service.db');
  const one = await served(file);
  await one.call('POST', '/v1/workspace', { json: { name: 'Kept' } });
  await one.close();
  const two = await served(file);
  expect(two.key).toBe(one.key);
  expect((await two.call('GET', '/v1/workspaces')).json[1].name).toBe('Kept');
  await two.close();
});

test('more rows than fit into memory are refused, and keep nobody from writing', () => {
  const file = join(folder, 'service.db');
  const [one, two] = [openStore(file), openStore(file)];
  for (let position = 0; position < 9; position++)
    one.insert('chunks', { content_id: 'a', position, bytes: Buffer.alloc(2 ** 20) });
  one.run("INSERT INTO schema_store SELECT 'i' || position, printf('%.*c', 1048576, 'x') FROM chunks");
  const refused = 'there are more than 8 MiB of these records: delete some of them';
  for (const table of ['chunks', 'schema_store']) {
    expect(() => one.all(`SELECT * FROM ${table}`)).toThrow(refused);
    two.run(`DELETE FROM ${table} WHERE rowid % 2 = 0`);
    expect(one.all(`SELECT * FROM ${table}`).length).toBe(5);
  }
  one.close();
  two.close();
});
