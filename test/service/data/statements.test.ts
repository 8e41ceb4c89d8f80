/** How many statements a read takes: with a database server, each of them is an exchange. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Send } from '../../../src/request/http.ts';
import { insertValues } from '../../../src/service/data/columns.ts';
import { storeOn } from '../../../src/service/data/store.ts';
import { createService } from '../../../src/service/service.ts';
import { type Served, served } from '../../support/embedded-service.ts';

let service: Served;
let send: Send;
let count = 0;

beforeAll(async () => {
  service = await served();
  const { get, all, run, file, close } = service.store;
  const counted = <Given extends unknown[], Result>(perform: (...given: Given) => Result) => {
    return (...given: Given): Result => {
      count++;
      return perform(...given);
    };
  };
  const noTransaction = () => {
    throw new Error('a read has begun a transaction');
  };
  const engine = { get: counted(get), all: counted(all), run: counted(run), close, insertRows: insertValues };
  const store = storeOn(file, { ...engine, begin: noTransaction, end: noTransaction });
  const start = Date.now();
  send = createService(store, { now: () => start, report: () => undefined });
  const type = 'application/vnd.oci.image.index.v1+json';
  const index = { schemaVersion: 2, mediaType: type, manifests: [] };
  const headers = { 'content-type': type };
  const manifest = await service.call('PUT', '/v2/local/default/pets/manifests/v1', { headers, json: index });
  expect(manifest.status).toBe(201);
});
afterAll(() => service.close());

const blob = `blobs/sha256:${'a'.repeat(64)}`;

test.each([
  ['GET', '/v1/workspaces', 'x-api-key', 200, 2],
  ['GET', '/v1/workspace/WORKSPACE/events?execution_id=one', 'x-api-key', 200, 3],
  ['GET', '/v1/artifacts/namespaces/pets/tags', 'x-api-key', 200, 5],
  ['HEAD', `/v2/local/default/pets/${blob}`, 'basic', 404, 4],
  ['HEAD', `/v2/local/default/pets/${blob}`, 'bearer', 404, 4],
  ['GET', '/v2/local/default/pets/manifests/v1', 'basic', 200, 6],
  ['GET', '/v2/local/default/pets/tags/list', 'bearer', 200, 6],
])('%s %s with %s: %i after at most %i statements', async (method, path, credential, status, most) => {
  const secrets: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    'x-api-key': { 'x-api-key': service.key },
    basic: { authorization: `Basic ${Buffer.from(`dtp:${service.key}`).toString('base64')}` },
    bearer: { authorization: `Bearer ${service.key}` },
  };
  const url = `local:${path.replace('WORKSPACE', service.workspaceId)}`;
  const { signal } = new AbortController();
  const ask = () => send({ method, url, headers: secrets[credential] ?? {} }, { signal });
  // The first request stores when the key was used.
  await ask();
  count = 0;
  expect((await ask()).status).toBe(status);
  expect(count).toBeLessThanOrEqual(most);
});
