/** The embedded service's distribution endpoint, as OCI clients see it: preflight, blobs, manifests and tags. */
import { expect, test } from 'vitest';
import { artifacts } from '../../../src/service/handlers/artifacts.ts';
import { visitorOf } from '../../../src/service/registry/visitors.ts';
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
} from '../../support/service-scope.ts';

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

test('preflight returns a bearer that is valid for one namespace and a quarter of an hour', async () => {
  const { scope, wait } = open();
  const ask = (body?: object) => artifacts.preflight({ body }, scope);
  expect(await refusal(() => ask())).toMatch(/^422 body/);
  expect(await refusal(() => ask({}))).toMatch(/^422 namespace_name/);
  const { auth_token, ...rest } = ask({ namespace_name: 'pets' });
  expect(rest).toEqual({});
  const visitor = (token: string) => visitorOf({ authorization: `Bearer ${token}` }, scope).caller;
  expect(visitor(auth_token)).toEqual(scope.caller);
  for (const wrong of [`${auth_token}0`, 'dist_', 'dist_a.b', 'anything'])
    expect(await refusal(() => visitor(wrong))).toMatch(/^401/);

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

test('a document that was pushed in one piece can be pulled by tag and by digest', async () => {
  const { scope, call } = open();
  const digest = await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  for (const reference of ['v1', digest]) {
    const manifest = await call('GET', `${ROOT}/manifests/${reference}`);
    expect(manifest.headers).toMatchObject({ 'content-type': MANIFEST, 'docker-content-digest': digest });
    expect(sha256(await bytesOf(manifest))).toBe(digest);
    const head = await call('HEAD', `/v2/${REPOSITORY}/manifests/${reference}`);
    expect(head.headers).toEqual(manifest.headers);
    expect(await textOf(head)).toBe('');
    const [layer] = (await jsonOf(manifest)).layers;
    expect(await textOf(await call('GET', `${ROOT}/blobs/${layer.digest}`))).toBe(PETSTORE);
  }
  const blob = await call('GET', `${ROOT}/blobs/${sha256(PETSTORE)}`);
  expect(await textOf(blob)).toBe(PETSTORE);
  expect(blob.headers['docker-content-digest']).toBe(sha256(PETSTORE));
  const head = await call('HEAD', `${ROOT}/blobs/${sha256(PETSTORE)}`);
  expect(head.headers['content-length']).toBe(String(Buffer.byteLength(PETSTORE)));
  expect(await textOf(head)).toBe('');
});

test('a tag can be moved, and tags are listed, in pages if requested', async () => {
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

test('denied and invalid requests get the errors of the specification', async () => {
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
  expect(await status(mine, 'PATCH', `${ROOT}/manifests/v1`)).toBe(405);
  expect(await code(await mine('GET', '/v2/local/default/gone/tags/list'))).toBe('NAME_UNKNOWN');
  expect(await code(await mine('GET', `${ROOT}/manifests/gone`))).toBe('MANIFEST_UNKNOWN');
  expect(await code(await mine('GET', `${ROOT}/blobs/${sha256('gone')}`))).toBe('BLOB_UNKNOWN');
  expect(await textOf(await mine('HEAD', `${ROOT}/blobs/${sha256('gone')}`))).toBe('');
});

test('a client that requests a token gets its own credential back', async () => {
  const { scope } = open();
  const nobody = registryCall(scope, undefined);
  const { auth_token } = artifacts.preflight({ body: { namespace_name: 'pets' } }, scope);
  const authorization = `Basic ${Buffer.from(`any:${auth_token}`).toString('base64')}`;
  const { token } = await jsonOf(await nobody('GET', '/v2/token?service=dtp', '', { authorization }));
  expect((await nobody('GET', '/v2/', '', { authorization: `Bearer ${token}` })).status).toBe(200);
});

test('Basic is accepted, an invalid credential gets no token, and the anonymous token gives no access', async () => {
  const { scope, first } = open();
  await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  const nobody = registryCall(scope, undefined);
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`x:${password}`).toString('base64')}`,
  });
  const get = async (path: string, headers: Record<string, string> = {}) =>
    (await nobody('GET', path, '', headers)).status;
  const manifest = `/v2/${REPOSITORY}/manifests/v1`;
  expect(await get('/v2/', basic(first.key))).toBe(200);
  expect(await get(manifest, basic(first.key))).toBe(200);
  expect(await get(manifest, basic('wrong'))).toBe(401);
  expect(await get(manifest, { authorization: 'Digest x' })).toBe(401);
  expect(await get('/v2/token', basic('wrong'))).toBe(401);
  expect(await get('/v2/token', basic(''))).toBe(401);
  const { token, access_token } = await jsonOf(await nobody('GET', '/v2/token?service=dtp'));
  expect(access_token).toBe(token);
  const authorization = `Bearer ${token}`;
  expect(await get('/v2/', { authorization })).toBe(401);
  expect(await get(manifest, { authorization })).toBe(401);
  artifacts.setVisibility({ namespace_name: 'pets', public: true }, scope);
  expect(await get(manifest, { authorization })).toBe(200);
  expect(await get(manifest, basic('wrong'))).toBe(401);
});

test('tags are sorted without regard to case, and each is listed once for any page size', async () => {
  const { scope, call } = open();
  for (const tag of ['b', 'A', 'a', 'C', '1']) await pushDocument(scope, REPOSITORY, PETSTORE, tag);
  const pages = async (n: number) => {
    const tags: string[] = [];
    let next = `/v2/${REPOSITORY}/tags/list?n=${n}`;
    while (next !== '') {
      const page = await call('GET', next);
      tags.push(...(await jsonOf(page)).tags);
      next = /^<(.*)>; rel="next"$/.exec(String(page.headers.link))?.[1] ?? '';
    }
    return tags.join(' ');
  };
  for (const n of [1, 2, 3, 5, 99_999_999]) expect(await pages(n)).toBe('1 A a b C');
  const list = async (query: string) => call('GET', `/v2/${REPOSITORY}/tags/list?${query}`);
  expect((await jsonOf(await list('last=a'))).tags).toEqual(['b', 'C']);
  expect(await jsonOf(await list('n=0'))).toEqual({ name: REPOSITORY, tags: [] });
  expect((await jsonOf(await list(`n=${'9'.repeat(40)}`))).tags).toHaveLength(5);
  for (const n of ['x', '-1', '1.5', '']) expect(await code(await list(`n=${n}`))).toBe('PAGINATION_NUMBER_INVALID');
});

test('a layer that is stored elsewhere need not be pushed, and media types are preserved', async () => {
  const { call } = open();
  const elsewhere = { digest: sha256('x'), urls: ['https://layers.example/x'] };
  const manifest = JSON.stringify({ schemaVersion: 2, layers: [elsewhere] });
  expect((await call('PUT', `${ROOT}/manifests/v1`, manifest)).status).toBe(201);
  for (const type of [
    'application/vnd.oci.image.index.v1+json',
    'application/vnd.docker.distribution.manifest.list.v2+json',
  ]) {
    const index = JSON.stringify({ schemaVersion: 2, mediaType: type, manifests: [] });
    const put = await call('PUT', `${ROOT}/manifests/${sha256(index)}`, index, { 'content-type': type });
    expect(put).toMatchObject({ status: 201, headers: { 'docker-content-digest': sha256(index) } });
    const head = await call('HEAD', `${ROOT}/manifests/${sha256(index)}`);
    expect(head.headers['content-type']).toBe(type);
    expect(head.headers['docker-distribution-api-version']).toBe('registry/2.0');
  }
});

test('a failure has the error body of the specification and of the Error record under both roots', async () => {
  const { ask } = await serviceSocket();
  for (const [path, status, expected] of [
    [`${REPOSITORY}/manifests/v1`, 404, 'MANIFEST_UNKNOWN'],
    [`${REPOSITORY}/blobs/${sha256('x')}`, 404, 'BLOB_UNKNOWN'],
    ['no/body/here/manifests/v1', 404, 'NAME_UNKNOWN'],
    ['other/elsewhere/pets/manifests/v1', 403, 'DENIED'],
    [`${REPOSITORY}/tags/list`, 404, 'NAME_UNKNOWN'],
    ['two/names/manifests/v1', 404, 'NAME_UNKNOWN'],
    ['one/more/name/here/tags/list', 404, 'NAME_UNKNOWN'],
  ] as const)
    for (const root of ['/v2', '/v1/oci/v2']) {
      const answer = await ask('GET', `${root}/${path}`);
      const { errors, message, status_code } = await answer.json();
      expect([path, answer.status, status_code, errors[0].code]).toEqual([path, status, status, expected]);
      expect(errors[0].message).toBe(message);
    }
});

test('over a socket: an ordinary client pushes and pulls with only the preflight bearer', async () => {
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
