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

const CHUNKS = 150;

/** Adds rows to the content of the blob LAYER. The requests of `call` note how many rows are left at each turn. */
async function pushLarge() {
  const opened = open();
  const { store, share } = opened.scope;
  const left: number[] = [];
  const turn = async () => {
    await share.turn();
    left.push(opened.contents());
  };
  const noting = { ...opened.scope, share: { ...share, turn } };
  await opened.call('POST', `${ROOT}/blobs/uploads/?digest=${LAYER}`, PETSTORE);
  const grow = (id: unknown) => {
    for (let position = 1; position < CHUNKS; position++)
      store.insert('chunks', { content_id: String(id), position, bytes: Buffer.from('a') });
  };
  grow(store.find('blobs', { digest: LAYER })?.content_id);
  return { ...opened, store, left, grow, call: registryCall(noting, noting.caller) };
}

test('a large blob, or the upload of one, is deleted in several turns', async () => {
  const { call, store, left, grow } = await pushLarge();
  const { headers } = await call('POST', `${ROOT}/blobs/uploads/`);
  grow(headers['docker-upload-uuid']);
  const upload = String(headers.location);
  left.length = 0;
  expect((await call('DELETE', upload)).status).toBe(204);
  expect((await call('GET', upload)).status).toBe(404);
  const CONTENT = CHUNKS - 1;
  expect(left.map((all) => all - CHUNKS)).toEqual([CONTENT, CONTENT - 64, CONTENT - 128, 0]);
  left.length = 0;
  expect((await call('DELETE', `${ROOT}/blobs/${LAYER}`)).status).toBe(202);
  expect(left).toEqual([CHUNKS, CHUNKS - 64, CHUNKS - 128]);
  expect(store.all('SELECT * FROM chunks')).toEqual([]);
  expect(store.all('SELECT * FROM uploads')).toEqual([]);
});

test('later uploads delete the rest of a large blob whose client leaves', async () => {
  const { call, scope, left, contents } = await pushLarge();
  const leaving = {
    ...scope,
    share: {
      ...scope.share,
      turn: async () => {
        if (contents() < CHUNKS) throw new Error('the client has gone');
      },
    },
  };
  await expect(registryCall(leaving, leaving.caller)('DELETE', `${ROOT}/blobs/${LAYER}`)).rejects.toThrow('has gone');
  expect(contents()).toBe(CHUNKS - 64);
  expect((await call('GET', `${ROOT}/blobs/${LAYER}`)).status).toBe(404);
  for (const rest of [CHUNKS - 128, 0]) {
    left.length = 0;
    expect((await call('POST', '/v2/local/default/other/blobs/uploads/')).status).toBe(202);
    expect(left.at(-1)).toBe(rest);
  }
});

test('of a large blob that is pushed again, later uploads delete the second content', async () => {
  const { call, store, contents } = await pushLarge();
  const { headers } = await call('POST', `${ROOT}/blobs/uploads/`);
  const upload = String(headers.location);
  await call('PATCH', upload, PETSTORE);
  for (let position = 1; position < CHUNKS; position++)
    store.insert('chunks', { content_id: String(headers['docker-upload-uuid']), position, bytes: Buffer.alloc(0) });
  expect((await call('PUT', `${upload}?digest=${LAYER}`)).status).toBe(201);
  for (const rest of [CHUNKS - 64, CHUNKS - 128, 0, 0]) {
    expect(contents()).toBe(CHUNKS + rest);
    await call('DELETE', String((await call('POST', '/v2/local/default/other/blobs/uploads/')).headers.location));
  }
  expect(store.all('SELECT * FROM uploads')).toEqual([]);
});

test('a blob is kept if a manifest for it arrives while others are searched, and 404 if another request deletes it', async () => {
  const { scope, call } = open();
  const manifest = (n: number) => JSON.stringify({ schemaVersion: 2, layers: [], annotations: { n: String(n) } });
  for (let n = 0; n < 60; n++) await call('PUT', `${ROOT}/manifests/v${n}`, manifest(n));
  const deleting = (meanwhile: () => Promise<unknown>) => {
    let turns = 0;
    const turn = async () => {
      if (++turns === 3) await meanwhile();
    };
    const own = { ...scope, share: { ...scope.share, turn } };
    return registryCall(own, own.caller)('DELETE', `${ROOT}/blobs/${LAYER}`);
  };
  await call('POST', `${ROOT}/blobs/uploads/?digest=${LAYER}`, PETSTORE);
  let digest = '';
  const kept = await deleting(async () => {
    digest = await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  });
  expect([kept.status, await code(kept)]).toEqual([405, 'UNSUPPORTED']);
  expect(await textOf(await call('GET', `${ROOT}/blobs/${LAYER}`))).toBe(PETSTORE);
  await call('DELETE', `${ROOT}/manifests/${digest}`);
  const gone = await deleting(() => call('DELETE', `${ROOT}/blobs/${LAYER}`));
  expect([gone.status, await code(gone)]).toEqual([404, 'BLOB_UNKNOWN']);
});

test('only uploads of the same workspace remove its loose blobs', async () => {
  const { scope, stranger, call, status, wait } = open();
  await call('POST', `${ROOT}/blobs/uploads/?digest=${LAYER}`, PETSTORE);
  wait(DAY_MS + 1);
  await registryCall({ ...scope, caller: stranger.caller }, stranger.caller)(
    'POST',
    '/v2/other/elsewhere/pets/blobs/uploads/',
  );
  expect(scope.store.find('blobs', { digest: LAYER })).toBeDefined();
  await call('POST', '/v2/local/default/other/blobs/uploads/');
  expect(await status('GET', `${ROOT}/blobs/${LAYER}`)).toBe(404);
});
