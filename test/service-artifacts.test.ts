/** The embedded service's registry: preflight, the distribution endpoint, namespaces, subscriptions. */
import { expect, test } from 'vitest';
import { artifacts } from '../src/service/handlers/artifacts.ts';
import { subscriptions } from '../src/service/handlers/subscriptions.ts';
import { preflightCaller } from '../src/service/preflight.ts';
import { faults } from './support/conforms.ts';
import {
  bytesOf,
  jsonOf,
  PETSTORE,
  pushDocument,
  refusal,
  registryCall,
  request,
  serviceScope,
  serviceSocket,
  sha256,
  textOf,
} from './support/service-scope.ts';

const REPOSITORY = 'local/default/pets';
const ROOT = `/v1/oci/v2/${REPOSITORY}`;
const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';

function open() {
  const opened = serviceScope();
  return { ...opened, call: registryCall(opened.scope, opened.scope.caller) };
}

const code = async (reply: unknown) => (await jsonOf(reply)).errors[0].code;

// biome-ignore lint/suspicious/noExplicitAny: the shape is checked by faults
const items = (answer: unknown): any[] => (answer as { items: unknown[] }).items;

test('preflight gives a bearer that is good for one namespace and a quarter of an hour', async () => {
  const { scope, wait } = open();
  const ask = (body?: object) => artifacts.preflight({ body }, scope);
  expect(await refusal(() => ask())).toMatch(/^422 body/);
  expect(await refusal(() => ask({}))).toMatch(/^422 namespace_name/);
  const { auth_token, ...rest } = ask({ namespace_name: 'pets' });
  expect(rest).toEqual({});
  expect(preflightCaller(scope, auth_token, 'pets')).toEqual(scope.caller);
  expect(preflightCaller(scope, auth_token)).toEqual(scope.caller);
  expect(preflightCaller(scope, auth_token, 'dogs')).toBeUndefined();
  expect(preflightCaller(scope, `${auth_token}0`, 'pets')).toBeUndefined();
  expect(preflightCaller(scope, 'anything', 'pets')).toBeUndefined();

  const nobody = registryCall(scope, undefined);
  const authorization = `Bearer ${auth_token}`;
  const post = (repository: string) =>
    nobody('POST', `/v2/${repository}/blobs/uploads/?digest=${sha256('x')}`, 'x', { authorization });
  expect((await post(REPOSITORY)).status).toBe(201);
  expect(await code(await post('local/default/dogs'))).toBe('DENIED');
  wait(15 * 60_000);
  const late = await post(REPOSITORY);
  expect(late.status).toBe(401);
  await pushDocument(scope, REPOSITORY, PETSTORE);
  expect(ask({ namespace_name: 'pets' }).namespace_id).toBe(items(artifacts.getNamespaces({}, scope))[0].id);
});

test('a document that is pushed in one piece can be pulled by tag and by digest', async () => {
  const { scope, call } = open();
  const digest = await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  for (const reference of ['v1', digest]) {
    const manifest = await call('GET', `${ROOT}/manifests/${reference}`);
    expect(manifest.headers).toMatchObject({ 'content-type': MANIFEST, 'docker-content-digest': digest });
    expect(sha256(await bytesOf(manifest))).toBe(digest);
    const head = await call('HEAD', `/v2/${REPOSITORY}/manifests/${reference}`);
    expect(head.headers).toEqual(manifest.headers);
    expect(await textOf(head)).toBe('');
    const names = { organization_slug: 'local', workspace_slug: 'default', namespace_name: 'pets' };
    const same = artifacts.getManifest({ ...names, revision_reference: reference, Accept: MANIFEST }, scope);
    expect(sha256(await bytesOf(same))).toBe(digest);
    const [layer] = (await jsonOf(manifest)).layers;
    expect(await textOf(artifacts.getBlob({ ...names, digest: layer.digest }, scope))).toBe(PETSTORE);
  }
  const blob = await call('GET', `${ROOT}/blobs/${sha256(PETSTORE)}`);
  expect(await textOf(blob)).toBe(PETSTORE);
  expect(blob.headers['docker-content-digest']).toBe(sha256(PETSTORE));
  const head = await call('HEAD', `${ROOT}/blobs/${sha256(PETSTORE)}`);
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(PETSTORE)));
  expect(await textOf(head)).toBe('');
});

test('a blob is pushed in chunks, with its progress told and its digest verified', async () => {
  const { call } = open();
  const bytes = Buffer.alloc(2_500_000, 'chunky ');
  const started = await call('POST', `${ROOT}/blobs/uploads/`);
  expect(started.status).toBe(202);
  const location = String(started.headers.location);
  expect(location).toMatch(new RegExp(`^${ROOT}/blobs/uploads/`));
  const first = await call('PATCH', location, bytes.subarray(0, 1_700_000), { 'content-range': '0-1699999' });
  expect(first).toMatchObject({ status: 202, headers: { range: '0-1699999', location } });
  const gap = await call('PATCH', location, 'x', { 'content-range': '1800000-1800000' });
  expect(gap.status).toBe(416);
  await call('PATCH', location, bytes.subarray(1_700_000, 2_000_000));
  expect((await call('GET', location)).headers.range).toBe('0-1999999');
  const done = await call('PUT', `${location}?digest=${sha256(bytes)}`, bytes.subarray(2_000_000));
  expect(done).toMatchObject({ status: 201, headers: { location: `${ROOT}/blobs/${sha256(bytes)}` } });
  expect((await bytesOf(await call('GET', `${ROOT}/blobs/${sha256(bytes)}`))).equals(bytes)).toBe(true);
  expect(await code(await call('GET', location))).toBe('BLOB_UPLOAD_UNKNOWN');
});

test('a wrong digest is refused and leaves nothing', async () => {
  const { scope, call } = open();
  const wrong = sha256('other');
  const single = await call('POST', `${ROOT}/blobs/uploads/?digest=${wrong}`, 'x');
  expect([single.status, await code(single)]).toEqual([400, 'DIGEST_INVALID']);
  const { location } = (await call('POST', `${ROOT}/blobs/uploads/`)).headers;
  expect(await code(await call('PUT', `${location}?digest=${wrong}`, 'x'))).toBe('DIGEST_INVALID');
  expect(await code(await call('POST', `${ROOT}/blobs/uploads/?digest=md5:0`, 'x'))).toBe('DIGEST_INVALID');
  expect(scope.store.get('SELECT count(*) AS n FROM chunks')?.n).toBe(0);
  expect(await code(await call('GET', `${ROOT}/blobs/${wrong}`))).toBe('BLOB_UNKNOWN');
});

test('an upload can be given up, and belongs to its repository', async () => {
  const { call } = open();
  const location = String((await call('POST', `${ROOT}/blobs/uploads/`)).headers.location);
  expect((await call('GET', location.replace('pets', 'dogs'))).status).toBe(404);
  expect((await call('DELETE', location)).status).toBe(204);
  expect((await call('GET', location)).status).toBe(404);
});

test('a manifest is checked before it is stored', async () => {
  const { scope, call } = open();
  const put = async (reference: string, content: string) =>
    code(await call('PUT', `${ROOT}/manifests/${reference}`, content));
  expect(await put('v1', 'no JSON')).toBe('MANIFEST_INVALID');
  expect(await put('v1', JSON.stringify({ layers: [{ digest: sha256('x') }] }))).toBe(
    'MANIFEST_BLOB_UNKNOWN',
  );
  expect(await put(sha256('x'), '{}')).toBe('DIGEST_INVALID');
  expect(await put('-v1', '{}')).toBe('MANIFEST_INVALID');
  expect(items(artifacts.getNamespaces({}, scope))).toEqual([]);
  const huge = await call('PUT', `${ROOT}/manifests/v1`, Buffer.alloc(5_000_000));
  expect(huge.status).toBe(413);
});

test('a tag moves, and tags are listed, a page at a time where asked', async () => {
  const { scope, call } = open();
  await pushDocument(scope, REPOSITORY, PETSTORE, 'b');
  await pushDocument(scope, REPOSITORY, PETSTORE, 'a');
  const second = await pushDocument(scope, REPOSITORY, `${PETSTORE}# more\n`, 'b');
  const list = await call('GET', `/v2/${REPOSITORY}/tags/list`);
  expect(await jsonOf(list)).toEqual({ name: REPOSITORY, tags: ['a', 'b'] });
  expect((await call('HEAD', `${ROOT}/manifests/b`)).headers['docker-content-digest']).toBe(second);
  const page = await call('GET', `/v2/${REPOSITORY}/tags/list?n=1`);
  expect((await jsonOf(page)).tags).toEqual(['a']);
  const next = /^<(.*)>; rel="next"$/.exec(String(page.headers.link))?.[1] ?? '';
  expect((await jsonOf(await call('GET', next))).tags).toEqual(['b']);
});

test('who may not is told so as the specification has it', async () => {
  const { scope, stranger } = open();
  await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  const nobody = registryCall(scope, undefined);
  const other = registryCall(scope, stranger.caller);
  const mine = registryCall(scope, scope.caller);
  const ping = await nobody('GET', '/v2/');
  expect([ping.status, ping.headers['www-authenticate']]).toEqual([
    401,
    'Bearer realm="http://127.0.0.1:9/v2/token",service="dtp"',
  ]);
  expect(await code(ping)).toBe('UNAUTHORIZED');
  expect((await mine('GET', '/v2/')).status).toBe(200);
  const status = async (call: typeof mine, method: string, path: string) => (await call(method, path)).status;
  expect(await status(nobody, 'GET', `${ROOT}/manifests/v1`)).toBe(401);
  expect(await status(nobody, 'POST', `${ROOT}/blobs/uploads/`)).toBe(401);
  expect(await status(nobody, 'GET', '/v2/no/body/here/manifests/v1')).toBe(401);
  expect(await status(other, 'GET', `${ROOT}/manifests/v1`)).toBe(403);
  expect(await status(other, 'PUT', `${ROOT}/manifests/v1`)).toBe(403);
  expect(await status(mine, 'GET', '/v2/no/body/here/manifests/v1')).toBe(404);
  expect(await status(mine, 'POST', '/v2/local/default/a%20b/blobs/uploads/')).toBe(400);
  expect(await status(mine, 'GET', '/v2/local/default/%E0%A4%A/manifests/v1')).toBe(400);
  expect(await status(mine, 'DELETE', `${ROOT}/manifests/v1`)).toBe(405);
  expect(await code(await mine('GET', '/v2/local/default/gone/tags/list'))).toBe('NAME_UNKNOWN');
  expect(await code(await mine('GET', `${ROOT}/manifests/gone`))).toBe('MANIFEST_UNKNOWN');
  expect(await code(await mine('GET', `${ROOT}/blobs/${sha256('gone')}`))).toBe('BLOB_UNKNOWN');
  expect(await textOf(await mine('HEAD', `${ROOT}/blobs/${sha256('gone')}`))).toBe('');
});

test('a client that asks for a token gets back what it presents', async () => {
  const { scope } = open();
  const nobody = registryCall(scope, undefined);
  const { auth_token } = artifacts.preflight({ body: { namespace_name: 'pets' } }, scope);
  const authorization = `Basic ${Buffer.from(`any:${auth_token}`).toString('base64')}`;
  const { token } = await jsonOf(await nobody('GET', '/v2/token?service=dtp', '', { authorization }));
  expect((await nobody('GET', '/v2/', '', { authorization: `Bearer ${token}` })).status).toBe(200);
});

test('a public namespace is read by all, and written by none but its own', async () => {
  const { scope, stranger } = open();
  await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  const read = async (caller: typeof scope.caller | undefined) =>
    (await registryCall(scope, caller)('GET', `${ROOT}/blobs/${sha256(PETSTORE)}`)).status;
  artifacts.setVisibility({ namespace_name: 'pets', public: true }, scope);
  expect(items(artifacts.getNamespaces({}, scope))[0].public).toBe(true);
  expect([await read(undefined), await read(stranger.caller)]).toEqual([200, 200]);
  expect((await registryCall(scope, undefined)('PUT', `${ROOT}/manifests/v2`, '{}')).status).toBe(401);
  artifacts.setVisibility({ namespace_name: 'pets', public: false }, scope);
  expect([await read(undefined), await read(stranger.caller)]).toEqual([401, 403]);
  expect(await refusal(() => artifacts.setVisibility({ namespace_name: 'no', public: true }, scope))).toMatch(
    /^404/,
  );
});

test('namespaces are listed with what their newest revision holds', async () => {
  const { scope, stranger } = open();
  const digest = await pushDocument(scope, REPOSITORY, PETSTORE);
  await pushDocument(scope, 'local/default/notes', 'no document');
  const answer = artifacts.getNamespaces({}, scope);
  expect(faults('GetNamespacesResponse', answer)).toEqual([]);
  const [notes, pets] = items(answer);
  expect(notes).not.toHaveProperty('latest_revision_metadata');
  expect(pets.latest_revision_metadata).toMatchObject({
    type: 'OPENAPI_BUNDLE',
    namespace: 'pets',
    revision_digest: digest,
    title: 'Pets',
    version: '1.2.3',
    tags: ['pets'],
    operation_ids: ['listPets', 'createPet'],
    contains_code_samples: false,
  });
  expect(artifacts.getNamespaces({}, stranger)).toEqual({ items: [] });
});

test('an overlay is known for one', async () => {
  const { scope } = open();
  const overlay = {
    overlay: '1.0.0',
    info: { title: 'O' },
    actions: [{ target: '$', update: { 'x-codeSamples': [] } }],
  };
  await pushDocument(scope, REPOSITORY, JSON.stringify(overlay));
  const [revision] = items(artifacts.getRevisions({ namespace_name: 'pets' }, scope));
  expect(revision.contents_metadata).toMatchObject({
    type: 'OPENAPI_OVERLAY',
    num_overlay_actions: 1,
    contains_code_samples: true,
  });
});

test('a namespace is archived and brought back', async () => {
  const { scope } = open();
  await pushDocument(scope, REPOSITORY, PETSTORE);
  const archived = () => items(artifacts.getNamespaces({}, scope))[0].archived_at;
  expect(archived()).toBeUndefined();
  artifacts.archiveNamespace({ namespace_name: 'pets' }, scope);
  expect(archived()).toBe(scope.now().toISOString());
  artifacts.archiveNamespace({ namespace_name: 'pets', archived: false }, scope);
  expect(archived()).toBeUndefined();
  expect(await refusal(() => artifacts.archiveNamespace({ namespace_name: 'no' }, scope))).toMatch(/^404/);
});

test('revisions come in pages of fifty, the newest first', async () => {
  const { scope, call } = open();
  const digests: string[] = [];
  for (let n = 0; n < 120; n++) {
    const manifest = JSON.stringify({ schemaVersion: 2, n });
    await call('PUT', `${ROOT}/manifests/v${n}`, manifest);
    digests.unshift(sha256(manifest));
  }
  const page = (next_page_token?: string) =>
    artifacts.getRevisions(
      { namespace_name: 'pets', ...(next_page_token && { next_page_token }) },
      scope,
    ) as {
      items: { digest: string; tags: string[] }[];
      next_page_token: string;
    };
  const first = page();
  expect(faults('GetRevisionsResponse', first)).toEqual([]);
  const second = page(first.next_page_token);
  const third = page(second.next_page_token);
  expect([first, second, third].map(({ items }) => items.length)).toEqual([50, 50, 20]);
  expect(third.next_page_token).toBe('');
  expect([first, second, third].flatMap(({ items }) => items.map(({ digest }) => digest))).toEqual(digests);
  expect(first.items[0]?.tags).toEqual(['v119']);
  for (const bad of ['x', 'AAAA', '!!', Buffer.from('1e3').toString('base64url')])
    expect(await refusal(() => page(bad)), bad).toMatch(/^400 next_page_token/);
  expect(await refusal(() => artifacts.getRevisions({ namespace_name: 'no' }, scope))).toMatch(/^404/);
});

test('tags are added to an existing revision, and move', async () => {
  const { scope } = open();
  const first = await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  const second = await pushDocument(scope, REPOSITORY, `${PETSTORE}# more\n`, 'v2');
  const add = (body: object) => artifacts.postTags({ namespace_name: 'pets', body }, scope);
  add({ revision_digest: first, tags: ['v2', 'main'] });
  const tags = artifacts.getTags({ namespace_name: 'pets' }, scope);
  expect(faults('GetTagsResponse', tags)).toEqual([]);
  expect(items(tags).map(({ name, revision_digest }) => [name, revision_digest])).toEqual([
    ['main', first],
    ['v1', first],
    ['v2', first],
  ]);
  const wrong: readonly [object, RegExp][] = [
    [{ tags: ['a'] }, /^422 revision_digest/],
    [{ revision_digest: second }, /^422 tags/],
    [{ revision_digest: second, tags: [] }, /^422 tags/],
    [{ revision_digest: second, tags: ['ok', 'not ok'] }, /^422 tags/],
    [{ revision_digest: sha256('gone'), tags: ['a'] }, /^404/],
    [{ revision_digest: 'v1', tags: ['a'] }, /^404/],
  ];
  for (const [body, message] of wrong) expect(await refusal(() => add(body))).toMatch(message);
  expect(items(artifacts.getTags({ namespace_name: 'pets' }, scope))).toHaveLength(3);
});

test('a remote source makes its namespace and its subscription, whose namespaces can be ignored', async () => {
  const { scope, stranger } = open();
  const at = (name: string) => ({ registry_url: `https://registry.example/local/default/${name}` });
  const body = { inputs: [at('base:main')], overlays: [at('fix')], output: at('out:latest'), note: 'kept' };
  expect(artifacts.createRemoteSource({ body }, scope)).toBeUndefined();
  expect(artifacts.listRemoteSources({ namespace_name: 'out' }, scope)).toEqual(body);
  expect(await refusal(() => artifacts.listRemoteSources({ namespace_name: 'base' }, scope))).toMatch(/^404/);

  const settings = () => items(artifacts.getNamespaces({}, scope))[0].composite_spec_metadata;
  const { subscription_id: subscriptionID, subscription_settings } = settings();
  expect(subscription_settings).toEqual({
    base_spec_namespaces: ['base'],
    overlay_namespaces: ['fix'],
    ignored_namespaces: [],
    output_namespace: 'out',
  });
  expect(faults('RemoteSourceSubscriptionSettings', subscription_settings)).toEqual([]);
  const ignored = () => settings().subscription_settings.ignored_namespaces;
  const input = { subscriptionID, namespaceName: 'fix' };
  subscriptions.ignoreSubscriptionNamespace(input, scope);
  subscriptions.ignoreSubscriptionNamespace(input, scope);
  expect(ignored()).toEqual(['fix']);
  artifacts.createRemoteSource({ body: { ...body, overlays: undefined } }, scope);
  expect([settings().subscription_id, ignored()]).toEqual([subscriptionID, ['fix']]);
  subscriptions.activateSubscriptionNamespace(input, scope);
  expect(ignored()).toEqual([]);
  for (const change of [
    subscriptions.ignoreSubscriptionNamespace,
    subscriptions.activateSubscriptionNamespace,
  ]) {
    expect(await refusal(() => change(input, stranger))).toMatch(/^403/);
    expect(await refusal(() => change({ ...input, subscriptionID: 'no' }, scope))).toMatch(/^404/);
  }
});

test.each([
  [{ output: { registry_url: 'a/b/c' } }, /^422 inputs/],
  [{ inputs: [], output: { registry_url: 'a/b/c' } }, /^422 inputs/],
  [{ inputs: [{}], output: { registry_url: 'a/b/c' } }, /^422 inputs\[0\]\.registry_url/],
  [{ inputs: [{ registry_url: 'a/b/c' }] }, /^422 output\.registry_url/],
  [{ inputs: [{ registry_url: 'a/b/c' }], overlays: 7, output: { registry_url: 'a/b/c' } }, /^422 overlays/],
])('the remote source %j is refused', async (body, message) => {
  const { scope } = open();
  expect(await refusal(() => artifacts.createRemoteSource({ body }, scope))).toMatch(message);
});

test('over a socket: an ordinary client pushes with the preflight bearer alone, and pulls', async () => {
  const { address, ask, send } = await serviceSocket();
  const preflight = await send('POST', '/v1/artifacts/preflight', { namespace_name: 'pets' });
  const authorization = `Bearer ${(await preflight.json()).auth_token}`;
  const client = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    request(new URL(path, address), {
      method,
      headers: { authorization, ...headers },
      ...(body && { body }),
    });
  const started = await client('POST', `/v2/${REPOSITORY}/blobs/uploads/`);
  const location = String(started.headers.get('location'));
  expect((await client('PATCH', location, PETSTORE.slice(0, 100))).headers.get('range')).toBe('0-99');
  const digest = sha256(PETSTORE);
  expect((await client('PUT', `${location}?digest=${digest}`, PETSTORE.slice(100))).status).toBe(201);
  const head = await client('HEAD', `/v2/${REPOSITORY}/blobs/${digest}`);
  expect([head.status, head.headers.get('content-length')]).toEqual([200, String(PETSTORE.length)]);
  const manifest = JSON.stringify({ schemaVersion: 2, mediaType: MANIFEST, layers: [{ digest }] });
  const put = await client('PUT', `/v2/${REPOSITORY}/manifests/v1`, manifest, { 'content-type': MANIFEST });
  expect([put.status, put.headers.get('docker-content-digest')]).toEqual([201, sha256(manifest)]);
  for (const root of ['/v2', '/v1/oci/v2']) {
    const pulled = await client('GET', `${root}/${REPOSITORY}/manifests/v1`, undefined, { accept: MANIFEST });
    expect([pulled.headers.get('content-type'), await pulled.text()]).toEqual([MANIFEST, manifest]);
    expect(await (await client('GET', `${root}/${REPOSITORY}/blobs/${digest}`)).text()).toBe(PETSTORE);
    const tags = await client('GET', `${root}/${REPOSITORY}/tags/list`);
    expect((await tags.json()).tags).toEqual(['v1']);
  }
  expect((await client('GET', '/v2/local/default/dogs/tags/list')).status).toBe(403);
  expect((await client('GET', '/v1/artifacts/namespaces')).status).toBe(401);

  const nobody = () => request(`${address}${ROOT}/manifests/v1`, { headers: { accept: MANIFEST } });
  expect((await nobody()).status).toBe(401);
  await send('POST', '/v1/artifacts/namespaces/pets/visibility', { public: true });
  expect((await nobody()).status).toBe(200);
  const revisions = await (await ask('GET', '/v1/artifacts/namespaces/pets/revisions')).json();
  expect(revisions).toMatchObject({
    items: [{ digest: sha256(manifest), tags: ['v1'] }],
    next_page_token: '',
  });
  const bad = await ask('GET', '/v1/artifacts/namespaces/pets/revisions?next_page_token=x');
  expect(bad.status).toBe(400);
});
