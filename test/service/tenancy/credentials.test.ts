/** Who may call what over a real socket: the credential schemes, access tokens, and access to workspaces. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOrganization, addWorkspace } from '../../../src/service/tenancy/tenants.ts';
import { type Served, served } from '../../support/embedded-service.ts';

let service: Served;
let stranger: ReturnType<Served['addStranger']>;
beforeAll(async () => {
  service = await served();
  stranger = service.addStranger();
});
afterAll(() => service.close());

const error = (status: number, message: unknown) => ({
  status,
  json: { message, status_code: status },
});

const user = (headers: Record<string, string>) => service.plain('GET', '/v1/user', { headers });
const token = async (workspace = service.workspaceId) =>
  (await service.plain('GET', `/v1/auth/access_token?workspace_id=${workspace}`)).json.access_token;

test('each scheme works, and so does a key as a bearer', async () => {
  for (const headers of [
    { 'x-api-key': service.key },
    { 'x-workspace-identifier': service.workspaceId },
    { authorization: `Bearer ${await token()}` },
    { authorization: `bearer ${service.key}` },
  ])
    expect(await user(headers)).toMatchObject({ status: 200, json: { email: 'user@dtp.local' } });
});

test('401 without a credential', async () => {
  const answer = await user({});
  expect(answer).toMatchObject(error(401, expect.stringContaining('credential is required')));
  expect(answer.headers['www-authenticate']).toBe('Bearer');
});

test.each([
  { 'x-api-key': 'dtp_wrong' },
  { 'x-api-key': '' },
  { authorization: 'Bearer wrong' },
  { authorization: 'Bearer a.b.c' },
  { authorization: 'Basic d3Jvbmc=' },
  { 'x-workspace-identifier': 'nothing' },
])('401 for %o', async (headers) => {
  expect((await user(headers)).status).toBe(401);
});

test('a key without a scheme is not a valid authorization header', async () => {
  expect((await user({ authorization: service.key })).status).toBe(401);
});

// api.md, Authentication 1: credentials that satisfy any one scheme are enough.
const carried = ['x-api-key', 'authorization', 'x-workspace-identifier'] as const;
const states = ['valid', 'wrong', 'absent'] as const;
const mixes = states.flatMap((key) => states.flatMap((bearer) => states.map((id) => [key, bearer, id] as const)));

test.each(mixes)('x-api-key %s, Authorization %s, x-workspace-identifier %s', async (...mix) => {
  const valid = [service.key, `Bearer ${await token()}`, service.workspaceId];
  const headers = Object.fromEntries(
    mix.flatMap((state, at) =>
      state === 'absent' ? [] : [[carried[at] ?? '', state === 'valid' ? (valid[at] ?? '') : 'wrong']],
    ),
  );
  const expected = mix.includes('valid') ? 200 : 401;
  for (const path of ['/v1/user', `/v1/workspace/${service.workspaceId}`, '/v2/', '/v1/oci/v2/'])
    expect([path, (await service.plain('GET', path, { headers })).status]).toEqual([path, expected]);
  // Only a key may see keys, whatever else is sent.
  const { json } = await service.plain('GET', `/v1/workspace/${service.workspaceId}/tokens`, { headers });
  if (expected === 200) expect(json[0].key).toBe(mix[0] === 'valid' ? service.key : '');
});

test('401 for an access token that was changed or has no signature', async () => {
  const [header, payload = '', signature] = (await token()).split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  for (const bearer of [
    `${header}.${forged({ ...claims, workspace_id: stranger.workspace, sub: stranger.user })}.${signature}`,
    `${forged({ alg: 'none', typ: 'JWT' })}.${payload}.`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
  ])
    expect((await user({ authorization: `Bearer ${bearer}` })).status).toBe(401);
});

test('an access token expires after an hour', async () => {
  const own = await served();
  const path = `/v1/auth/access_token?workspace_id=${own.workspaceId}`;
  const { access_token } = (await own.plain('GET', path)).json;
  const headers = { authorization: `Bearer ${access_token}` };
  own.wait(3_599_000);
  expect((await own.plain('GET', '/v1/user', { headers })).status).toBe(200);
  own.wait(1000);
  expect((await own.plain('GET', '/v1/user', { headers })).status).toBe(401);
  await own.close();
});

test("403 for another user's workspace, 404 for an unknown one", async () => {
  expect(await service.call('GET', `/v1/workspace/${stranger.workspace}`)).toMatchObject(
    error(403, expect.stringContaining(stranger.workspace)),
  );
  expect(await service.call('GET', '/v1/workspace/none')).toMatchObject(error(404, 'workspace none not found'));
  const theirs = await service.plain('GET', `/v1/workspace/${service.workspaceId}`, stranger);
  expect(theirs.status).toBe(403);
});

test('a credential also opens other workspaces of the same user', async () => {
  const { json } = await service.call('POST', '/v1/workspace', { json: { name: 'Second' } });
  expect((await service.call('GET', `/v1/workspace/${json.id}/team`)).status).toBe(200);
});

test('an invitation to a workspace gives its key nothing in the organization, even if the user has created that', async () => {
  const own = await served();
  const invite = async (email: string) =>
    (await own.call('PUT', `/v1/workspace/${own.workspaceId}/team/email/${email}`)).json.relationship.user_id;
  const [ann, bob] = [await invite('ann@a.example'), await invite('bob@a.example')];
  const organization = addOrganization(own.store, {}, { name: 'Hers', slug: 'hers', userId: ann, now: new Date() });
  const made = { name: 'His', slug: 'his', organizationId: String(organization.id), userId: bob, now: new Date() };
  const { id: his } = addWorkspace(own.store, {}, made);
  // Earlier versions made such invitations, and Bob can open the link too.
  own.store.insert('invites', { code: 'sent', workspace_id: String(his), user_id: ann });
  const { text } = await own.plain('GET', '/invites/sent');
  const headers = { 'x-api-key': /dtp_[0-9a-f]{64}/.exec(text)?.[0] ?? '' };
  expect((await own.plain('GET', `/v1/workspace/${his}/team`, { headers })).status).toBe(200);
  for (const [method, path, json = {}] of [
    ['GET', '/v1/organization/usage'],
    ['GET', '/v1/organization/add_ons'],
    ['POST', '/v1/organization/add_ons', { add_ons: ['webhooks'] }],
    ['POST', '/v1/organization/free_trial'],
    ['POST', '/v1/workspace', { name: 'More' }],
  ] as const)
    expect([path, (await own.plain(method, path, { headers, json })).status]).toEqual([path, 403]);
  await own.close();
});

test('an invalid credential is refused before the body is read', async () => {
  const answer = await service.plain('POST', '/v1/workspace', { body: '{{' });
  expect(answer.status).toBe(401);
});

test('last_used is updated once a minute', async () => {
  const own = await served();
  const lastUsed = async () => (await own.call('GET', `/v1/workspace/${own.workspaceId}/tokens`)).json[0].last_used;
  expect(await lastUsed()).toBe('2025-03-01T10:00:00.000Z');
  own.wait(30_000);
  expect(await lastUsed()).toBe('2025-03-01T10:00:00.000Z');
  own.wait(30_000);
  expect(await lastUsed()).toBe('2025-03-01T10:01:00.000Z');
  await own.close();
});

test('a preflight token is valid for its namespace, but for no operation', async () => {
  const { json } = await service.call('POST', '/v1/artifacts/preflight', {
    json: { namespace_name: 'n' },
  });
  const headers = { authorization: `Bearer ${json.auth_token}`, accept: '*/*' };
  const { organizationSlug, workspaceSlug } = service;
  const manifest = `/v1/oci/v2/${organizationSlug}/${workspaceSlug}/n/manifests/latest`;
  expect((await service.plain('GET', manifest, { headers })).status).toBe(404);
  expect((await service.plain('GET', manifest.replace('/n/', '/m/'), { headers })).status).toBe(403);
  expect((await service.plain('GET', '/v1/user', { headers })).status).toBe(401);
});

test('the distribution endpoint is available under both paths', async () => {
  for (const path of ['/v2/', '/v1/oci/v2/']) {
    expect((await service.call('GET', path)).status).toBe(200);
    expect((await service.plain('GET', path)).json.errors[0].code).toBe('UNAUTHORIZED');
    expect((await service.plain('GET', path, { headers: { 'x-api-key': 'wrong' } })).status).toBe(401);
  }
});
