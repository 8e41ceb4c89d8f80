/** Remote sources over a real socket: the output is made of the current inputs and overlays when it is read. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { bringUpToDate } from '../../../src/service/up-to-date.ts';
import { type Served, served } from '../../support/embedded-service.ts';
import { addRows } from '../../support/large-data.ts';
import { PETSTORE, pushDocument, serviceScope, sha256 } from '../../support/service-scope.ts';

let service: Served;
beforeEach(async () => {
  service = await served();
});
afterEach(() => service.close());

const ROOT = '/v2/local/default';

async function push(namespace: string, document: object | string, tag = 'latest') {
  const body = typeof document === 'string' ? document : JSON.stringify(document);
  const digest = sha256(body);
  await service.call('POST', `${ROOT}/${namespace}/blobs/uploads/?digest=${digest}`, { body });
  const manifest = JSON.stringify({ schemaVersion: 2, layers: [{ mediaType: 'application/json', digest }] });
  const pushed = await service.call('PUT', `${ROOT}/${namespace}/manifests/${tag}`, { body: manifest });
  expect(pushed.status, pushed.text).toBe(201);
}

const api = (...paths: string[]) => ({
  openapi: '3.1.0',
  info: { title: paths.join(), version: '1' },
  paths: Object.fromEntries(paths.map((path) => [path, { get: { operationId: path.slice(1) } }])),
});
const at = (name: string) => ({ registry_url: `localhost/local/default/${name}` });
const overlay = (title: string) => ({
  overlay: '1.0.0',
  info: { title: 'o', version: '1' },
  actions: [{ target: '$.info', update: { title } }],
});

async function source(inputs: readonly string[], overlays: readonly string[] = [], output = 'out') {
  const json = { inputs: inputs.map(at), overlays: overlays.map(at), output: at(output) };
  const made = await service.call('POST', '/v1/artifacts/remote_sources', { json });
  expect(made.status, made.text).toBe(204);
}

/** The operation ids of the output, as suggestions see them, and its title. */
async function read(namespace = 'out') {
  const { json } = await service.call('GET', '/v1/artifacts/namespaces');
  const found = json.items.find(({ name }: { name: string }) => name === namespace);
  return found?.latest_revision_metadata ?? {};
}

const revisions = async (namespace = 'out') => service.call('GET', `/v1/artifacts/namespaces/${namespace}/revisions`);

const subscription = async () =>
  String(service.store.get("SELECT subscription_id FROM remote_sources WHERE namespace = 'out'")?.subscription_id);

test.each([
  ['a tag', 'x: !!set {a}', 'has a value with the tag !!set at line 2, which JSON cannot represent'],
  ['an infinite number', 'x: .inf', 'has the number .inf at line 2, which JSON cannot represent'],
  ['a duplicate key', 'openapi: 3.1.0', 'has the key "openapi" a second time at line 2'],
])('%s in an input is refused with its line', async (_, line, fault) => {
  await push('one', api('/a'));
  await push('two', `openapi: 3.1.0\n${line}\npaths: {}\n`);
  await source(['one', 'two']);
  expect((await revisions()).json.message).toContain(`inputs[1] (two) ${fault}`);
});

test('the output has the operations of all inputs, changed by the overlays, and follows them', async () => {
  await push('one', api('/a'));
  await push('two', api('/b'));
  await push('fix', overlay('Fixed'));
  await source(['one', 'two'], ['fix']);
  expect(await read()).toMatchObject({ title: 'Fixed', operation_ids: ['a', 'b'] });
  expect((await revisions()).json.items).toMatchObject([{ tags: ['latest'] }]);
  // Nothing has changed, so there is no new revision.
  await read();
  expect((await revisions()).json.items).toHaveLength(1);
  await push('two', api('/b', '/c'));
  expect((await revisions()).json.items).toHaveLength(2);
  expect(await read()).toMatchObject({ title: 'Fixed', operation_ids: ['a', 'b', 'c'] });
  await push('fix', overlay('Again'));
  expect(await read()).toMatchObject({ title: 'Again' });
});

test.each<[string, () => Promise<number>]>([
  ['the manifest', async () => (await service.call('GET', `${ROOT}/out/manifests/latest`)).status],
  [
    'the manifest of the API',
    async () =>
      (await service.call('GET', `/v1/oci${ROOT}/out/manifests/latest`, { headers: { accept: '*/*' } })).status,
  ],
  ['its headers', async () => (await service.call('HEAD', `${ROOT}/out/manifests/latest`)).status],
  ['the tags', async () => (await service.call('GET', `${ROOT}/out/tags/list`)).json.tags.length + 199],
  ['the tags of the API', async () => (await tags()).length + 199],
  ['the revisions', async () => (await revisions()).json.items.length + 199],
  [
    'a suggestion',
    async () =>
      (await service.call('POST', '/v1/suggest/openapi/out/latest', { headers: { 'x-session-id': 's' } })).status,
  ],
  ['code samples', async () => (await service.call('GET', '/v1/code_sample?registry_url=x/local/default/out')).status],
])('%s can be the first read of the output', async (_name, work) => {
  await push('one', api('/a'));
  await source(['one']);
  expect(await work()).toBe(200);
});

const tags = async () => (await service.call('GET', '/v1/artifacts/namespaces/out/tags')).json.items;

test.each(['a preflight token', 'a password'])('%s reads the current output', async (kind) => {
  await push('one', api('/a'));
  await source(['one']);
  const { json } = await service.call('POST', '/v1/artifacts/preflight', { json: { namespace_name: 'out' } });
  const authorization =
    kind === 'a password'
      ? `Basic ${Buffer.from(`any:${service.key}`).toString('base64')}`
      : `Bearer ${json.auth_token}`;
  for (const path of [`${ROOT}/out/manifests/latest`, `/v1/oci${ROOT}/out/manifests/latest`])
    expect((await service.plain('GET', path, { headers: { authorization, accept: '*/*' } })).status).toBe(200);
});

test('everyone can read the current output of a public namespace', async () => {
  await push('one', api('/a'));
  await source(['one']);
  const anonymous = () => service.plain('GET', `${ROOT}/out/manifests/latest`);
  expect((await anonymous()).status).toBe(401);
  expect(service.store.all('SELECT inputs FROM remote_outputs')).toEqual([]);
  await service.call('POST', '/v1/artifacts/namespaces/out/visibility', { json: { public: true } });
  expect((await anonymous()).status).toBe(200);
});

test('an ignored namespace is left out, and comes back when it is activated', async () => {
  await push('one', api('/a'));
  await push('two', api('/b'));
  await push('fix', overlay('Fixed'));
  await source(['one', 'two'], ['fix']);
  const change = async (word: string, name: string) =>
    expect((await service.call('POST', `/v1/subscriptions/${await subscription()}/${name}/${word}`)).status).toBe(204);
  await change('ignore', 'two');
  await change('ignore', 'fix');
  expect(await read()).toMatchObject({ title: '/a', operation_ids: ['a'] });
  // Without any input, the last output stays.
  await change('ignore', 'one');
  expect(await read()).toMatchObject({ operation_ids: ['a'] });
  for (const name of ['one', 'two', 'fix']) await change('activate', name);
  expect(await read()).toMatchObject({ title: 'Fixed', operation_ids: ['a', 'b'] });
});

test('an input may be a tag, a digest, or the output of another source', async () => {
  await push('one', api('/old'), 'v1');
  await push('one', api('/new'), 'v2');
  await push('two', api('/b'));
  await source(['one:v1'], [], 'first');
  await source(['first', 'two'], [], 'out');
  expect(await read()).toMatchObject({ operation_ids: ['old', 'b'] });
  await push('one', api('/newer'), 'v1');
  expect(await read()).toMatchObject({ operation_ids: ['newer', 'b'] });
});

test('sources that are made of each other are refused when they are read', async () => {
  await push('one', api('/a'));
  await source(['one'], [], 'first');
  await source(['first'], [], 'out');
  await source(['out'], [], 'first');
  const refused = await revisions();
  expect([refused.status, refused.json.message]).toEqual([422, expect.stringContaining('made from its output')]);
  expect(await read('one')).toMatchObject({ operation_ids: ['a'] });
});

test.each<[string, () => Promise<unknown>, RegExp]>([
  ['is not valid JSON or YAML', () => push('two', '{'), /inputs\[1\] \(two\) is not valid JSON or YAML/],
  ['is not OpenAPI', () => push('two', { a: 1 }), /inputs\[1\] \(two\) is not an OpenAPI/],
  [
    'says something else',
    () => push('two', { ...api('/a'), paths: { '/a': { get: { summary: 'other' } } } }),
    /GET \/a of inputs\[1\] \(two\) differs/,
  ],
  [
    'is archived',
    () => service.call('POST', '/v1/artifacts/namespaces/two/archive', { json: {} }),
    /inputs\[1\]: namespace two is archived/,
  ],
  ['is not an overlay', () => push('fix', api('/a')), /overlays\[0\] \(fix\) is not an OpenAPI Overlay/],
  [
    'has a wrong target',
    () => push('fix', { ...overlay('x'), actions: [{ target: '$[', update: {} }] }),
    /the target \$\[ is not a JSONPath/,
  ],
])('if an input %s, reading the output says so, and the rest can be read', async (_name, change, message) => {
  await push('one', api('/a'));
  await push('two', api('/b'));
  await push('fix', overlay('Fixed'));
  await source(['one', 'two'], ['fix']);
  const before = await read();
  await change();
  for (const path of ['/v1/artifacts/namespaces/out/revisions', `${ROOT}/out/manifests/latest`]) {
    const refused = await service.call('GET', path);
    expect([refused.status, refused.json.message]).toEqual([422, expect.stringMatching(message)]);
  }
  expect((await service.call('HEAD', `${ROOT}/out/manifests/latest`)).status).toBe(422);
  expect((await service.call('GET', `${ROOT}/out/manifests/${before.revision_digest}`)).status).toBe(200);
  expect(await read()).toEqual(before);
});

test('each remote source is checked in a turn, also if nothing is merged', async () => {
  const { scope } = serviceScope();
  const record = `'${JSON.stringify({ inputs: [at('none')], output: at('out') })}'`;
  const columns = { workspace_id: '?1', namespace: `'n' || i`, subscription_id: `'s' || i`, record };
  addRows(scope.store, 'remote_sources', columns, 5);
  let turns = 0;
  const turn = async () => {
    turns++;
  };
  await bringUpToDate('getNamespaces', {}, { ...scope, share: { ...scope.share, turn } }, scope.caller);
  expect(turns).toBeGreaterThanOrEqual(5);
});

test('an output that many sources read is checked once in each request', async () => {
  await push('l0-0', api('/a'));
  for (const layer of [1, 2, 3, 4, 5])
    for (const one of [0, 1, 2])
      await source(layer === 1 ? ['l0-0'] : [0, 1, 2].map((other) => `l${layer - 1}-${other}`), [], `l${layer}-${one}`);
  expect((await service.call('GET', `${ROOT}/l5-0/tags/list`)).json.tags).toEqual(['latest']);
  const find = vi.spyOn(service.store, 'find');
  expect((await service.call('GET', `${ROOT}/l5-0/tags/list`)).status).toBe(200);
  const checked = find.mock.calls.filter(([table]) => table === 'remote_outputs');
  // Itself, and three in each of the four layers below.
  expect(checked).toHaveLength(13);
});

test('the outputs that a request makes do not count together, however many there are', async () => {
  const { scope } = serviceScope();
  await pushDocument(scope, 'local/default/one', PETSTORE, 'latest');
  const record = `'${JSON.stringify({ inputs: [at('one')], output: at('out') })}'`;
  const columns = { workspace_id: '?1', namespace: `'n' || i`, subscription_id: `'s' || i`, record };
  addRows(scope.store, 'remote_sources', columns, 3);
  let held = 0;
  const hold = (bytes: number) => {
    held += bytes;
  };
  await bringUpToDate('getNamespaces', {}, { ...scope, share: { ...scope.share, hold } }, scope.caller);
  expect(scope.store.all('SELECT * FROM remote_outputs')).toHaveLength(3);
  expect(held).toBe(0);
});
