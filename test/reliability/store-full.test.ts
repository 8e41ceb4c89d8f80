/**
 * The embedded service when its disk is full, failing or read-only: a 5XX that says so, and no acknowledged
 * write is lost.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { openStore } from '../../src/service/data/store.ts';
import { openDocumentWorker } from '../../src/service/document-worker.ts';
import { temporaryFolder } from '../support/context.ts';
import { type Answer, type Served, send, served } from '../support/embedded-service.ts';
import { dtp, home } from '../support/process.ts';
import { randomOf, seed } from '../support/random.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Writes that got a 2XX, by kind. */
interface Written {
  readonly events: string[];
  readonly tokens: string[];
  readonly blobs: string[];
  readonly refused: Answer[];
}

const blob = (id: string) => `${id} ${'x'.repeat(30_000)}`;

/** Writes of all kinds until `most` of them were rejected. */
async function fill(own: Pick<Served, 'call'> & { workspaceId: string }, most: number): Promise<Written> {
  const random = randomOf(seed);
  const written: Written = { events: [], tokens: [], blobs: [], refused: [] };
  const workspace = `/v1/workspace/${own.workspaceId}`;
  for (let number = 0; written.refused.length < most && number < 5000; number++) {
    const [id, kind] = [`w${number}`, Math.floor(random() * 3)];
    const answer =
      kind === 0
        ? await own.call('POST', `${workspace}/events`, {
            json: [{ id: `${id}-a`, filler: 'x'.repeat(5000) }, { id: `${id}-b` }],
          })
        : kind === 1
          ? await own.call('POST', `${workspace}/tokens`, { json: { name: id } })
          : await own.call('POST', `/v1/oci/v2/local/default/full/blobs/uploads/?digest=sha256:${sha256(blob(id))}`, {
              body: blob(id),
              headers: { 'content-type': 'application/octet-stream' },
            });
    if (answer.status >= 300) written.refused.push(answer);
    else if (kind === 0) written.events.push(`${id}-a`, `${id}-b`);
    else if (kind === 1) written.tokens.push(id);
    else written.blobs.push(id);
  }
  return written;
}

/** Every acknowledged write is there, and a batch is stored completely or not at all. */
async function expectThere(own: Pick<Served, 'call'> & { workspaceId: string }, written: Written) {
  const workspace = `/v1/workspace/${own.workspaceId}`;
  const events = (await own.call('GET', `${workspace}/events`)).json.map((one: { id: string }) => one.id);
  expect(events).toEqual(expect.arrayContaining(written.events));
  expect(events.filter((id: string) => !written.events.includes(id))).toEqual([]);
  const tokens = (await own.call('GET', `${workspace}/tokens`)).json.map((one: { name: string }) => one.name);
  expect(tokens).toEqual(expect.arrayContaining(written.tokens));
  expect(tokens).toHaveLength(written.tokens.length + 1);
  for (const id of written.blobs) {
    const path = `/v1/oci/v2/local/default/full/blobs/sha256:${sha256(blob(id))}`;
    expect((await own.call('GET', path)).text).toBe(blob(id));
  }
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

test.each([
  ['is full', (pages: number) => `PRAGMA max_page_count = ${pages + 200}`, 'PRAGMA max_page_count = 1000000', 507],
  ['is read-only', () => 'PRAGMA query_only = ON', 'PRAGMA query_only = OFF', 500],
])('a store that %s', async (_, begin, end, status) => {
  const file = join(temporaryFolder(), 'service.db');
  const own = await served(file);
  closing.push(own.close);
  const before = await fill(own, 0);
  own.store.get(begin(Number(own.store.get('PRAGMA page_count')?.page_count)));
  const written = await fill(own, 40);
  expect(new Set(written.refused.map((answer) => answer.status))).toEqual(new Set([status]));
  for (const { json } of written.refused) {
    const message = json.message ?? json.errors?.[0]?.message;
    expect(message).toContain(`${file} cannot be used: `);
  }
  expect(before.refused).toEqual([]);
  // When there is space again, it continues.
  own.store.get(end);
  await expectThere(own, written);
  const workspace = `/v1/workspace/${own.workspaceId}`;
  expect((await own.call('POST', `${workspace}/tokens`, { json: { name: 'again' } })).status).toBe(204);
  await own.close();
  closing.pop();
  const again = openStore(file);
  closing.push(again.close);
  expect(again.get('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
  expect(again.get('SELECT count(*) AS count FROM events')?.count).toBe(written.events.length);
});

test('a file that cannot grow: acknowledged writes are still there afterwards', async () => {
  const place = home();
  closing.push(place.remove);
  const data = join(place.folder, 'data');
  // The limit fails writes like a full disk. Its signal is ignored.
  const limited = `trap '' XFSZ; ulimit -f 1500; exec "$0" "$@"`;
  const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');
  const serve = [process.execPath, bin, 'serve', '-o', 'json', '--data', data];
  const env = { PATH: process.env.PATH, HOME: place.folder };
  const child = spawn('bash', ['-c', limited, ...serve], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((done) => child.on('close', done));
  closing.unshift(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const line = JSON.parse(String(await new Promise((done) => child.stdout.once('data', done))));
  const own = (address: string, key: string) => ({
    workspaceId: String(line.workspace_id),
    call: ((method, path, sent = {}) =>
      send(address, method, path, {
        ...sent,
        headers: { 'x-api-key': key, ...sent.headers },
      })) as Served['call'],
  });
  const written = await fill(own(line.address, line.key), 30);
  expect(written.refused).toHaveLength(30);
  expect(written.refused.filter((answer) => ![500, 507].includes(answer.status))).toEqual([]);
  expect(statSync(join(data, 'service.db-wal')).size).toBeLessThanOrEqual(1500 * 1024);
  child.kill('SIGKILL');
  await ended;
  const one = await served(join(data, 'service.db'));
  closing.unshift(one.close);
  await expectThere(own(one.address, line.key), written);
  // In the same process, the exit code shows it.
  const argv = ['--profile', 'local', 'ws', 'tokens', 'create', '--name', 'after', '-o', 'json'];
  expect(await dtp(place.folder, argv, { env: { DTP_DATA_DIR: data } })).toMatchObject({ code: 0 });
});

test('the documents of a tenant that wait for a worker are limited: then 503, with Retry-After', async () => {
  const worker = openDocumentWorker({ waiting: 3 });
  const task = {
    make: 'overlay',
    name: 'schema',
    options: { type: 'method-names', diagnostics: [] },
  } as const;
  const text = JSON.stringify({ openapi: '3.1.0', info: { title: 'T', version: '1' }, paths: {} });
  const works = Array.from({ length: 40 }, () =>
    worker.run(task, text.padEnd(300)).then(
      () => 200,
      (error: { status: number; retryAfter?: number }) => [error.status, error.retryAfter],
    ),
  );
  const answers = await Promise.all(works);
  // Two run at once, and three wait.
  expect(answers.filter((answer) => answer === 200)).toHaveLength(5);
  expect(answers.filter((answer) => answer !== 200)).toEqual(Array(35).fill([503, 30]));
  // They hold nothing afterwards.
  expect(String(await worker.run(task, text))).toContain('overlay');
});
