/** The embedded service's registry: namespaces, revisions, tags, remote sources, subscriptions. */
import { expect, test } from 'vitest';
import { artifacts } from '../../../src/service/handlers/artifacts.ts';
import { subscriptions } from '../../../src/service/handlers/subscriptions.ts';
import { faults } from '../../support/record-shape.ts';
import { PETSTORE, pushDocument, refusal, registryCall, serviceScope, sha256 } from '../../support/service-scope.ts';

const REPOSITORY = 'local/default/pets';
const ROOT = `/v1/oci/v2/${REPOSITORY}`;

function open() {
  const opened = serviceScope();
  return { ...opened, call: registryCall(opened.scope, opened.scope.caller) };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape is checked by faults
const items = (answer: unknown): any[] => (answer as { items: unknown[] }).items;

test('everyone can read a public namespace, and only its workspace can write to it', async () => {
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
  expect(await refusal(() => artifacts.setVisibility({ namespace_name: 'no', public: true }, scope))).toMatch(/^404/);
});

test('namespaces are listed with the metadata of their newest revision', async () => {
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

test('the metadata recognizes an overlay', async () => {
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

test.each([
  ['YAML', 'openapi: 3.1.0\npaths: {}\ninfo: { title: 007, version: 1.10 }', '1.10'],
  ['YAML in blocks', 'openapi: 3.1.0\npaths: {}\ninfo:\n  title: 007\n  version: 1.10 # next: 1.11', '1.10'],
  ['quoted YAML', 'openapi: 3.1.0\npaths: {}\ninfo: { title: 007, version: "1.10" }', '1.10'],
  ['an alias', 'openapi: 3.1.0\nx-v: &v 2.0\npaths: {}\ninfo: { title: 007, version: *v }', '2.0'],
  ['JSON', '{"openapi":"3.1.0","paths":{},"info":{"title":"007","version":1.0}}', '1.0'],
])('the metadata has the version as it is written in %s', async (_, document, version) => {
  const { scope } = open();
  await pushDocument(scope, REPOSITORY, document);
  const [revision] = items(artifacts.getRevisions({ namespace_name: 'pets' }, scope));
  expect(revision.contents_metadata).toMatchObject({ title: '007', version });
});

test('a namespace can be archived and restored', async () => {
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

test('revisions come in pages of fifty, newest first', async () => {
  const { scope, call } = open();
  const digests: string[] = [];
  for (let n = 0; n < 120; n++) {
    const manifest = JSON.stringify({ schemaVersion: 2, layers: [], n });
    await call('PUT', `${ROOT}/manifests/v${n}`, manifest);
    digests.unshift(sha256(manifest));
  }
  const page = (next_page_token?: string) =>
    artifacts.getRevisions({ namespace_name: 'pets', ...(next_page_token && { next_page_token }) }, scope) as {
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

test('a tag can be added to an existing revision, and moved', async () => {
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

test('a remote source creates a namespace and a subscription, whose namespaces can be ignored', async () => {
  const { scope, stranger } = open();
  await pushDocument(scope, 'local/default/base', PETSTORE, 'main');
  await pushDocument(scope, 'local/default/fix', 'overlay: 1.0.0\nactions: []\n');
  const body = { inputs: [at('base:main')], overlays: [at('fix')], output: at('out:latest'), note: 'kept' };
  expect(artifacts.createRemoteSource({ body }, scope)).toBeUndefined();
  expect(artifacts.listRemoteSources({ namespace_name: 'out' }, scope)).toEqual(body);
  expect(await refusal(() => artifacts.listRemoteSources({ namespace_name: 'base' }, scope))).toMatch(/^404/);

  const settings = () =>
    items(artifacts.getNamespaces({}, scope)).find(({ name }) => name === 'out').composite_spec_metadata;
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
  for (const change of [subscriptions.ignoreSubscriptionNamespace, subscriptions.activateSubscriptionNamespace]) {
    expect(await refusal(() => change(input, stranger))).toMatch(/^403/);
    expect(await refusal(() => change({ ...input, subscriptionID: 'no' }, scope))).toMatch(/^404/);
    expect(await refusal(() => change({ ...input, namespaceName: 'no' }, scope))).toMatch(
      /^404 subscription .* has no namespace no/,
    );
  }
});

const at = (name: string) => ({ registry_url: `https://registry.example/local/default/${name}` });

test.each([
  [{ output: { registry_url: 'a/b/c' } }, /^422 inputs/],
  [{ inputs: [], output: { registry_url: 'a/b/c' } }, /^422 inputs/],
  [{ inputs: [{}], output: { registry_url: 'a/b/c' } }, /^422 inputs\[0\]\.registry_url/],
  [{ inputs: [{ registry_url: 'a/b/c' }] }, /^422 inputs\[0\]\.registry_url: workspace a\/b not found/],
  [{ inputs: [at('none')] }, /^422 inputs\[0\]\.registry_url: namespace none not found/],
  [{ inputs: [at('pets:v9')] }, /^422 inputs\[0\]\.registry_url: namespace pets has no revision v9/],
  [{ inputs: [at(`pets@${sha256('x')}`)] }, /^422 inputs\[0\]\.registry_url: namespace pets has no revision/],
  [{ inputs: [at('pets'), at('empty')] }, /^422 inputs\[1\]\.registry_url: namespace empty has no revision/],
  [{ inputs: [at('pets')], overlays: [at('none')] }, /^422 overlays\[0\]\.registry_url: namespace none/],
  [{ inputs: [{ registry_url: 'x/other/elsewhere/theirs' }] }, /^403 inputs\[0\].* another workspace/],
  [{ inputs: [at('pets')] }, /^422 output\.registry_url/],
  [{ inputs: [at('pets')], overlays: 7, output: at('out') }, /^422 overlays/],
  [{ inputs: [at('pets')], output: at('pets') }, /^422 output is the same namespace as inputs\[0\]/],
  [{ inputs: [at('pets')], output: { registry_url: 'x/other/elsewhere/out' } }, /^403 output.* another/],
])('the remote source %j is refused', async (body, message) => {
  const { scope, stranger } = open();
  await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  await pushDocument(stranger, 'other/elsewhere/theirs', PETSTORE);
  scope.store.run(
    "INSERT INTO namespaces (workspace_id, name, id, created_at, updated_at) VALUES (?, 'empty', 'e', '', '')",
    scope.caller.workspaceId,
  );
  expect(await refusal(() => artifacts.createRemoteSource({ body }, scope))).toMatch(message);
  expect(scope.store.all('SELECT namespace FROM remote_sources')).toEqual([]);
  expect(scope.store.all("SELECT name FROM namespaces WHERE name = 'out'")).toEqual([]);
});
