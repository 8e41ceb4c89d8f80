/** The embedded service's manifests: the checks before one is stored. */
import { expect, test } from 'vitest';
import { artifacts } from '../../../src/service/handlers/artifacts.ts';
import { jsonOf, registryCall, serviceScope, sha256 } from '../../support/service-scope.ts';

const ROOT = '/v1/oci/v2/local/default/pets';

function open() {
  const { scope } = serviceScope();
  return { scope, call: registryCall(scope, scope.caller) };
}

const code = async (reply: unknown) => (await jsonOf(reply)).errors[0].code;

test('a manifest is checked before it is stored', async () => {
  const { scope, call } = open();
  const put = async (reference: string, content: string) =>
    code(await call('PUT', `${ROOT}/manifests/${reference}`, content));
  const manifest = (members: object) => JSON.stringify({ schemaVersion: 2, ...members });
  const empty = manifest({ layers: [] });
  for (const wrong of ['no JSON', '[]', '{}', '{"layers":[]}', manifest({}), manifest({ layers: {} })])
    expect(await put('v1', wrong)).toBe('MANIFEST_INVALID');
  expect(await put('v1', `{"x":${'['.repeat(4_000_000)}`)).toBe('MANIFEST_INVALID');
  expect(await put(sha256('x'), empty)).toBe('DIGEST_INVALID');
  expect(await put('-v1', empty)).toBe('MANIFEST_INVALID');
  await call('POST', `${ROOT}/blobs/uploads/?digest=${sha256('four')}`, 'four');
  for (const [layer, expected] of [
    [{}, 'MANIFEST_INVALID'],
    [{ digest: sha256('x') }, 'MANIFEST_BLOB_UNKNOWN'],
    [{ digest: sha256('four'), size: 5 }, 'MANIFEST_INVALID'],
    [{ digest: sha256('four'), size: '4' }, 'MANIFEST_INVALID'],
  ] as const) {
    expect(await put('v1', manifest({ layers: [layer] }))).toBe(expected);
    expect(await put('v1', manifest({ config: layer, layers: [] }))).toBe(expected);
  }
  expect(artifacts.getNamespaces({}, scope)).toEqual({ items: [] });
  const huge = await call('PUT', `${ROOT}/manifests/v1`, Buffer.alloc(5_000_000));
  expect(huge.status).toBe(413);
});

test('the images of an index must be pushed before it', async () => {
  const { scope, call } = open();
  const child = JSON.stringify({ schemaVersion: 2, layers: [] });
  const put = async (descriptor: object) => {
    const index = JSON.stringify({ schemaVersion: 2, manifests: [descriptor] });
    const reply = await call('PUT', `${ROOT}/manifests/all`, index);
    return reply.status === 201 ? 'made' : code(reply);
  };
  const whole = { digest: sha256(child), size: child.length };
  expect(await put(whole)).toBe('MANIFEST_BLOB_UNKNOWN');
  expect(artifacts.getNamespaces({}, scope)).toEqual({ items: [] });
  await call('PUT', `${ROOT}/manifests/one`, child);
  expect(await put({ ...whole, size: 1 })).toBe('MANIFEST_INVALID');
  expect(await put({ digest: 'one' })).toBe('MANIFEST_INVALID');
  expect(await put(whole)).toBe('made');
});
