/** The embedded service's distribution endpoint: deleted tags, manifests and blobs, and the removal of garbage. */
import { expect, test } from 'vitest';
import { artifacts } from '../../../src/service/handlers/artifacts.ts';
import {
  jsonOf,
  PETSTORE,
  pushDocument,
  registryCall,
  serviceScope,
  sha256,
  textOf,
} from '../../support/service-scope.ts';

const REPOSITORY = 'local/default/pets';
const ROOT = `/v2/${REPOSITORY}`;
const LAYER = sha256(PETSTORE);
const DAY_MS = 24 * 3_600_000;

function open() {
  const opened = serviceScope();
  const call = registryCall(opened.scope, opened.scope.caller);
  const status = async (method: string, path: string) => (await call(method, path)).status;
  /** A day later, the next upload removes garbage. */
  const sweep = async () => {
    opened.wait(DAY_MS + 1);
    await call('POST', '/v2/local/default/other/blobs/uploads/');
  };
  const contents = () => Number(opened.scope.store.get('SELECT count(*) AS n FROM chunks')?.n);
  return { ...opened, call, status, sweep, contents };
}

const code = async (reply: unknown) => (await jsonOf(reply)).errors[0].code;

// OCI Distribution Specification 1.1, Deleting tags.
test('of a deleted tag, the manifest and the other tags stay', async () => {
  const { scope, call, status } = open();
  const digest = await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  await pushDocument(scope, REPOSITORY, PETSTORE, 'v2');
  expect(await status('DELETE', `${ROOT}/manifests/v1`)).toBe(202);
  expect(await status('GET', `${ROOT}/manifests/v1`)).toBe(404);
  expect(await status('GET', `${ROOT}/manifests/${digest}`)).toBe(200);
  expect((await jsonOf(await call('GET', `${ROOT}/tags/list`))).tags).toEqual(['v2']);
  expect(await code(await call('DELETE', `${ROOT}/manifests/v1`))).toBe('MANIFEST_UNKNOWN');
});

// OCI Distribution Specification 1.1, Deleting Manifests.
test('with a manifest, its tags and its revision go', async () => {
  const { scope, call, status } = open();
  const digest = await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  expect(await status('DELETE', `${ROOT}/manifests/${digest}`)).toBe(202);
  for (const reference of ['v1', digest]) expect(await status('GET', `${ROOT}/manifests/${reference}`)).toBe(404);
  expect(artifacts.getRevisions({ namespace_name: 'pets' }, scope)).toMatchObject({ items: [] });
  expect(artifacts.getTags({ namespace_name: 'pets' }, scope)).toEqual({ items: [] });
  expect(await code(await call('DELETE', `${ROOT}/manifests/${digest}`))).toBe('MANIFEST_UNKNOWN');
  await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  expect(await status('GET', `${ROOT}/manifests/v1`)).toBe(200);
});

// OCI Distribution Specification 1.1, Deleting Blobs.
test('a blob is deleted unless a manifest refers to it', async () => {
  const { scope, call, status, contents } = open();
  const digest = await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  const inUse = await call('DELETE', `${ROOT}/blobs/${LAYER}`);
  expect([inUse.status, inUse.headers.allow, await code(inUse)]).toEqual([405, 'GET, HEAD', 'UNSUPPORTED']);
  expect(await textOf(await call('GET', `${ROOT}/blobs/${LAYER}`))).toBe(PETSTORE);
  await call('DELETE', `${ROOT}/manifests/${digest}`);
  expect(await status('DELETE', `${ROOT}/blobs/${LAYER}`)).toBe(202);
  expect(contents()).toBe(0);
  expect(await code(await call('DELETE', `${ROOT}/blobs/${LAYER}`))).toBe('BLOB_UNKNOWN');
});

test('a manifest may write the digest of a blob with escapes', async () => {
  const { scope, call, status, sweep } = open();
  await call('POST', `${ROOT}/blobs/uploads/?digest=${LAYER}`, PETSTORE);
  const escaped = LAYER.replace('sha', '\\u0073ha');
  const manifest = `{"schemaVersion":2,"layers":[{"digest":"${escaped}"}]}`;
  expect((await call('PUT', `${ROOT}/manifests/v1`, manifest)).status).toBe(201);
  expect(await status('DELETE', `${ROOT}/blobs/${LAYER}`)).toBe(405);
  scope.store.run(
    'INSERT INTO loose_blobs (workspace_id, namespace, digest, since) VALUES (?, ?, ?, ?)',
    scope.caller.workspaceId,
    'pets',
    LAYER,
    '',
  );
  await sweep();
  expect(await status('GET', `${ROOT}/blobs/${LAYER}`)).toBe(200);
});

test('a mounted blob survives the deletion of the other one', async () => {
  const { scope, call, status, contents } = open();
  await call('POST', `${ROOT}/blobs/uploads/?digest=${LAYER}`, PETSTORE);
  const other = '/v2/local/default/dogs';
  await call('POST', `${other}/blobs/uploads/?mount=${LAYER}&from=${REPOSITORY}`);
  expect(await status('DELETE', `${ROOT}/blobs/${LAYER}`)).toBe(202);
  expect(await textOf(await call('GET', `${other}/blobs/${LAYER}`))).toBe(PETSTORE);
  expect(await status('DELETE', `${other}/blobs/${LAYER}`)).toBe(202);
  expect(contents()).toBe(0);
  expect(scope.store.all('SELECT * FROM loose_blobs')).toEqual([]);
});

test('a blob that no manifest has referred to for a day is removed', async () => {
  const { scope, call, status, sweep, contents, wait } = open();
  await call('POST', `${ROOT}/blobs/uploads/?digest=${LAYER}`, PETSTORE);
  wait(DAY_MS - 60_000);
  await call('POST', '/v2/local/default/other/blobs/uploads/');
  expect(await status('GET', `${ROOT}/blobs/${LAYER}`)).toBe(200);
  await sweep();
  expect(await status('GET', `${ROOT}/blobs/${LAYER}`)).toBe(404);
  expect(contents()).toBe(0);

  const digest = await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  await sweep();
  expect(await status('GET', `${ROOT}/blobs/${LAYER}`)).toBe(200);
  await call('DELETE', `${ROOT}/manifests/${digest}`);
  expect(await status('GET', `${ROOT}/blobs/${LAYER}`)).toBe(200);
  await sweep();
  expect(await status('GET', `${ROOT}/blobs/${LAYER}`)).toBe(404);
});

test('a client that finds a blob has a day to push its manifest', async () => {
  const { call, status, wait } = open();
  await call('POST', `${ROOT}/blobs/uploads/?digest=${LAYER}`, PETSTORE);
  for (let day = 0; day < 3; day++) {
    wait(DAY_MS - 60_000);
    expect(await status('HEAD', `${ROOT}/blobs/${LAYER}`)).toBe(200);
    await call('POST', '/v2/local/default/other/blobs/uploads/');
  }
  wait(DAY_MS + 1);
  await call('POST', '/v2/local/default/other/blobs/uploads/');
  expect(await status('HEAD', `${ROOT}/blobs/${LAYER}`)).toBe(404);
});
