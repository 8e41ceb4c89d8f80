/** Blobs of 100 MB on a database server: they pass whole, and one that is cut in the middle is not there. */
import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPartition, type Partition } from '../support/partition.ts';
import { ask } from '../support/poster.ts';
import { home, type Served, serve } from '../support/process.ts';
import { randomOf, seed } from '../support/random.ts';
import { roughClients } from '../support/rough-clients.ts';
import { hasSqld, openSqld, type Sqld } from '../support/sqld.ts';
import { addressOf, places } from '../support/watched-service.ts';

const MIB = 1024 * 1024;
const COUNT = 100;

let place: ReturnType<typeof home>;
let network: Partition;
let sqld: Sqld;
let service: Served;

beforeAll(async () => {
  if (!hasSqld) return;
  place = home();
  network = await openPartition(randomOf(seed));
  sqld = await openSqld();
  service = await serve(place.folder, ['--database', network.to(sqld.url)]);
});
afterAll(async () => {
  await service?.stop();
  await sqld?.remove();
  network?.close();
  place?.remove();
});

/** Pieces of a blob, which differ. `onPiece` is called with the number of each one. */
function* pieces(name: string, onPiece: (at: number) => void = () => undefined): Generator<Buffer> {
  for (let at = 0; at < COUNT; at++) {
    onPiece(at);
    yield Buffer.alloc(MIB, `${name} ${at} `);
  }
}

function digestOf(name: string): string {
  const hash = createHash('sha256');
  for (const piece of pieces(name)) hash.update(piece);
  return `sha256:${hash.digest('hex')}`;
}

const blobs = '/v1/oci/v2/local/default/big/blobs';

/** Sends or reads a blob. Returns the status, or 0 if the connection has ended, and the digest of a whole answer. */
function transfer(method: string, path: string, body?: Iterable<Buffer>, onData: () => void = () => undefined) {
  return new Promise<{ status: number; digest?: string }>((done) => {
    const headers = { 'x-api-key': service.key, ...(body && { 'content-length': COUNT * MIB }) };
    const outgoing = request(service.address + path, { method, headers, agent: false }, (response) => {
      const hash = createHash('sha256');
      response.on('data', (bytes: Buffer) => {
        hash.update(bytes);
        onData();
      });
      response.on('error', () => done({ status: 0 }));
      response.on('end', () => done({ status: response.statusCode ?? 0, digest: `sha256:${hash.digest('hex')}` }));
    });
    outgoing.on('error', () => done({ status: 0 }));
    Readable.from(body ?? [])
      .on('error', () => outgoing.destroy())
      .pipe(outgoing);
  });
}

const upload = (name: string, body: Iterable<Buffer>) =>
  transfer('POST', `${blobs}/uploads/?digest=${digestOf(name)}`, body);
const statusOf = async (name: string) => (await transfer('HEAD', `${blobs}/${digestOf(name)}`)).status;

async function untilReady(): Promise<void> {
  while ((await ask(`${service.address}/readyz`)).status !== 200);
}

describe.skipIf(!hasSqld)('a blob of 100 MB', () => {
  test('passes whole, and if its download is cut, the client notices and can repeat it', async () => {
    expect(await upload('whole', pieces('whole'))).toMatchObject({ status: 201 });
    const path = `${blobs}/${digestOf('whole')}`;
    expect(await transfer('GET', path)).toEqual({ status: 200, digest: digestOf('whole') });
    let count = 0;
    const cut = await transfer('GET', path, undefined, () => {
      if (count++ === 20) network.fail('reset');
    });
    expect(cut.status).toBe(0);
    network.fail();
    await untilReady();
    expect(await transfer('GET', path)).toEqual({ status: 200, digest: digestOf('whole') });
  });

  test('does not keep a list of 6 MB from passing whole', async () => {
    const events = Array.from({ length: 100 }, (_, at) => ({ id: `large-${at}`, error: 'x'.repeat(60_000) }));
    const list = `${service.address}/v1/workspace/${service.workspace_id}/events`;
    const posted = await fetch(list, {
      method: 'POST',
      headers: { 'x-api-key': service.key, 'content-type': 'application/json' },
      body: JSON.stringify(events),
    });
    expect(posted.status).toBe(204);
    const found = await fetch(list, { headers: { 'x-api-key': service.key } });
    expect(await found.json()).toHaveLength(100);
  });

  test('is not there if the database is lost during its upload, and can be sent again', async () => {
    const failing = pieces('lost', (at) => {
      if (at === COUNT / 2) network.fail('reset');
    });
    expect((await upload('lost', failing)).status).toBe(503);
    network.fail();
    await untilReady();
    expect(await statusOf('lost')).toBe(404);
    expect(await upload('lost', pieces('lost'))).toMatchObject({ status: 201 });
    expect(await statusOf('lost')).toBe(200);
  });

  test('is not there if its client goes away during the upload', async () => {
    const leaving = pieces('left', (at) => {
      if (at === COUNT / 2) throw new Error('the client goes away');
    });
    expect((await upload('left', leaving)).status).toBe(0);
    await untilReady();
    expect(await statusOf('left')).toBe(404);
    expect((await transfer('GET', '/v1/user')).status).toBe(200);
  });

  test('keeps nobody with the same IP address from logging in while 20 others upload with a key each', async () => {
    const beyond = await serve(place.folder, ['--database', sqld.url, ...places['behind a proxy']]);
    const clients = roughClients(addressOf(beyond), { 'x-api-key': service.key });
    const tokens = `/v1/workspace/${service.workspace_id}/tokens`;
    for (let at = 0; at < 20; at++)
      await ask(service.address + tokens, { method: 'POST', key: service.key, body: { name: `slow-${at}` } });
    const { text } = await ask(service.address + tokens, { key: service.key });
    const keys = JSON.parse(text).map(({ key }: { readonly key: string }) => key);
    for (const key of keys.filter((one: string) => one !== service.key)) {
      const sent = { headers: { 'x-api-key': key }, body: Buffer.alloc(3 * MIB) };
      await clients.stall('POST', `${blobs}/uploads/?digest=${digestOf('whole')}`, sent);
    }
    expect((await clients.ask('GET', '/v1/user')).status).toBe(200);
    clients.close();
    await beyond.stop();
  });
});
