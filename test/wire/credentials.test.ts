/** Which credential is sent, where, and that only one is sent; and base URLs. */
import { expect, test } from 'vitest';
import { answer, answerPreflight, guardWire, wire } from '../support/wire.ts';

guardWire();

const none = { DTP_API_KEY: '' };

test.each([
  ['an API key', { DTP_API_KEY: 'k-1' }, { 'x-api-key': 'k-1' }],
  ['a token', { ...none, DTP_TOKEN: 't' }, { authorization: 'Bearer t' }],
  ['a token with its prefix', { ...none, DTP_TOKEN: 'Bearer t' }, { authorization: 'Bearer t' }],
  ['a workspace identifier', { ...none, DTP_WORKSPACE_IDENTIFIER: 'w-1' }, { 'x-workspace-identifier': 'w-1' }],
  [
    'an API key wins over the others',
    { DTP_WORKSPACE_IDENTIFIER: 'w-1', DTP_TOKEN: 't', DTP_API_KEY: 'k-1' },
    { 'x-api-key': 'k-1' },
  ],
  [
    'a token wins over a workspace identifier',
    { ...none, DTP_WORKSPACE_IDENTIFIER: 'w-1', DTP_TOKEN: 't' },
    { authorization: 'Bearer t' },
  ],
])('%s', async (_, env, expected) => {
  const seen = answer('GET', '/v1/user', [200, '{}']);
  expect(await wire(['auth', 'user'], { env })).toMatchObject({ code: 0, stdout: '{}\n' });
  const { connection: _connection, 'user-agent': _agent, ...headers } = seen[0]?.headers ?? {};
  expect(headers).toEqual({
    accept: 'application/json',
    'accept-encoding': 'identity',
    host: 'api.example.test',
    ...expected,
  });
});

test('nothing is sent without a credential', async () => {
  expect(await wire(['auth', 'user'], { env: none })).toMatchObject({ code: 4, stdout: '' });
});

test('an access token needs no credential, and none of the three is sent', async () => {
  const path = '/v1/auth/access_token?workspace_id=w_1';
  const seen = answer('GET', path, [200, '{}'], [200, '{}']);
  const all = { DTP_API_KEY: 'k-1', DTP_TOKEN: 't', DTP_WORKSPACE_IDENTIFIER: 'w-1' };
  for (const env of [none, all]) expect(await wire(['auth', 'token', '-w', 'w_1'], { env })).toMatchObject({ code: 0 });
  for (const { headers } of seen)
    expect(Object.keys(headers).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  expect(seen).toHaveLength(2);
});

test.each([
  ['https://api.example.test/', '/v1/user'],
  ['https://api.example.test/prefix', '/prefix/v1/user'],
  ['https://api.example.test/prefix/', '/prefix/v1/user'],
  ['https://api.example.test:443/a/b//', '/a/b/v1/user'],
])('the base URL %s', async (base, path) => {
  const seen = answer('GET', path, [200, '{}']);
  expect(await wire(['auth', 'user'], { env: { DTP_BASE_URL: base } })).toMatchObject({ code: 0 });
  expect(seen.map((one) => one.path)).toEqual([path]);
});

test('the flag overrides the workspace of the environment', async () => {
  const seen = answer('GET', '/v1/workspace/w_flag1/team', [200, '{"users":[]}']);
  const env = { DTP_WORKSPACE_ID: 'environment' };
  expect(await wire(['ws', 'team', 'list', '-w', 'w_flag1'], { env })).toMatchObject({ code: 0 });
  expect(seen).toHaveLength(1);
});

test('slugs that are not set are requested', async () => {
  const asked = answer('GET', '/v1/auth/validate', [200, '{"org_slug":"o/1","workspace_slug":"w 1"}']);
  const token = answerPreflight();
  const seen = answer('GET', '/v1/oci/v2/o%2F1/w%201/ns/blobs/d', [200, 'PK']);
  expect(await wire(['artifacts', 'blobs', 'get', 'ns', 'd'])).toMatchObject({ code: 0, stdout: 'PK' });
  expect([...asked, ...token].map(({ headers }) => headers['x-api-key'])).toEqual(['k-1', 'k-1']);
  expect(seen[0]?.headers).toMatchObject({ authorization: 'Bearer t-1' });
  expect(seen[0]?.headers).not.toHaveProperty('x-api-key');
});

const blob = ['artifacts', 'blobs', 'get', 'ns', 'd', '--organization-slug', 'o', '--workspace-slug', 'w'];

test.each([
  ['401 from preflight: the credential itself is sent', 401, { 'x-api-key': 'k-1' }],
  ['403 from preflight: the namespace may be public, so no credential is sent', 403, {}],
  ['404 from preflight: no credential is sent either', 404, {}],
])('%s', async (_, status, expected) => {
  answer('POST', '/v1/artifacts/preflight', [status, '{}']);
  const seen = answer('GET', '/v1/oci/v2/o/w/ns/blobs/d', [200, 'PK']);
  expect(await wire(blob)).toMatchObject({ code: 0, stdout: 'PK' });
  const { 'x-api-key': key, authorization } = seen[0]?.headers ?? {};
  expect({ key, authorization }).toEqual({
    key: (expected as Record<string, string>)['x-api-key'],
    authorization: undefined,
  });
});

test('nothing is fetched if preflight fails, and --dry-run requests no token', async () => {
  answer('POST', '/v1/artifacts/preflight', [500, '{}']);
  expect(await wire(blob)).toMatchObject({ code: 10, stdout: '' });
  const shown = await wire([...blob, '--dry-run', '-o', 'json']);
  expect(JSON.parse(shown.stdout).headers).toMatchObject({ authorization: '***' });
});
