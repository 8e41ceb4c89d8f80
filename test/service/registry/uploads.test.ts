/** The embedded service's distribution endpoint: blob uploads in one piece, in chunks, and by two clients at once. */
import { expect, test } from 'vitest';
import type { Reply } from '../../../src/service/handler.ts';
import {
  bytesOf,
  jsonOf,
  PETSTORE,
  pushDocument,
  registryCall,
  serviceScope,
  sha256,
} from '../../support/service-scope.ts';

const REPOSITORY = 'local/default/pets';
const ROOT = `/v1/oci/v2/${REPOSITORY}`;

function open() {
  const opened = serviceScope();
  return { ...opened, call: registryCall(opened.scope, opened.scope.caller) };
}

const code = async (reply: unknown) => (await jsonOf(reply)).errors[0].code;

test('a blob is pushed in chunks, with progress reports and a verified digest', async () => {
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

test('a wrong digest is refused and leaves nothing behind', async () => {
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

test('an upload can be canceled, and belongs to its repository', async () => {
  const { call } = open();
  const location = String((await call('POST', `${ROOT}/blobs/uploads/`)).headers.location);
  expect((await call('GET', location.replace('pets', 'dogs'))).status).toBe(404);
  expect((await call('DELETE', location)).status).toBe(204);
  expect((await call('GET', location)).status).toBe(404);
});

test('an upload that is not finished within a day is deleted when the next one starts', async () => {
  const { scope, call, wait } = open();
  const begin = async () => String((await call('POST', `${ROOT}/blobs/uploads/`)).headers.location);
  const count = () => scope.store.get('SELECT count(*) AS n FROM chunks')?.n;
  const first = await begin();
  await call('PATCH', first, 'first');
  wait(12 * 3_600_000);
  const second = await begin();
  await call('PATCH', second, 'second');
  wait(12 * 3_600_000);
  await begin();
  expect((await call('GET', first)).status).toBe(204);
  wait(1);
  expect(count()).toBe(2);
  await begin();
  expect(await code(await call('PATCH', first, 'more'))).toBe('BLOB_UPLOAD_UNKNOWN');
  expect((await call('GET', second)).headers.range).toBe('0-5');
  expect(count()).toBe(1);
});

test('the Content-Range of a chunk must match its position and length', async () => {
  const { call } = open();
  const location = String((await call('POST', `${ROOT}/blobs/uploads/`)).headers.location);
  const patch = async (range: string, length = 4) => {
    const headers = { 'content-range': range, 'content-length': String(length) };
    const reply = await call('PATCH', location, 'abcd', headers);
    return reply.status === 202 ? reply.headers.range : `${reply.status} ${await code(reply)}`;
  };
  expect(await patch('4-7')).toBe('416 BLOB_UPLOAD_INVALID');
  expect(await patch('all')).toBe('416 BLOB_UPLOAD_INVALID');
  expect(await patch('0-9')).toBe('400 SIZE_INVALID');
  expect(await patch('0-3')).toBe('0-3');
  expect(await patch('0-3')).toBe('416 BLOB_UPLOAD_INVALID');
  expect(await patch('bytes 4-7/*')).toBe('0-7');
  const status = await call('GET', location);
  expect(status).toMatchObject({ status: 204, headers: { location, range: '0-7' } });
  const done = await call('PUT', `${location}?digest=${sha256('abcdabcd')}`);
  expect(done.headers['docker-content-digest']).toBe(sha256('abcdabcd'));
});

test('a blob is mounted from another repository, or from any if none is named', async () => {
  const { scope, call } = open();
  await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  const digest = sha256(PETSTORE);
  const mount = `mount=${encodeURIComponent(digest)}`;
  const from = `&from=${encodeURIComponent(REPOSITORY)}`;
  for (const [name, query] of [
    ['dogs', `${mount}${from}`],
    ['cats', mount],
  ]) {
    const root = `/v2/local/default/${name}`;
    const mounted = await call('POST', `${root}/blobs/uploads/?${query}`);
    expect(mounted).toMatchObject({ status: 201, headers: { location: `${root}/blobs/${digest}` } });
    expect((await bytesOf(await call('GET', `${root}/blobs/${digest}`))).toString()).toBe(PETSTORE);
  }
  expect(scope.store.get('SELECT count(DISTINCT content_id) AS n FROM chunks')?.n).toBe(1);
});

test.each([
  ['a blob that does not exist', `mount=${sha256('gone')}&from=local/default/pets`],
  ['a repository that does not exist', `mount=${sha256(PETSTORE)}&from=no/body/here`],
  ['a repository of another workspace', `mount=${sha256(PETSTORE)}&from=other/elsewhere/pets`],
  ['a name with too few parts', `mount=${sha256(PETSTORE)}&from=pets`],
])('a mount of %s becomes an ordinary upload', async (_, query) => {
  const { scope, call, stranger } = open();
  await pushDocument(scope, REPOSITORY, PETSTORE, 'v1');
  await pushDocument({ ...scope, caller: stranger.caller }, 'other/elsewhere/pets', PETSTORE, 'v1');
  const started = await call('POST', `/v2/local/default/dogs/blobs/uploads/?${query}`);
  expect(started.status).toBe(202);
  expect(started.headers.location).toMatch(/^\/v2\/local\/default\/dogs\/blobs\/uploads\/./);
});

test('if two requests append to an upload at once, one is refused, and their bytes do not mix', async () => {
  const { call } = open();
  const location = String((await call('POST', `${ROOT}/blobs/uploads/`)).headers.location);
  const bytes = Buffer.alloc(5_000_000, 'twice ');
  const sent = await Promise.all([1, 2].map(() => call('PATCH', location, bytes)));
  expect(sent.map(({ status }) => status).sort()).toEqual([202, 416]);
  const done = await call('PUT', `${location}?digest=${sha256(bytes)}`);
  expect(done.status).toBe(201);
});

test('an upload that is finished twice at once becomes one complete blob', async () => {
  const { call } = open();
  const bytes = Buffer.alloc(3_000_000, 'ended ');
  const location = String((await call('POST', `${ROOT}/blobs/uploads/`)).headers.location);
  await call('PATCH', location, bytes);
  const end = (digest: string, content = '') => call('PUT', `${location}?digest=${digest}`, content);
  const ends: Promise<Reply>[] = [end(sha256(bytes)), end(sha256(bytes)), end(sha256('other'))];
  const statuses = (await Promise.all(ends)).map(({ status }) => status);
  expect(statuses).toEqual([201, 201, 400]);
  expect((await end(sha256(bytes), 'more')).status).toBe(404);
  const blob = await call('GET', `${ROOT}/blobs/${sha256(bytes)}`);
  expect(sha256(await bytesOf(blob))).toBe(sha256(bytes));
});
