/** Auth, workspaces, organizations, publishing tokens, schema store and short URLs: what is written is read again. */
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { firstKey, seed } from '../src/service/seed.ts';
import { openStore } from '../src/service/store.ts';
import { faults } from './support/conforms.ts';
import { type Served, served } from './support/served.ts';

let service: Served;
let workspace: string;
beforeEach(async () => {
  service = await served();
  workspace = `/v1/workspace/${service.workspaceId}`;
});
afterEach(() => service.close());

const DAY = 24 * 60 * 60 * 1000;
const get = async (path: string) => {
  const { status, json } = await service.call('GET', path);
  expect(status).toBe(200);
  return json;
};
const post = (path: string, json?: unknown) => service.call('POST', path, json === undefined ? {} : { json });
const put = (path: string, json?: unknown) => service.call('PUT', path, json === undefined ? {} : { json });
const remove = (path: string) => service.call('DELETE', path);
const user = () => get('/v1/user');
const event = (id: string, more: object) => ({ id, interaction_type: 'TARGET_GENERATE', ...more });

describe('auth', () => {
  test('validateApiKey tells what is stored', async () => {
    expect(await get('/v1/auth/validate')).toEqual({
      workspace_id: service.workspaceId,
      workspace_slug: 'default',
      org_slug: 'local',
      generation_access_unlimited: false,
      account_type_v2: 'free',
      enabled_features: [],
      billing_add_ons: [],
      feature_flags: [],
      telemetry_disabled: false,
      workspace_created_at: '2025-03-01T10:00:00.000Z',
    });
    await post('/v1/workspace/feature_flags', { feature_flags: ['webhooks'] });
    await post('/v1/organization/add_ons', { add_ons: ['snippet_ai'] });
    await post('/v1/organization/free_trial');
    const details = await get('/v1/auth/validate');
    expect(faults('ApiKeyDetails', details)).toEqual([]);
    expect(details).toMatchObject({
      generation_access_unlimited: true,
      enabled_features: ['webhooks'],
      billing_add_ons: ['snippet_ai'],
    });
  });

  test('getUser', async () => {
    expect(faults('User', await user())).toEqual([]);
    expect(await user()).toMatchObject({
      email: 'user@dtp.local',
      default_workspace_id: service.workspaceId,
      has_created_api_key: true,
    });
  });

  test('getAccessToken needs no credential and tells its claims', async () => {
    await post('/v1/workspace/feature_flags', { feature_flags: ['webhooks'] });
    const path = `/v1/auth/access_token?workspace_id=${service.workspaceId}`;
    const { json } = await service.plain('GET', path);
    expect(faults('AccessToken', json)).toEqual([]);
    const payload = JSON.parse(Buffer.from(json.access_token.split('.')[1], 'base64url').toString());
    expect(json.claims).toEqual(payload);
    expect(payload.exp - payload.iat).toBe(3600);
    expect(json.user.id).toBe(payload.sub);
    expect(json.workspaces).toMatchObject([{ id: service.workspaceId, account_type: 'free' }]);
    expect(json.feature_flags).toEqual([{ feature_flag: 'webhooks', trial_ends_at: null }]);
    expect((await user()).last_login_at).toBe('2025-03-01T10:00:00.000Z');
    expect((await service.plain('GET', '/v1/auth/access_token?workspace_id=none')).status).toBe(404);
  });

  test('getWorkspaceAccess follows the languages in use, the trial and the plan', async () => {
    const access = (query = '') => get(`/v1/workspace/access${query}`);
    expect(faults('AccessDetails', await access())).toEqual([]);
    expect(await access('?targetType=go')).toMatchObject({ generation_allowed: true, level: 'allowed' });
    await post(`${workspace}/events`, [event('e1', { generate_target: 'typescript' })]);
    expect(await access('?targetType=typescript')).toMatchObject({ generation_allowed: true });
    expect(await access('?targetType=go')).toMatchObject({ generation_allowed: false, level: 'blocked' });
    await post('/v1/organization/free_trial');
    expect(await access('?targetType=go')).toMatchObject({ generation_allowed: true });
    service.wait(14 * DAY);
    expect(await access('?targetType=go')).toMatchObject({ generation_allowed: false });
  });

  test('getWorkspaceAccess is counted by day, unless it is passive', async () => {
    const counts = () => service.store.all('SELECT day, checks FROM access_checks ORDER BY day');
    await get('/v1/workspace/access');
    await get('/v1/workspace/access?passive=false');
    await get('/v1/workspace/access?passive=true&targetType=go');
    service.wait(DAY);
    await get('/v1/workspace/access');
    expect(counts()).toEqual([
      { day: '2025-03-01', checks: 2 },
      { day: '2025-03-02', checks: 1 },
    ]);
  });
});

describe('workspaces', () => {
  test('the service makes ids, slugs and dates; unknown fields are kept', async () => {
    const given = { name: 'Big Team!', id: 'mine', created_at: 'never', colour: 'blue' };
    const { status, json } = await post('/v1/workspace', given);
    expect(status).toBe(200);
    expect(faults('Workspace', json)).toEqual([]);
    expect(json).toMatchObject({ name: 'Big Team!', slug: 'big-team', colour: 'blue' });
    expect(json.id).not.toBe('mine');
    expect(json.created_at).toBe('2025-03-01T10:00:00.000Z');
    expect(await get(`/v1/workspace/${json.id}`)).toEqual(json);
    expect((await get('/v1/workspaces')).map(({ slug }: { slug: string }) => slug)).toEqual([
      'default',
      'big-team',
    ]);
    expect((await get(`/v1/workspace/${json.id}/team`)).users).toEqual([await user()]);
  });

  test('refused: no name, a taken slug, a wrong slug, an organization that is not there or not yours', async () => {
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

  test('getWorkspaceByContext', async () => {
    const context = await get('/v1/workspace');
    expect(faults('WorkspaceAndOrganization', context)).toEqual([]);
    expect(context.workspace.id).toBe(service.workspaceId);
    expect(context.organization.id).toBe(context.workspace.organization_id);
  });

  test('updateWorkspaceDetails merges, and never changes what the service made', async () => {
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

  test('settings', async () => {
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

  test('the team: granted by e-mail, invited once, revoked', async () => {
    const grant = await put(`${workspace}/team/email/${encodeURIComponent('Ann@A.example')}`);
    expect(grant.status).toBe(200);
    expect(faults('WorkspaceInviteResponse', grant.json)).toEqual([]);
    const { user_id } = grant.json.relationship;
    const member = async () =>
      (await get(`${workspace}/team`)).users.find(({ id }: { id: string }) => id === user_id);
    expect(faults('WorkspaceTeamResponse', await get(`${workspace}/team`))).toEqual([]);
    expect(await member()).toMatchObject({ email: 'ann@a.example', confirmed: false });
    const again = await put(`${workspace}/team/email/ann@a.example`);
    expect(again.json).toEqual(grant.json);

    const invite = new URL(grant.json.invite_link).pathname;
    expect((await service.plain('GET', invite)).status).toBe(200);
    expect(await member()).toMatchObject({ confirmed: true, email_verified: true });
    expect((await service.plain('GET', invite)).status).toBe(404);
    expect((await put(`${workspace}/team/email/ann@a.example`)).json.invite_link).toBeNull();

    expect(await remove(`${workspace}/team/${user_id}`)).toMatchObject({ status: 204, text: '' });
    expect(await member()).toBeUndefined();
    expect((await remove(`${workspace}/team/${user_id}`)).status).toBe(404);
    expect((await remove(`${workspace}/team/${(await user()).id}`)).status).toBe(409);
    expect((await put(`${workspace}/team/email/nobody`)).status).toBe(422);
  });

  test('tokens: made without an answer, listed with their key, which opens', async () => {
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

  test('the token in use may be deleted; the tool gets another at its next start', async () => {
    const [token] = await get(`${workspace}/tokens`);
    expect((await remove(`${workspace}/tokens/${token.id}`)).status).toBe(204);
    expect((await service.call('GET', workspace)).status).toBe(401);
    seed(service.store, new Date(0));
    const { key } = firstKey(service.store);
    expect((await service.plain('GET', workspace, { headers: { 'x-api-key': key } })).status).toBe(200);
  });

  test('feature flags: the set is replaced', async () => {
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
});

describe('organizations', () => {
  test('made, listed, got', async () => {
    const { status, json } = await post('/v1/organization', { name: 'Second One', id: 'x', colour: 'blue' });
    expect(status).toBe(200);
    expect(faults('Organization', json)).toEqual([]);
    expect(json).toMatchObject({ slug: 'second-one', account_type: 'free', colour: 'blue' });
    expect(await get(`/v1/organization/${json.id}`)).toEqual(json);
    const all = await get('/v1/organizations');
    expect(faults('Organization[]', all)).toEqual([]);
    expect(all.map(({ slug }: { slug: string }) => slug)).toEqual(['local', 'second-one']);
    expect((await post('/v1/organization', {})).status).toBe(422);
    expect((await post('/v1/organization', { name: 'x', slug: 'local' })).status).toBe(409);
  });

  test("404 for none, 403 for another user's", async () => {
    const { organization } = service.addStranger();
    expect((await service.call('GET', '/v1/organization/none')).status).toBe(404);
    expect((await service.call('GET', `/v1/organization/${organization}`)).status).toBe(403);
    expect(await get('/v1/organizations')).toHaveLength(1);
  });

  test('one free trial of fourteen days', async () => {
    const trial = await post('/v1/organization/free_trial');
    expect(trial).toMatchObject({ status: 204, text: '' });
    expect(trial.headers['dtp-simplified']).toContain('nothing is billed');
    const { organization } = await get('/v1/workspace');
    expect(organization.free_trial_expiry).toBe('2025-03-15T10:00:00.000Z');
    expect((await post('/v1/organization/free_trial')).status).toBe(409);
  });

  test('usage follows from the events', async () => {
    expect(await get('/v1/organization/usage')).toEqual({
      usage: [],
      total_allowed_languages: 1,
      allowed_languages: [],
    });
    const second = (await post('/v1/workspace', { name: 'Second' })).json.id;
    const counted = (target: string, lock: string, used: number, features?: string) => ({
      generate_target: target,
      generate_gen_lock_id: lock,
      generate_number_of_operations_used: used,
      ...(features && { generate_gen_lock_post_features: features }),
    });
    await post(`${workspace}/events`, [
      event('e1', counted('typescript', 'l1', 7, 'core, webhooks')),
      event('e2', counted('typescript', 'l1', 9)),
      event('e3', { success: true }),
    ]);
    await post(`/v1/workspace/${second}/events`, [
      event('e1', counted('go', 'l2', 3)),
      event('e2', counted('typescript', 'l3', 4)),
    ]);
    const usage = await get('/v1/organization/usage');
    expect(faults('OrganizationUsageResponse', usage)).toEqual([]);
    expect(usage).toMatchObject({ total_allowed_languages: 1, allowed_languages: ['typescript'] });
    const [typescript, go] = usage.usage;
    expect(typescript).toMatchObject({
      language: 'typescript',
      number_of_operations: 9,
      used_features: ['core', 'webhooks'],
      accessible: true,
    });
    expect(typescript.workspaces.sort()).toEqual([service.workspaceId, second].sort());
    expect(typescript.gen_lock_ids.sort()).toEqual(['l1', 'l3']);
    expect(go).toMatchObject({ language: 'go', accessible: false, gen_lock_ids: ['l2'], used_features: [] });

    await post('/v1/organization/free_trial');
    const trial = await get('/v1/organization/usage');
    expect(trial).toMatchObject({
      allowed_languages: ['typescript', 'go'],
      free_trial_expiry: '2025-03-15T10:00:00.000Z',
    });
  });

  test('add-ons', async () => {
    expect(await get('/v1/organization/add_ons')).toEqual({ add_ons: [] });
    expect((await post('/v1/organization/add_ons', { add_ons: ['webhooks', 'novel'] })).json).toEqual({
      add_ons: ['webhooks', 'novel'],
    });
    await post('/v1/organization/add_ons', { add_ons: ['snippet_ai', 'webhooks'] });
    expect(await get('/v1/organization/add_ons')).toEqual({ add_ons: ['webhooks', 'novel', 'snippet_ai'] });
    expect(await remove('/v1/organization/add_ons/novel')).toMatchObject({ status: 200, text: '' });
    expect(await get('/v1/organization/add_ons')).toEqual({ add_ons: ['webhooks', 'snippet_ai'] });
    expect((await remove('/v1/organization/add_ons/novel')).status).toBe(404);
    expect((await post('/v1/organization/add_ons', { add_ons: [1] })).status).toBe(422);
  });
});

describe('publishing tokens', () => {
  const tokens = '/v1/publishing-tokens';
  const given = {
    target_id: 't1',
    target_resource: 'document',
    valid_until: '2025-03-02T12:00:00+02:00',
    token_name: 'docs',
  };
  const create = async (more: object = {}) => (await post(tokens, { ...given, ...more })).json;

  test('made, listed, got, updated, deleted', async () => {
    const token = await create();
    expect(faults('PublishingToken', token)).toEqual([]);
    expect(token).toMatchObject({ ...given, valid_until: '2025-03-02T10:00:00.000Z' });
    expect(await get(tokens)).toEqual([token]);
    expect(await get(`${tokens}/${token.id}`)).toEqual(token);
    service.wait(1000);
    const update = await put(`${tokens}/${token.id}`, { valid_until: '2026-01-01T00:00:00Z' });
    expect(update).toMatchObject({ status: 200, text: '' });
    expect(await get(`${tokens}/${token.id}`)).toEqual({
      ...token,
      valid_until: '2026-01-01T00:00:00.000Z',
      updated_at: '2025-03-01T10:00:01.000Z',
      updated_by: (await user()).id,
    });
    await put(`${tokens}/${token.id}`, { valid_until: '2026-01-01T00:00:00Z', token_name: 'new' });
    expect((await get(`${tokens}/${token.id}`)).token_name).toBe('new');
    expect(await remove(`${tokens}/${token.id}`)).toMatchObject({ status: 200, text: '' });
    expect((await service.call('GET', `${tokens}/${token.id}`)).status).toBe(404);
    expect((await remove(`${tokens}/${token.id}`)).status).toBe(404);
    expect(await get(tokens)).toEqual([]);
  });

  test('the target is text and the metadata public, until the token expires', async () => {
    const { id } = await create();
    const target = () => service.call('GET', `${tokens}/${id}/target`);
    const metadata = () => service.call('GET', `${tokens}/${id}/metadata`);
    expect(await target()).toMatchObject({ status: 200, text: 't1' });
    expect((await target()).headers['content-type']).toBe('text/plain; charset=utf-8');
    expect((await metadata()).json).toEqual({
      target_id: 't1',
      target_resource: 'document',
      workspace_id: service.workspaceId,
      organization_id: (await get('/v1/workspace')).organization.id,
      valid_until: '2025-03-02T10:00:00.000Z',
    });
    service.wait(DAY);
    for (const look of [target, metadata])
      expect(await look()).toMatchObject({
        status: 401,
        json: { message: expect.stringContaining('expired') },
      });
    expect((await get(`${tokens}/${id}`)).id).toBe(id);
    await put(`${tokens}/${id}`, { valid_until: '2026-01-01T00:00:00Z' });
    expect((await target()).status).toBe(200);
  });

  test('refused: what is missing, no date, another workspace', async () => {
    for (const name of Object.keys(given))
      expect(await post(tokens, { ...given, [name]: undefined })).toMatchObject({
        status: 400,
        json: { message: `${name} is required` },
      });
    expect(await post(tokens, { ...given, valid_until: 'soon' })).toMatchObject({
      status: 422,
      json: { message: expect.stringContaining('valid_until') },
    });
    const { id } = await create();
    const { headers } = service.addStranger();
    for (const [method, path, json] of [
      ['GET', id, undefined],
      ['GET', `${id}/target`, undefined],
      ['GET', `${id}/metadata`, undefined],
      ['PUT', id, { valid_until: '2026-01-01T00:00:00Z' }],
      ['DELETE', id, undefined],
    ] as const)
      expect((await service.plain(method, `${tokens}/${path}`, { headers, json })).status).toBe(403);
    expect((await service.plain('GET', tokens, { headers })).json).toEqual([]);
  });

  test('its token is no credential of the API', async () => {
    const { token } = await create();
    expect((await service.plain('GET', '/v1/user', { headers: { 'x-api-key': token } })).status).toBe(401);
  });
});

describe('schema store and short URLs', () => {
  test('a document is stored and read by a GET with a body, by anyone', async () => {
    const given = { spec: 'openapi: 3.1.0\n', packageName: 'p', sdkClassname: 'C', format: 'yaml' };
    const { status, json } = await post('/v1/schema_store', given);
    expect(status).toBe(200);
    expect(faults('SchemaStoreItem', json)).toEqual([]);
    const { headers } = service.addStranger();
    const read = await service.plain('GET', '/v1/schema_store', { headers, json: { id: json.id } });
    expect(read.json).toEqual({ ...given, id: json.id, created_at: '2025-03-01T10:00:00.000Z' });
    const look = (body?: unknown) =>
      service.call('GET', '/v1/schema_store', body === undefined ? {} : { json: body });
    expect(await look()).toMatchObject({ status: 400, json: { message: 'id is required' } });
    expect((await look({})).status).toBe(400);
    expect((await look({ id: 'none' })).status).toBe(404);
  });

  test('a short URL redirects, and the same URL has the same one', async () => {
    const url = 'https://a.example/x?y=%20&z#part';
    const { json } = await post('/v1/short_urls', { url });
    expect(faults('ShortURL', json)).toEqual([]);
    expect(json.full_url).toBe(url);
    expect((await post('/v1/short_urls', { url })).json).toEqual(json);
    const followed = await service.plain('GET', new URL(json.short_url).pathname);
    expect(followed.status).toBe(302);
    expect(followed.headers.location).toBe(url);
    expect((await service.plain('GET', '/s/none')).status).toBe(404);
    const local = await post('/v1/short_urls', { url: 'local:/reports/linting/x' });
    expect(local.status).toBe(200);
    for (const wrong of ['javascript:alert(1)', 'a.example', 'file:///etc/passwd'])
      expect((await post('/v1/short_urls', { url: wrong })).status).toBe(422);
  });
});

describe('the store', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dtp-test-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('two at once see each other, and the second seed does nothing', () => {
    const file = join(folder, 'new', 'service.db');
    const [one, two] = [openStore(file), openStore(file)];
    seed(one, new Date(0));
    seed(two, new Date(1));
    expect(firstKey(two)).toEqual(firstKey(one));
    one.run("INSERT INTO meta (key, value) VALUES ('a', 'b')");
    expect(two.get("SELECT value FROM meta WHERE key = 'a'")).toEqual({ value: 'b' });
    expect(two.all('SELECT id FROM workspaces')).toHaveLength(1);
    expect(statSync(file).mode & 0o077).toBe(0);
    one.close();
    two.close();
    expect(existsSync(file)).toBe(true);
  });

  test('processes that open a fresh store at once agree on its key', async () => {
    const script = join(import.meta.dirname, '..', 'node_modules', `.seed-${process.pid}.mjs`);
    await build({
      stdin: {
        contents: `import { openStore } from './src/service/store.ts';
          import { firstKey, seed } from './src/service/seed.ts';
          const store = openStore(process.argv[2]);
          seed(store, new Date(0));
          console.log(firstKey(store).key);`,
        resolveDir: join(import.meta.dirname, '..'),
      },
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['libsql'],
      outfile: script,
      logLevel: 'error',
    });
    try {
      const file = join(folder, 'service.db');
      const run = async () => (await promisify(execFile)(process.execPath, [script, file])).stdout;
      const keys = await Promise.all(Array.from({ length: 8 }, run));
      expect(new Set(keys).size).toBe(1);
      expect(keys[0]).toMatch(/^dtp_[0-9a-f]{64}\n$/);
    } finally {
      rmSync(script);
    }
  });

  test('what a service wrote is there when it starts again', async () => {
    const file = join(folder, 'service.db');
    const one = await served(file);
    await one.call('POST', '/v1/workspace', { json: { name: 'Kept' } });
    await one.close();
    const two = await served(file);
    expect(two.key).toBe(one.key);
    expect((await two.call('GET', '/v1/workspaces')).json[1].name).toBe('Kept');
    await two.close();
  });
});
