/** How long one tenant waits while another one sends a request that is a lot of work. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addEvents,
  digestOf,
  formHeaders,
  formOf,
  jsonHeaders,
  MIB,
  manifestHeaders,
  manifestOf,
  push,
  registry,
} from '../../support/large-data.ts';
import { atMost } from '../../support/rough-clients.ts';
import {
  type Attack,
  type Attacked,
  faultsIn,
  logIn,
  type Tenants,
  twoTenants,
  watch,
} from '../../support/watched-service.ts';

let tenants: Tenants;
beforeAll(() => {
  tenants = twoTenants((store, workspace) => {
    addEvents(store, workspace, { count: 240_000, size: 10, run: 'all' });
    addEvents(store, workspace, { count: 20_000, size: 100, run: 'some' });
  });
});
afterAll(() => tenants?.remove());

/** In milliseconds. */
const WAIT = 1000;

/** How long an attack takes at most, and how long the other tenant waits for a code sample, in milliseconds. */
const [LASTS_MS, SAMPLE_MS] = [10_000, 15_000];

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

const numbered = (count: number, name: string) => Array.from({ length: count }, (_, at) => `${name}${at}`);

const post = ({ clients }: Attacked, path: string, value: unknown) =>
  clients.ask('POST', path, { headers: jsonHeaders, body: Buffer.from(JSON.stringify(value)) });

const eventsAt = ({ attacker }: Attacked) => `/v1/workspace/${attacker.workspace}/events`;

const document = Buffer.from(
  '{"openapi":"3.1.0","info":{"title":"Pets","version":"1"},"paths":{"/pets":{"get":{"responses":{"200":{"description":"OK"}}}}}}',
);

/** Requests whose documents take long. Meanwhile, the other tenant needs a code sample. */
async function withSample({ clients, other }: Attacked) {
  const headers = { ...formHeaders, 'x-api-key': other.key };
  const body = formOf([['language', 'curl']], ['schema_file', document.toString()]);
  const sample = clients.ask('POST', '/v1/code_sample/preview', { headers, body });
  const answer = await Promise.race([sample, sleep(SAMPLE_MS, undefined, { ref: false })]);
  if (answer?.status === 200) return [];
  return [answer ? `the other tenant got ${answer.status}: ${answer.start}` : 'the other tenant got no code sample'];
}

/** A document in which a JSONPath has very many ways to the same places. */
const deep = `{"x-deep":${'['.repeat(400)}${']'.repeat(400)},${document.toString().slice(1)}`;
const overlay = JSON.stringify({
  overlay: '1.0.0',
  info: { title: 'Slow', version: '1' },
  actions: [{ target: `$${'..*'.repeat(6)}.nothing`, update: {} }],
});

/** A document with many operations, which all need names and descriptions. */
const wide = JSON.stringify({
  ...JSON.parse(document.toString()),
  paths: Object.fromEntries(numbered(60_000, '/p').map((path) => [path, { get: {}, post: {} }])),
});

const attacks: Readonly<Record<string, Attack>> = {
  '20,000 tags in each of 10 requests at once': async (attacked) => {
    const revision_digest = await push(attacked.clients, 'tagged', document);
    return times(10, (at) =>
      post(attacked, '/v1/artifacts/namespaces/tagged/tags', { revision_digest, tags: numbered(20_000, `t${at}-`) }),
    );
  },

  '8 manifests of 30,000 layers at once': async ({ clients }) => {
    await push(clients, 'layered', document);
    const layers = Array.from({ length: 30_000 }, () => ({ mediaType: 'a/b', digest: digestOf(document) }));
    return times(8, (at) =>
      clients.ask('PUT', `${registry('layered')}/manifests/many-${at}`, {
        headers: manifestHeaders,
        body: manifestOf(layers, at),
      }),
    );
  },

  '6 overlays that take very long': async (attacked) => {
    await push(attacked.clients, 'deep', Buffer.from(deep));
    await push(attacked.clients, 'slow', Buffer.from(overlay));
    for (const name of numbered(6, 'output-'))
      await post(attacked, '/v1/artifacts/remote_sources', {
        ...{ inputs: [{ registry_url: 'deep:v1' }], overlays: [{ registry_url: 'slow:v1' }] },
        output: { registry_url: name },
      });
    for (const name of numbered(6, 'output-'))
      void attacked.clients.ask('GET', `/v1/artifacts/namespaces/${name}/tags`);
    return withSample(attacked);
  },

  '6 documents that take very long': async (attacked) => {
    const body = formOf([], ['schema', wide]);
    const headers = { ...formHeaders, 'x-session-id': 's' };
    for (let at = 0; at < 6; at++) void attacked.clients.ask('POST', '/v1/suggest/openapi', { headers, body });
    return withSample(attacked);
  },

  'the end of a large upload': async ({ clients }) => {
    const started = await clients.ask('POST', `${registry('large')}/blobs/uploads/`);
    const path = String(started.headers.location);
    const piece = Buffer.alloc(64 * MIB, 'x');
    const hash = createHash('sha256');
    const start = performance.now();
    // At most 1.5 GiB. A slow disk takes less in this time.
    for (let sent = 0; sent < 24 && performance.now() - start < LASTS_MS; sent++) {
      hash.update(piece);
      await clients.ask('PATCH', path, { body: piece });
    }
    return [await clients.ask('PUT', `${path}?digest=sha256:${hash.digest('hex')}`)];
  },

  '245 uploads at full speed': async ({ clients }) => {
    const piece = Buffer.alloc(MIB, 'x');
    const pieces = () => Array.from({ length: 200 }, () => piece);
    const path = `${registry('parallel')}/blobs/uploads/?digest=${digestOf(piece)}`;
    await atMost(
      LASTS_MS,
      times(245, () => clients.ask('POST', path, { pieces })),
    );
    return undefined;
  },

  'the view of a revision with 200 layers of 15 MB': async ({ clients, attacker }) => {
    const layer = Buffer.alloc(15e6, 'l');
    await push(clients, 'viewed', layer);
    const body = manifestOf(Array.from({ length: 200 }, () => ({ mediaType: 'a/b', digest: digestOf(layer) })));
    await clients.ask('PUT', `${registry('viewed')}/manifests/v2`, { headers: manifestHeaders, body });
    const cookie = await logIn(clients, attacker);
    return [await clients.ask('GET', `/-/registry/viewed/${digestOf(body)}`, { headers: { cookie } })];
  },

  '4 events with 400,000 fields at once': async (attacked) => {
    const fields = Object.fromEntries(numbered(400_000, 'f').map((name) => [name, 1]));
    return times(4, (at) => post(attacked, eventsAt(attacked), [{ id: `wide-${at}`, ...fields }]));
  },

  'one list of 240,000 events': async (attacked) => [
    await attacked.clients.ask('GET', `${eventsAt(attacked)}?execution_id=all`),
  ],

  '60,000 events in one request': async (attacked) => [
    await post(
      attacked,
      eventsAt(attacked),
      numbered(60_000, 'small-').map((id) => ({ id, execution_id: id, success: true })),
    ),
  ],

  '900,000 feature flags in one request': async (attacked) => [
    await post(attacked, '/v1/workspace/feature_flags', { feature_flags: numbered(900_000, 'f') }),
  ],

  '900,000 add-ons in one request': async (attacked) => [
    await post(attacked, '/v1/organization/add_ons', { add_ons: numbered(900_000, 'a') }),
  ],

  '200,000 secrets in one request': async (attacked) => [
    await post(attacked, '/v1/codehost/publishing_secrets', {
      generate_gen_lock_id: 'lock',
      secrets: Object.fromEntries(numbered(200_000, 'S').map((name) => [name, 'secret'])),
    }),
  ],

  '400,000 items to suggest names for': async (attacked) => [
    await post(attacked, '/v1/suggest/items', { prompt: 'camel', items: numbered(400_000, 'GET /pets/') }),
  ],

  '64 queries of 900 parameters at once': async ({ clients }) => {
    // Node refuses a longer first line of a request.
    const query = 'operation_ids=a&'.repeat(900);
    return times(64, () => clients.ask('GET', `/v1/code_sample?registry_url=local/default/none&${query}`));
  },

  '64 lists of 20,000 events at once': async (attacked) => {
    const requests = times(64, () => attacked.clients.ask('GET', `${eventsAt(attacked)}?execution_id=some`));
    await atMost(LASTS_MS, requests);
    return undefined;
  },
};

test.skipIf(process.platform !== 'linux').each(Object.entries(attacks))(
  '%s: the other tenant is served within a second',
  async (_, attack) => {
    expect(faultsIn(await watch(tenants, 'behind a proxy', attack), { wait: WAIT })).toEqual([]);
  },
);
