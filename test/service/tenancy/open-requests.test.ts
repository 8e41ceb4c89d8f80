/** Requests that are still open when the access of their user is revoked. */
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createService } from '../../../src/service/service.ts';
import { openInProcessWorker } from '../../support/document-worker.ts';
import { requestTo, served } from '../../support/embedded-service.ts';
import { sample } from '../../support/every-request.ts';
import { PETSTORE, sha256 } from '../../support/service-scope.ts';

/** A service with an invited user, whose credentials are returned. `begun` has the URLs of all requests until now. */
async function invited() {
  const begun: string[] = [];
  const service = await served(':memory:', ({ send }) => ({
    send: (incoming, options) => {
      begun.push(incoming.url);
      return send(incoming, options);
    },
  }));
  onTestFinished(() => service.close());
  const at = `/v1/workspace/${service.workspaceId}`;
  const { json } = await service.call('PUT', `${at}/team/email/ann@a.example`);
  const page = await service.plain('GET', new URL(json.invite_link).pathname);
  const key = { 'x-api-key': /dtp_[0-9a-f]{64}/.exec(page.text)?.[0] ?? '' };
  const tokenAt = async (path: string, name: string) => {
    const { json: token } = await service.plain('GET', path, { headers: key });
    return { authorization: `Bearer ${token[name]}` };
  };
  const scope = 'repository:local/default/pets:pull,push';
  const kinds = {
    'API key': key,
    'access token': await tokenAt(`/v1/auth/access_token?workspace_id=${service.workspaceId}`, 'access_token'),
    'registry token': await tokenAt(`/v2/token?scope=${scope}`, 'token'),
  };
  const revoke = () => service.call('DELETE', `${at}/team/${json.relationship.user_id}`);
  return { service, at, kinds, begun, revoke };
}

test.each(['API key', 'access token', 'registry token'] as const)(
  'a request with the %s of the user that began before the revocation ends, and stores nothing more',
  async (kind) => {
    const { service, at, kinds, begun, revoke } = await invited();
    const headers = { accept: '*/*', ...kinds[kind] };
    const started = await service.plain('POST', '/v2/local/default/pets/blobs/uploads/', { headers });
    const events = ['POST', `${at}/events`] as const;
    const sent = [['PATCH', started.headers.location] as const, ...(kind === 'registry token' ? [] : [events])];
    const before = begun.length;
    const open = sent.map(([method, path]) => requestTo(new URL(String(path), service.address), { method, headers }));
    const answers = open.map((outgoing) => once(outgoing, 'response'));
    for (const outgoing of open) outgoing.write('[{"id":"late"}');
    await expect.poll(() => begun.length).toBe(before + open.length);
    expect((await revoke()).status).toBe(204);
    service.wait(1000);
    for (const outgoing of open) outgoing.end(']');
    for (const answer of answers) {
      const [{ statusCode, headers: got }] = await answer;
      expect([statusCode, got['www-authenticate']]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
    }
    expect(service.store.all('SELECT id FROM events')).toEqual([]);
  },
);

const manifest = { schemaVersion: 2, layers: [{ mediaType: 'application/json', digest: sha256(PETSTORE) }] };
const item = { spec: PETSTORE, packageName: 'pets', sdkClassname: 'Pets', format: 'yaml' };
const summary = { info: {}, operations: [] };

/** Requests that go on after a document is processed, and the table in which they would store something. */
const processed: Readonly<Record<string, readonly [method: string, path: string, body: object, table: string]>> = {
  'a schema': ['POST', '/v1/schema_store', item, 'schema_store'],
  'a manifest': ['PUT', '/v2/local/default/pets/manifests/late', manifest, 'tags'],
  suggestions: ['POST', '/v1/suggest/openapi_from_summary', { oas_summary: summary }, 'schema_store'],
};

/** A service whose documents are processed at the same time as `meanwhile`, which takes a second. */
async function serviceWith({ service }: Awaited<ReturnType<typeof invited>>, meanwhile: () => Promise<unknown>) {
  let now = Date.parse('2025-03-01T10:00:00.000Z');
  const worker = openInProcessWorker();
  const run: typeof worker.run = async (...work) => {
    await meanwhile();
    now += 1000;
    return worker.run(...work);
  };
  const handle = createService(service.store, { now: () => now }, { ...worker, run });
  return (method: string, path: string, headers: object, body: string | Uint8Array, signal?: AbortSignal) =>
    handle(
      {
        ...{ method, url: service.address + path, body: Buffer.from(body) },
        headers: { 'content-type': 'application/json', 'x-session-id': 's', ...headers },
      },
      { signal: signal ?? new AbortController().signal },
    );
}

test.each(Object.entries(processed))(
  '%s: nothing is stored or sent if the user lost access meanwhile',
  async (_, row) => {
    const [method, path, body, table] = row;
    const world = await invited();
    const { service, kinds, revoke } = world;
    await service.call('POST', `/v2/local/default/pets/blobs/uploads/?digest=${sha256(PETSTORE)}`, { body: PETSTORE });
    const send = await serviceWith(world, revoke);
    const { status } = await send(method, path, kinds['API key'], JSON.stringify(body));
    expect([status, service.store.all(`SELECT * FROM ${table}`)]).toEqual([401, []]);
  },
);

test('a job that one request works on has its result, although the user of this request lost access meanwhile', async () => {
  const world = await invited();
  const { service, kinds, revoke } = world;
  const made = await service.call('POST', '/v1/code_sample/preview/async', sample);
  service.store.run("UPDATE sample_jobs SET created_at = '2025-01-01T00:00:00Z'");
  const send = await serviceWith(world, revoke);
  const path = `/v1/code_sample/preview/async/${made.json.job_id}`;
  expect((await send('GET', path, kinds['API key'], '')).status).toBe(401);
  expect((await service.call('GET', path)).status).toBe(200);
});

test('an output that several requests wait for is made, although the first of them has gone', async () => {
  const world = await invited();
  const { service } = world;
  await service.call('POST', `/v2/local/default/pets/blobs/uploads/?digest=${sha256(PETSTORE)}`, { body: PETSTORE });
  await service.call('PUT', '/v2/local/default/pets/manifests/latest', { json: manifest });
  const source = { inputs: [{ registry_url: 'pets' }], output: { registry_url: 'out' } };
  expect((await service.call('POST', '/v1/artifacts/remote_sources', { json: source })).status).toBe(204);
  const gone = new AbortController();
  const send = await serviceWith(world, async () => gone.abort(new Error('gone')));
  const key = { 'x-api-key': service.key };
  const path = '/v2/local/default/out/manifests/latest';
  const first = send('GET', path, key, '', gone.signal).catch(() => undefined);
  expect((await send('GET', path, key, '')).status).toBe(200);
  await first;
});
