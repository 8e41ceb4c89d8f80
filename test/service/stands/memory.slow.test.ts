/** How much memory the service takes, whatever one tenant sends, does not send, or does not read. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WORKSPACE } from '../../../src/service/schema/events.ts';
import {
  addEvents,
  addRows,
  digestOf,
  documentOf,
  eventsOf,
  formHeaders,
  formOf,
  jsonHeaders,
  MIB,
  manifestHeaders,
  manifestOf,
  push,
  registry,
  repeated,
} from '../../support/large-data.ts';
import { atMost, type Sent } from '../../support/rough-clients.ts';
import {
  type Attack,
  type Attacked,
  faultsIn,
  type Place,
  type Tenants,
  twoTenants,
  watch,
} from '../../support/watched-service.ts';

let tenants: Tenants;
beforeAll(() => {
  tenants = twoTenants((store, workspace) => {
    addEvents(store, workspace, { count: 9700, size: 60_000, run: 'all' });
    addEvents(store, workspace, { count: 1200, size: 60_000, run: 'some' });
    addEvents(store, workspace, { count: 200, size: 1_000_000, run: 'targets' });
    const event = `(SELECT seq FROM events WHERE id = 'targets-' || i)`;
    const target = { workspace: WORKSPACE, target: `'t' || i`, fields: '1', created_at: '1', event };
    addRows(store, 'target_events', target, 200);
    const record = `json_object('id', 'l' || i, 'valid_until', '2100-01-01T00:00:00Z', 'pad', printf('%.*c', 125000, 'x'))`;
    for (const [table, columns] of Object.entries(largeRecords))
      addRows(store, table, { id: `'l' || i`, record, ...columns }, 400);
  });
});
afterAll(() => tenants?.remove());

const user = '(SELECT id FROM users ORDER BY seq LIMIT 1)';

/** The tables whose records are in a list, with their other columns. */
const largeRecords = {
  workspace_tokens: { workspace_id: '?1', key: `'key-' || i`, created_by: user },
  publishing_tokens: { workspace_id: '?1' },
  organizations: { slug: `'l' || i`, created_by: user },
};

/** In megabytes. */
const MEMORY = 500;
/** In milliseconds. */
const WAIT = 1000;

/** How long an attack takes at most, in milliseconds. */
const LASTS_MS = 10_000;

const times = <T>(count: number, work: (at: number) => Promise<T>): Promise<readonly T[]> =>
  Promise.all(Array.from({ length: count }, (_, at) => work(at)));

const preview = '/v1/code_sample/preview';
const eventsAt = ({ attacker }: Attacked) => `/v1/workspace/${attacker.workspace}/events`;
const uploads = `${registry('pets')}/blobs/uploads/`;
const blob = Buffer.alloc(72 * MIB, 'b');

/** Readers that read nothing, for long enough that their answers are in memory if they are not bounded. */
const unread = async ({ clients }: Attacked, count: number, path: string, sent?: Sent) => {
  await atMost(
    LASTS_MS,
    times(count, () => clients.leaveUnread('GET', path, sent)),
  );
  await sleep(2000);
  return undefined;
};

/** Pushes a blob, and returns its path. */
async function pushedBlob({ clients }: Attacked): Promise<string> {
  const pushed = await clients.ask('POST', `${uploads}?digest=${digestOf(blob)}`, { body: blob });
  expect(pushed.status).toBe(201);
  return `${registry('pets')}/blobs/${digestOf(blob)}`;
}

/** Bodies whose last byte never comes. */
const stalled = async ({ clients }: Attacked, path: string, sent: Sent, count = 50) => {
  await atMost(
    LASTS_MS,
    times(count, () => clients.stall('POST', path, sent)),
  );
  await sleep(2000);
  return undefined;
};

/** Creates another workspace of the tenant who attacks, and returns a key of it. */
async function anotherKey({ clients }: Attacked, name: string): Promise<string> {
  const post = (path: string) =>
    clients.ask('POST', path, { headers: jsonHeaders, body: Buffer.from(JSON.stringify({ name })) });
  const tokens = `/v1/workspace/${JSON.parse((await post('/v1/workspace')).start).id}/tokens`;
  await post(tokens);
  return JSON.parse((await clients.ask('GET', tokens)).start)[0].key;
}

const attacks: Readonly<Record<string, Attack>> = {
  'a form of 100 parts of 15 MiB': async ({ clients }) => [
    await clients.ask('POST', preview, {
      headers: formHeaders,
      pieces: () => repeated('operation_ids', 100, 15 * MIB),
    }),
  ],

  'one list of 580 MiB, which is read': async (attacked) => {
    const answer = await attacked.clients.ask('GET', `${eventsAt(attacked)}?execution_id=all`);
    if (answer.status === 200)
      expect(answer).toMatchObject({ size: expect.any(Number), end: expect.stringMatching(/}]$/) });
    expect([200, 413, 503, 0]).toContain(answer.status);
    return [answer];
  },

  '40 readers that do not read a list of 72 MiB': (attacked) =>
    unread(attacked, 40, `${eventsAt(attacked)}?execution_id=some`),

  '100 readers that do not read a list of 72 MiB': (attacked) =>
    unread(attacked, 100, `${eventsAt(attacked)}?execution_id=some`),

  '250 readers that do not read events of 1 MB': (attacked) =>
    unread(attacked, 250, `${eventsAt(attacked)}?execution_id=targets`),

  '100 readers that do not read a blob of 72 MiB': async (attacked) =>
    unread(attacked, 100, await pushedBlob(attacked)),

  '250 readers that do not read a public blob of 72 MiB, and 250 without a credential': async (attacked) => {
    const path = await pushedBlob(attacked);
    const manifest = { headers: manifestHeaders, body: manifestOf([{ digest: digestOf(blob) }]) };
    expect(await attacked.clients.ask('PUT', `${registry('pets')}/manifests/v1`, manifest)).toMatchObject({
      status: 201,
    });
    const open = { headers: jsonHeaders, body: Buffer.from('{"public":true}') };
    const opened = await attacked.clients.ask('POST', '/v1/artifacts/namespaces/pets/visibility', open);
    expect(opened.status).toBe(204);
    await Promise.all([unread(attacked, 250, path), unread(attacked, 250, path, { headers: { 'x-api-key': '' } })]);
    return undefined;
  },

  '200 readers that do not read 5 referrers of 4 MB, in each of 2 workspaces': async (attacked) => {
    const subject = { digest: digestOf('subject') };
    const annotations = { large: 'x'.repeat(4e6) };
    const second = await anotherKey(attacked, 'second');
    const keys = { default: attacked.attacker.key, second };
    for (const [slug, key] of Object.entries(keys)) {
      const headers = { 'x-api-key': key };
      const sent = { headers: { ...manifestHeaders, ...headers } };
      for (let at = 0; at < 7; at++) {
        const manifest = {
          schemaVersion: 2,
          subject,
          annotations: { at: String(at), ...(at > 1 && annotations) },
          layers: [],
        };
        const body = Buffer.from(JSON.stringify(manifest));
        const path = `/v2/local/${slug}/referred/manifests/m${at}`;
        expect(await attacked.clients.ask('PUT', path, { ...sent, body })).toMatchObject({ status: 201 });
      }
      await unread(attacked, 200, `/v2/local/${slug}/referred/referrers/${subject.digest}`, { headers });
    }
    return undefined;
  },

  '200 previews of a document of 5 MB at once': async ({ clients }) => {
    const body = formOf([['language', 'curl']], ['schema_file', documentOf('x'.repeat(5e6))]);
    const answers = times(200, () => clients.ask('POST', preview, { headers: formHeaders, body }));
    await atMost(LASTS_MS, answers);
    return undefined;
  },

  '40 lists of 400 records of 125 kB at once, of three kinds': async ({ clients, attacker }) => {
    const lists = [`/v1/workspace/${attacker.workspace}/tokens`, '/v1/publishing-tokens', '/v1/organizations'];
    const answers = times(40, (at) => clients.ask('GET', lists[at % lists.length] ?? ''));
    await atMost(LASTS_MS, answers);
    return undefined;
  },

  '20 lists of 200 targets with events of 1 MB at once, of three kinds': async ({ clients, attacker }) => {
    const own = `/v1/workspace/${attacker.workspace}/events/targets`;
    const lists = ['/v1/workspace/events/targets', own, `${own}/t1/events`];
    const answers = times(20, (at) => clients.ask('GET', lists[at % lists.length] ?? ''));
    await atMost(LASTS_MS, answers);
    return undefined;
  },

  '200 JSON bodies of 16 MiB at once': async (attacked) => {
    const body = eventsOf(16 * MIB - 1);
    const answers = times(200, () => attacked.clients.ask('POST', eventsAt(attacked), { headers: jsonHeaders, body }));
    await atMost(LASTS_MS, answers);
    return undefined;
  },

  '50 JSON bodies of 15 MiB without their last byte': (attacked) =>
    stalled(attacked, eventsAt(attacked), { headers: jsonHeaders, body: eventsOf(15 * MIB) }),

  '50 blobs of 15 MiB without their last byte': (attacked) =>
    stalled(attacked, `${uploads}?digest=${digestOf(blob)}`, { body: blob.subarray(0, 15 * MIB) }),

  '160 blobs of 15 MiB without their last byte in each of 3 workspaces': async (attacked) => {
    const keys = ['', await anotherKey(attacked, 'second'), await anotherKey(attacked, 'third')];
    const body = blob.subarray(0, 15 * MIB);
    const sentWith = (key: string) => ({ body, ...(key !== '' && { headers: { 'x-api-key': key } }) });
    await Promise.all(keys.map((key) => stalled(attacked, `${uploads}?digest=${digestOf(blob)}`, sentWith(key), 160)));
    return undefined;
  },

  '5 forms with 5,500,000 names in a field': async ({ clients }) => {
    const body = formOf([['operation_ids', 'ab,'.repeat(5_500_000)]], ['schema_file', '{}']);
    const answers = await times(5, () => clients.ask('POST', preview, { headers: formHeaders, body }));
    expect([413, 503]).toEqual(expect.arrayContaining(answers.map(({ status }) => status)));
    return answers;
  },

  '8 JSON bodies of 16 MiB with one character beyond Latin-1 at once': ({ clients }) => {
    const info = { title: 'Pets', description: `€${'x'.repeat(15.9 * MIB)}` };
    const body = Buffer.from(JSON.stringify({ oas_summary: { info, operations: [] } }));
    const headers = { ...jsonHeaders, 'x-session-id': 's' };
    return times(8, () => clients.ask('POST', '/v1/suggest/openapi_from_summary', { headers, body }));
  },

  '4 outputs of 43 MB of remote sources at once': async ({ clients }) => {
    // Such a document can hardly be packed.
    const part = (at: number) => documentOf(randomBytes(10 * MIB).toString('base64'), at);
    for (const at of [1, 2, 3]) await push(clients, `part-${at}`, Buffer.from(part(at)));
    const inputs = [1, 2, 3].map((at) => ({ registry_url: `part-${at}:v1` }));
    const outputs = ['a', 'b', 'c', 'd'].map((name) => `output-${name}`);
    for (const registry_url of outputs) {
      const body = Buffer.from(JSON.stringify({ inputs, output: { registry_url } }));
      await clients.ask('POST', '/v1/artifacts/remote_sources', { headers: jsonHeaders, body });
    }
    return Promise.all(outputs.map((name) => clients.ask('GET', `${registry(name)}/manifests/latest`)));
  },

  '50 reports of 15 MiB without their last byte': (attacked) =>
    stalled(attacked, '/v1/reports', {
      headers: formHeaders,
      body: formOf([['data', '{"type":"linting"}']], ['file', 'x'.repeat(15 * MIB)]),
    }),

  '50 forms with a field of 15 MiB without their last byte': (attacked) =>
    stalled(attacked, preview, {
      headers: formHeaders,
      body: formOf([['operation_ids', 'x'.repeat(15 * MIB)]], ['schema_file', '{}']),
    }),
};

/** Who may call the service matters most for these. */
const everywhere = [
  'a form of 100 parts of 15 MiB',
  'one list of 580 MiB, which is read',
  '50 JSON bodies of 15 MiB without their last byte',
];

const rows = Object.entries(attacks).flatMap(([name, attack]) => {
  const where: readonly Place[] = everywhere.includes(name) ? ['on loopback', 'behind a proxy'] : ['behind a proxy'];
  return where.map((place) => [name, place, attack] as const);
});

test.skipIf(process.platform !== 'linux').each(rows)(
  `%s, %s: the service takes less than ${MEMORY} MB, and the other tenant is served`,
  async (_, place, attack) => {
    const found = await watch(tenants, place, attack);
    expect(faultsIn(found, { memory: MEMORY, wait: WAIT })).toEqual([]);
  },
);
