/** `dtp data` with damaged, locked, full and ended files and servers: exit code 0 only with data that imports whole. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import Database from 'libsql';
import { afterAll, expect, test } from 'vitest';
import { served } from '../support/embedded-service.ts';
import { fillService } from '../support/filled-service.ts';
import { dtp, home } from '../support/process.ts';
import { hasSqld, openSqld } from '../support/sqld.ts';

const { folder, remove } = home();
afterAll(remove);
mkdirSync(join(folder, 'data'));
const filled = await served(join(folder, 'data', 'service.db'));
await fillService(filled);
filled.store.get('PRAGMA wal_checkpoint(TRUNCATE)');
await filled.close();

const run = (argv: readonly string[], stdin?: string) => dtp(folder, ['data', ...argv], stdin ? { stdin } : {});
const backup = join(folder, 'backup.jsonl');
expect((await run(['export', backup])).code).toBe(0);
const whole = readFileSync(backup);
const store = readFileSync(join(folder, 'data', 'service.db'));

const places = Array.from({ length: 20 }, (_, at) => (at + 0.5) / 20);
const at = (bytes: Buffer, place: number) => Math.floor(bytes.length * place);
let count = 0;
const fresh = () => join(folder, `place-${count++}`);

/** Writes a store with this content, and returns its folder. */
function storeOf(content: Uint8Array): string {
  const data = fresh();
  mkdirSync(data);
  writeFileSync(join(data, 'service.db'), content);
  return data;
}

/** Runs the tool with a limit for the size of a file in blocks of 512 bytes, and its output in a file. */
async function limited(blocks: number, argv: readonly string[], out = fresh()) {
  const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');
  const line = `trap '' XFSZ; ulimit -f ${blocks}; exec "$@"`;
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    DTP_DATA_DIR: join(folder, 'data'),
    DTP_STATE_DIR: '/dev/null/no',
  };
  const words = ['-c', line, 'sh', process.execPath, bin, 'data', ...argv];
  const child = spawn('sh', words, { env, stdio: ['ignore', openSync(out, 'w'), 'pipe'] });
  const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'close')]);
  return { code, stderr, out };
}

const importsWhole = async (file: string) => (await run(['import', file, '--data', fresh()])).code === 0;

/** What may be wrong with the store. */
const damages: readonly (readonly [string, (place: number) => Buffer])[] = [
  ['ends in the middle', (place) => store.subarray(0, at(store, place))],
  [
    'is overwritten',
    (place) =>
      Buffer.concat([
        store.subarray(0, at(store, place)),
        Buffer.alloc(4096, 0xff),
        store.subarray(at(store, place) + 4096),
      ]),
  ],
];
test.each(damages)('a store that %s is not exported, or whole', async (_, damage) => {
  const wrong: string[] = [];
  for (const place of places) {
    const file = `${fresh()}.jsonl`;
    const { code, stderr } = await run(['export', file, '--data', storeOf(damage(place))]);
    if (code === 0 ? !(await importsWhole(file)) : existsSync(file) || stderr === '') wrong.push(`${place}: ${code}`);
  }
  expect(wrong).toEqual([]);
});

test('an export to a disk that is full anywhere leaves no file, and fails', async () => {
  const blocks = Math.floor((whole.length - 1) / 512);
  for (const place of [...places, 1]) {
    const most = Math.floor(blocks * place);
    const file = `${fresh()}.jsonl`;
    // With very few blocks, the store cannot even be opened.
    expect([(await limited(most, ['export', file])).code === 0, existsSync(file)]).toEqual([false, false]);
    const toOutput = await limited(most, ['export', '-']);
    expect([toOutput.code === 0, readFileSync(toOutput.out).length < whole.length]).toEqual([false, true]);
    const packed = `${fresh()}.jsonl.gz`;
    const { code } = await limited(most, ['export', packed]);
    expect(code === 0 ? await importsWhole(packed) : !existsSync(packed)).toBe(true);
  }
});

test('an import to a disk that is full anywhere leaves nothing, and fails', async () => {
  for (const place of places) {
    const data = join(fresh(), 'data');
    const { code } = await limited(Math.floor((store.length / 512) * place * 0.9), ['import', backup, '--data', data]);
    expect([code === 0, existsSync(join(data, '..'))]).toEqual([false, false]);
  }
});

test('a file that ends in the middle is not imported, and leaves nothing', async () => {
  for (const place of places) {
    const cut = [`${fresh()}.jsonl`, `${fresh()}.jsonl.gz`] as const;
    writeFileSync(cut[0], whole.subarray(0, at(whole, place)));
    const packed = gzipSync(whole);
    writeFileSync(cut[1], packed.subarray(0, at(packed, place)));
    const data = join(fresh(), 'data');
    for (const file of cut) expect((await run(['import', file, '--data', data])).code).toBe(2);
    expect((await run(['import', '-', '--data', data], String(whole.subarray(0, at(whole, place))))).code).toBe(2);
    expect(existsSync(join(data, '..'))).toBe(false);
  }
});

test('an empty or foreign file is not exported', async () => {
  const other = fresh();
  const db = new Database(other);
  db.exec('CREATE TABLE other (x)');
  db.close();
  for (const content of [Buffer.alloc(0), readFileSync(other), Buffer.from('openapi: 3.1.0\n'.repeat(500))]) {
    const data = storeOf(content);
    const file = `${fresh()}.jsonl`;
    const { code, stderr } = await run(['export', file, '--data', data]);
    expect([code === 0, existsSync(file), stderr]).toEqual([false, false, expect.stringContaining('service.db')]);
  }
});

test('a store that another process has locked is not exported', async () => {
  const data = storeOf(store);
  const db = new Database(join(data, 'service.db'));
  db.exec('BEGIN IMMEDIATE');
  const file = `${fresh()}.jsonl`;
  expect((await run(['export', file, '--data', data])).code).toBe(3);
  db.exec('COMMIT');
  db.close();
  expect([existsSync(file), (await run(['export', file, '--data', data])).code]).toEqual([false, 0]);
});

test('a reader that goes away fails the export', async () => {
  const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');
  const env = { PATH: process.env.PATH, HOME: folder, DTP_DATA_DIR: join(folder, 'data') };
  const line = '("$0" "$1" data export -; echo $? >&2) | head -c 100 > /dev/null';
  const child = spawn('sh', ['-c', line, process.execPath, bin], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  expect(await text(child.stderr)).toMatch(/closed before the end of the export[\s\S]*\n1\n$/);
});

test.runIf(hasSqld)('a server that is empty, or goes away after any answer', async () => {
  const sqld = await openSqld();
  const { port } = new URL(sqld.url);
  let left = Number.POSITIVE_INFINITY;
  const proxy = createServer((asked, answer) => {
    if (left-- <= 0) return void answer.destroy();
    const forwarded = request(
      { port, host: '127.0.0.1', method: asked.method, path: asked.url, headers: asked.headers },
      (one) => {
        answer.writeHead(one.statusCode ?? 502, one.headers);
        one.pipe(answer);
      },
    );
    asked.pipe(forwarded.on('error', () => answer.destroy()));
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const on = ['--database', `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`];
  const tables = async () => {
    const sql = "SELECT count(*) FROM sqlite_master WHERE name = 'meta'";
    const body = JSON.stringify({ requests: [{ type: 'execute', stmt: { sql } }, { type: 'close' }] });
    return (await (await fetch(`${sqld.url}/v2/pipeline`, { method: 'POST', body })).json()).results[0].response.result
      .rows[0][0].value;
  };
  try {
    const file = `${fresh()}.jsonl`;
    expect([(await run(['export', file, ...on])).code, existsSync(file), await tables()]).toEqual([2, false, '0']);
    const cut = await run(['import', '-', ...on], String(whole.subarray(0, at(whole, 0.7))));
    expect([cut.code, await tables()]).toEqual([2, '0']);
    left = 1_000_000;
    expect((await run(['import', backup, ...on])).code).toBe(0);
    const imported = 1_000_000 - left;
    left = 1_000_000;
    expect((await run(['export', file, ...on])).code).toBe(0);
    const exported = 1_000_000 - left;
    expect(readFileSync(file).equals(whole)).toBe(true);
    for (const place of places) {
      left = Math.floor(exported * place);
      rmSync(file);
      expect([(await run(['export', file, ...on])).code, existsSync(file)], String(place)).toEqual([11, false]);
      writeFileSync(file, '');
    }
    expect(imported).toBeGreaterThan(places.length);
  } finally {
    proxy.close();
    await sqld.remove();
  }
});
