/** Workspaces, their users and tokens: what was stored can be read back. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { firstKey, seed } from '../../../src/service/tenancy/seed.ts';
import { type Served, served } from '../../support/embedded-service.ts';
import { faults } from '../../support/record-shape.ts';

let service: Served;
let workspace: string;
beforeEach(async () => {
  service = await served();
  workspace = `/v1/workspace/${service.workspaceId}`;
});
afterEach(() => service.close());

const get = async (path: string) => {
  const { status, json } = await service.call('GET', path);
  expect(status).toBe(200);
  return json;
};
const post = (path: string, json?: unknown) => service.call('POST', path, json === undefined ? {} : { json });
const put = (path: string, json?: unknown) => service.call('PUT', path, json === undefined ? {} : { json });
const remove = (path: string) => service.call('DELETE', path);
const user = () => get('/v1/user');

test('the service sets ids, slugs and dates, and stores unknown fields', async () => {
  const given = { name: 'Big Team!', id: 'mine', created_at: 'never', colour: 'blue' };
  const { status, json } = await post('/v1/workspace', given);
  expect(status).toBe(200);
  expect(faults('Workspace', json)).toEqual([]);
  expect(json).toMatchObject({ name: 'Big Team!', slug: 'big-team', colour: 'blue' });
  expect(json.id).not.toBe('mine');
  expect(json.created_at).toBe('2025-03-01T10:00:00.000Z');
  expect(await get(`/v1/workspace/${json.id}`)).toEqual(json);
  expect((await get('/v1/workspaces')).map(({ slug }: { slug: string }) => slug)).toEqual(['default', 'big-team']);
  expect((await get(`/v1/workspace/${json.id}/team`)).users).toEqual([await user()]);
});

test('a missing name, a used or invalid slug, and an unknown or foreign organization are refused', async () => {
  const { organization } = service.addStranger();
  const status = async (given: unknown) => (await post('/v1/workspace', given)).status;
  expect((await post('/v1/workspace', {})).json.message).toContain('name');
  expect(await status({ name: '' })).toBe(422);
  expect(await status([])).toBe(422);
  expect((await post('/v1/workspace', { name: 'Default' })).json.message).toContain('slug');
  expect(await status({ name: 'Default' })).toBe(409);
  expect(await status({ name: 'x', slug: '../y' })).toBe(422);
  expect(await status({ name: '!' })).toBe(422);
  expect(await status({ name: 'x', verified: 'yes' })).toBe(422);
  expect(await status({ name: 'x', organization_id: 'none' })).toBe(404);
  expect(await status({ name: 'x', organization_id: organization })).toBe(403);
});

test('a slug is unique within its organization only', async () => {
  const { json } = await post('/v1/organization', { name: 'Second' });
  const made = await post('/v1/workspace', { name: 'Default', organization_id: json.id });
  expect(made).toMatchObject({ status: 200, json: { slug: 'default', organization_id: json.id } });
});

test('getWorkspaceByContext returns the workspace and the organization of the credential', async () => {
  const context = await get('/v1/workspace');
  expect(faults('WorkspaceAndOrganization', context)).toEqual([]);
  expect(context.workspace.id).toBe(service.workspaceId);
  expect(context.organization.id).toBe(context.workspace.organization_id);
});

test('updateWorkspaceDetails merges fields, and never changes those that the service sets', async () => {
  const before = await get(workspace);
  service.wait(1000);
  const change = {
    name: 'New',
    slug: 'new',
    colour: 'red',
    id: 'x',
    organization_id: 'x',
    created_at: 'x',
  };
  expect(await post(`${workspace}/details`, change)).toMatchObject({ status: 204, text: '' });
  const updated_at = '2025-03-01T10:00:01.000Z';
  expect(await get(workspace)).toEqual({ ...before, name: 'New', slug: 'new', colour: 'red', updated_at });
  expect((await get('/v1/auth/validate')).workspace_slug).toBe('new');
  await post('/v1/workspace', { name: 'Other' });
  expect((await post(`${workspace}/details`, { slug: 'other' })).status).toBe(409);
  expect((await post(`${workspace}/details`, { slug: 'new' })).status).toBe(204);
  expect((await post(`${workspace}/details`, { name: 3 })).status).toBe(422);
});

test('settings are merged', async () => {
  const before = await get(`${workspace}/settings`);
  expect(faults('WorkspaceSettings', before)).toEqual([]);
  expect(before.webhook_url).toBe('');
  service.wait(1000);
  const change = { webhook_url: 'https://a.example/', workspace_id: 'x', theme: 'dark' };
  expect(await put(`${workspace}/settings`, change)).toMatchObject({ status: 204, text: '' });
  expect(await get(`${workspace}/settings`)).toEqual({
    ...before,
    webhook_url: 'https://a.example/',
    theme: 'dark',
    updated_at: '2025-03-01T10:00:01.000Z',
  });
  expect((await put(`${workspace}/settings`, { webhook_url: 1 })).status).toBe(422);
});

test('only an https URL or one of this machine can be a webhook, and an empty string removes it', async () => {
  const set = async (webhook_url: unknown) => (await put(`${workspace}/settings`, { webhook_url })).status;
  const stored = async () => (await get(`${workspace}/settings`)).webhook_url;
  for (const good of [
    'https://hooks.example.com/dtp?x=1',
    'http://localhost:8080/',
    'http://127.0.0.1:1',
    'http://[::1]/x',
    '',
  ]) {
    expect([good, await set(good)]).toEqual([good, 204]);
    expect(await stored()).toBe(good);
  }
  await set('https://hooks.example.com/');
  for (const bad of [
    'not a url',
    'hooks.example.com',
    'http://hooks.example.com/',
    'http://127.0.0.1.evil.example/',
    'ftp://a.example/',
    'javascript:alert(1)',
    ' ',
    7,
    false,
    {},
  ])
    expect([bad, await set(bad)]).toEqual([bad, 422]);
  expect(await stored()).toBe('https://hooks.example.com/');
  const answer = await service.call('GET', `${workspace}/settings`);
  expect(answer.headers['dtp-simplified']).toBe('webhook_url is stored, but never called');
});

test('access is granted by email with an invitation, and revoked', async () => {
  const grant = await put(`${workspace}/team/email/${encodeURIComponent('Ann@A.example')}`);
  expect(grant.status).toBe(200);
  expect(faults('WorkspaceInviteResponse', grant.json)).toEqual([]);
  const { user_id } = grant.json.relationship;
  const member = async () => (await get(`${workspace}/team`)).users.find(({ id }: { id: string }) => id === user_id);
  expect(faults('WorkspaceTeamResponse', await get(`${workspace}/team`))).toEqual([]);
  expect(await member()).toMatchObject({ email: 'ann@a.example', confirmed: false });
  const again = await put(`${workspace}/team/email/ann@a.example`);
  expect(again.json).toEqual(grant.json);

  const invite = new URL(grant.json.invite_link).pathname;
  expect((await service.plain('GET', invite)).status).toBe(200);
  // Whoever sent the invitation may have opened the link, so it does not prove who reads the mailbox.
  expect(await member()).toMatchObject({ confirmed: true, email_verified: false });
  expect((await service.plain('GET', invite)).status).toBe(404);
  expect((await put(`${workspace}/team/email/ann@a.example`)).json.invite_link).toBeNull();

  expect(await remove(`${workspace}/team/${user_id}`)).toMatchObject({ status: 204, text: '' });
  expect(await member()).toBeUndefined();
  expect((await remove(`${workspace}/team/${user_id}`)).status).toBe(404);
  expect((await remove(`${workspace}/team/${(await user()).id}`)).status).toBe(409);
  expect((await put(`${workspace}/team/email/nobody`)).status).toBe(422);
});

test('each workspace has an invitation link for an unconfirmed user, also if access is granted again', async () => {
  const second = (await post('/v1/workspace', { name: 'Second' })).json.id;
  const grant = async (at: string) => (await put(`${at}/team/email/ann@a.example`)).json;
  const { relationship, invite_link: revoked } = await grant(workspace);
  await remove(`${workspace}/team/${relationship.user_id}`);
  const open = async (link: string) => (await service.plain('GET', new URL(link).pathname)).status;
  expect(await open(revoked)).toBe(404);
  const { invite_link: first } = await grant(workspace);
  const { invite_link: other } = await grant(`/v1/workspace/${second}`);
  expect(new Set([revoked, first, other]).size).toBe(3);
  expect(await open(other)).toBe(200);
  expect(await grant(workspace)).toEqual({ relationship, invite_link: first });
  const { users } = await get(`${workspace}/team`);
  expect(users[1]).toMatchObject({ email_verified: false, confirmed: false });
  expect(await open(first)).toBe(200);
  expect((await get(`${workspace}/team`)).users[1].confirmed).toBe(true);
});

test('a token is created with an empty response, and is listed with a key that works', async () => {
  expect((await post(`${workspace}/tokens`, {})).json.message).toContain('name');
  const made = await post(`${workspace}/tokens`, { name: 'ci', key: 'mine', purpose: 'tests' });
  expect(made).toMatchObject({ status: 204, text: '' });
  const tokens = await get(`${workspace}/tokens`);
  expect(faults('WorkspaceToken[]', tokens)).toEqual([]);
  const token = tokens[1];
  expect(token).toMatchObject({ name: 'ci', purpose: 'tests', alg: 'HS256', last_used: null });
  expect(token.key).toMatch(/^dtp_[0-9a-f]{64}$/);
  const headers = { 'x-api-key': token.key };
  expect((await service.plain('GET', workspace, { headers })).status).toBe(200);
  expect(await remove(`${workspace}/tokens/${token.id}`)).toMatchObject({ status: 204, text: '' });
  expect((await service.plain('GET', workspace, { headers })).status).toBe(401);
  expect((await remove(`${workspace}/tokens/${token.id}`)).status).toBe(404);
  expect(await get(`${workspace}/tokens`)).toHaveLength(1);
});

test('the token in use can be deleted, and the tool gets a new one at its next start', async () => {
  const [token] = await get(`${workspace}/tokens`);
  expect((await remove(`${workspace}/tokens/${token.id}`)).status).toBe(204);
  expect((await service.call('GET', workspace)).status).toBe(401);
  seed(service.store, new Date(0));
  const { key } = firstKey(service.store);
  expect((await service.plain('GET', workspace, { headers: { 'x-api-key': key } })).status).toBe(200);
});

test('feature flags are replaced as a set', async () => {
  const flags = async () => (await get(`${workspace}/feature_flags`)).feature_flags;
  expect(await flags()).toEqual([]);
  const set = await post('/v1/workspace/feature_flags', { feature_flags: ['webhooks', 'novel', 'novel'] });
  const expected = ['webhooks', 'novel'].map((feature_flag) => ({ feature_flag, trial_ends_at: null }));
  expect(set).toMatchObject({ status: 200, json: { feature_flags: expected } });
  expect(await flags()).toEqual(expected);
  await post('/v1/workspace/feature_flags', { feature_flags: [] });
  expect(await flags()).toEqual([]);
  expect((await post('/v1/workspace/feature_flags', { feature_flags: 'webhooks' })).status).toBe(422);
});
