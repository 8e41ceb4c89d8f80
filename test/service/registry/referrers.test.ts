/** The embedded service's distribution endpoint: manifests about other manifests, and manifests with sha512 digests. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { bytesOf, jsonOf, registryCall, serviceScope, sha256, textOf } from '../../support/service-scope.ts';

const ROOT = '/v2/local/default/pets';
const INDEX = 'application/vnd.oci.image.index.v1+json';
const IMAGE = 'application/vnd.oci.image.manifest.v1+json';

function open() {
  const { scope, stranger } = serviceScope();
  return { call: registryCall(scope, scope.caller), other: registryCall(scope, stranger.caller) };
}

const sha512 = (content: string) => `sha512:${createHash('sha512').update(content).digest('hex')}`;
const subject = { mediaType: IMAGE, digest: sha256('the subject'), size: 11 };
const manifest = (members: object) => JSON.stringify({ schemaVersion: 2, layers: [], subject, ...members });

// OCI Distribution Specification 1.1, Pushing Manifests with Subject and Listing Referrers.
test('a manifest with a subject is listed with its type and annotations, whether or not the subject exists', async () => {
  const { call, other } = open();
  const list = async (query = '') => call('GET', `${ROOT}/referrers/${subject.digest}${query}`);
  const empty = await list();
  expect(empty).toMatchObject({ status: 200, headers: { 'content-type': INDEX } });
  expect(await jsonOf(empty)).toEqual({ schemaVersion: 2, mediaType: INDEX, manifests: [] });

  const signature = manifest({ artifactType: 'application/x-signature', annotations: { by: 'ci' } });
  const config = { mediaType: 'application/x-report', digest: sha256('{}'), size: 2 };
  await call('POST', `${ROOT}/blobs/uploads/?digest=${sha256('{}')}`, '{}');
  const report = manifest({ config });
  const index = JSON.stringify({ schemaVersion: 2, mediaType: INDEX, manifests: [], subject });
  for (const [content, type] of [
    [signature, IMAGE],
    [report, IMAGE],
    [index, INDEX],
  ] as const) {
    const put = await call('PUT', `${ROOT}/manifests/${sha256(content)}`, content, { 'content-type': type });
    expect(put).toMatchObject({ status: 201, headers: { 'oci-subject': subject.digest } });
  }
  const one = {
    mediaType: IMAGE,
    digest: sha256(signature),
    size: signature.length,
    artifactType: 'application/x-signature',
    annotations: { by: 'ci' },
  };
  const two = {
    mediaType: IMAGE,
    digest: sha256(report),
    size: report.length,
    artifactType: 'application/x-report',
  };
  const three = { mediaType: INDEX, digest: sha256(index), size: index.length };
  const all = await list();
  expect(all.headers).not.toHaveProperty('oci-filters-applied');
  expect((await jsonOf(all)).manifests).toEqual([one, two, three]);
  const filtered = await list('?artifactType=application%2Fx-report');
  expect(filtered.headers['oci-filters-applied']).toBe('artifactType');
  expect((await jsonOf(filtered)).manifests).toEqual([two]);
  expect((await jsonOf(await list('?artifactType=none'))).manifests).toEqual([]);

  expect((await other('GET', `${ROOT}/referrers/${subject.digest}`)).status).toBe(403);
  await call('DELETE', `${ROOT}/manifests/${sha256(signature)}`);
  expect((await jsonOf(await list())).manifests).toEqual([two, three]);
  const wrong = await call('GET', `${ROOT}/referrers/latest`);
  expect([wrong.status, (await jsonOf(wrong)).errors[0].code]).toEqual([400, 'DIGEST_INVALID']);
});

test('a manifest without a subject is not announced as one', async () => {
  const { call } = open();
  const put = await call('PUT', `${ROOT}/manifests/v1`, JSON.stringify({ schemaVersion: 2, layers: [] }));
  expect(put.headers).not.toHaveProperty('oci-subject');
});

// OCI Distribution Specification 1.1, Pushing Manifests: the digest may use any registered algorithm.
test('a manifest that is pushed by a sha512 digest is pulled by it', async () => {
  const { call } = open();
  const content = JSON.stringify({ schemaVersion: 2, layers: [] });
  const digest = sha512(content);
  expect((await call('PUT', `${ROOT}/manifests/${sha512('x')}`, content)).status).toBe(400);
  const put = await call('PUT', `${ROOT}/manifests/${digest}`, content);
  expect(put).toMatchObject({ status: 201, headers: { 'docker-content-digest': digest } });
  const pulled = await call('GET', `${ROOT}/manifests/${digest}`);
  expect(pulled.headers['docker-content-digest']).toBe(digest);
  expect(await textOf(pulled)).toBe(content);
  const head = await call('HEAD', `${ROOT}/manifests/${digest}`);
  expect(head.headers['content-length']).toBe(String(content.length));
  expect(await bytesOf(head)).toHaveLength(0);
  const index = JSON.stringify({ schemaVersion: 2, manifests: [{ digest, size: content.length }] });
  expect((await call('PUT', `${ROOT}/manifests/all`, index)).status).toBe(201);
});
