/** Auth and organizations: responses reflect what is stored. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Served, served } from '../../support/embedded-service.ts';
import { faults } from '../../support/record-shape.ts';

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
const remove = (path: string) => service.call('DELETE', path);
const user = () => get('/v1/user');
const event = (id: string, more: object) => ({ id, interaction_type: 'TARGET_GENERATE', ...more });

describe('auth', () => {
  test('validateApiKey returns what is stored', async () => {
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

  test('getUser returns the user of the credential', async () => {
    expect(faults('User', await user())).toEqual([]);
    expect(await user()).toMatchObject({
      email: 'user@dtp.local',
      default_workspace_id: service.workspaceId,
      has_created_api_key: true,
    });
  });

  test('getAccessToken needs no credential and returns the claims of its token', async () => {
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

  test('getWorkspaceAccess depends on the languages in use, the trial and the plan', async () => {
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

  test('getWorkspaceAccess agrees with the usage, for a target type and for the target of a gen lock', async () => {
    const access = (query = '') => get(`/v1/workspace/access${query}`);
    const generated = (id: string, more: object) => event(id, { generate_gen_lock_id: id, ...more });
    await post(`${workspace}/events`, [
      generated('ts', { generate_target: 'typescript' }),
      generated('py', { generate_target: 'python' }),
      event('lint', { generate_gen_lock_id: 'py' }),
      event('go', { generate_target: 'go' }),
    ]);
    expect((await get('/v1/organization/usage')).allowed_languages).toEqual(['typescript']);
    const level = async (query: string) => (await access(query)).level;
    expect(await level('?targetType=typescript')).toBe('allowed');
    expect(await level('?targetType=python')).toBe('blocked');
    expect(await level('?genLockId=ts')).toBe('allowed');
    expect(await level('?genLockId=py')).toBe('blocked');
    expect(await level('?genLockId=py&targetType=typescript')).toBe('allowed');
    const warning = {
      generation_allowed: true,
      level: 'warning',
      message: 'the free plan includes 1 language (typescript), not python, go',
    };
    expect(await access()).toEqual(warning);
    expect(await access('?genLockId=new')).toEqual(warning);
    await post('/v1/organization/free_trial');
    expect(await access()).toMatchObject({ generation_allowed: true, level: 'allowed' });
  });

  test('getWorkspaceAccess is counted per day, unless it is passive', async () => {
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

describe('organizations', () => {
  test('organizations are created, listed and read', async () => {
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

  test("404 for an unknown organization, 403 for another user's", async () => {
    const { organization } = service.addStranger();
    expect((await service.call('GET', '/v1/organization/none')).status).toBe(404);
    expect((await service.call('GET', `/v1/organization/${organization}`)).status).toBe(403);
    expect(await get('/v1/organizations')).toHaveLength(1);
  });

  test('an organization has one free trial of fourteen days', async () => {
    const trial = await post('/v1/organization/free_trial');
    expect(trial).toMatchObject({ status: 204, text: '' });
    expect(trial.headers['dtp-simplified']).toContain('nothing is billed');
    const { organization } = await get('/v1/workspace');
    expect(organization.free_trial_expiry).toBe('2025-03-15T10:00:00.000Z');
    expect((await post('/v1/organization/free_trial')).status).toBe(409);
  });

  test('the usage is derived from the events', async () => {
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

  test('add-ons are added, listed and deleted', async () => {
    const path = '/v1/organization/add_ons';
    expect(await get(path)).toEqual({ add_ons: [] });
    expect((await post(path, { add_ons: ['webhooks', 'sdk_testing'] })).json).toEqual({
      add_ons: ['webhooks', 'sdk_testing'],
    });
    await post(path, { add_ons: ['snippet_ai', 'webhooks'] });
    expect(await get(path)).toEqual({ add_ons: ['webhooks', 'sdk_testing', 'snippet_ai'] });
    expect(await remove(`${path}/sdk_testing`)).toMatchObject({ status: 200, text: '' });
    expect(await get(path)).toEqual({ add_ons: ['webhooks', 'snippet_ai'] });
    expect((await remove(`${path}/sdk_testing`)).status).toBe(404);
    expect((await post(path, { add_ons: [1] })).status).toBe(422);
  });

  // records.md: AccountType, BillingAddOn and WorkspaceFeatureFlag are open enums.
  test.each([
    ['add-on', '/v1/organization/add_ons', (one: unknown) => ({ add_ons: [one] }), 'add_ons.0'],
    [
      'account type',
      '/v1/organization',
      (one: unknown) => ({ name: `Type ${one}`, account_type: one }),
      'account_type',
    ],
    [
      'feature flag',
      '/v1/workspace/feature_flags',
      (one: unknown) => ({ feature_flags: [one] }),
      'feature_flags.0.feature_flag',
    ],
  ])('an unknown %s is accepted, and anything but a string is not', async (_, path, body, place) => {
    for (const known of ['webhooks', 'novel', 'enterprise', 'gold']) {
      const { status, json } = await post(path, body(known));
      if (path !== '/v1/organization/add_ons') expect(json).toHaveProperty(place, known);
      else expect(json.add_ons).toContain(known);
      expect(status).toBe(200);
    }
    for (const wrong of ['', 7, {}, []]) expect([wrong, (await post(path, body(wrong))).status]).toEqual([wrong, 422]);
  });

  test('an unknown add-on is also canceled', async () => {
    await post('/v1/organization/add_ons', { add_ons: ['novel'] });
    expect((await remove('/v1/organization/add_ons/novel')).status).toBe(200);
    expect(await get('/v1/organization/add_ons')).toEqual({ add_ons: [] });
  });

  const generated = (id: string, operations: number, more: object = {}) =>
    event(id, {
      generate_target: 'go',
      generate_gen_lock_id: 'lock',
      generate_number_of_operations_used: operations,
      ...more,
    });

  test('a target with more operations than the plan includes may not be generated', async () => {
    const access = async (query: string) => get(`/v1/workspace/access${query}`);
    const large = {
      generation_allowed: false,
      level: 'blocked',
      message: 'the free plan includes 250 operations for a language, not the 251 of go',
    };
    await post(`${workspace}/events`, [generated('e1', 250)]);
    expect(await access('?targetType=go')).toMatchObject({ generation_allowed: true });
    expect((await get('/v1/organization/usage')).usage).toMatchObject([
      { language: 'go', number_of_operations: 250, max_operations: 250, accessible: true },
    ]);
    service.wait(1000);
    await post(`${workspace}/events`, [generated('e2', 251)]);
    for (const query of ['?targetType=go', '?genLockId=lock', '?genLockId=lock&passive=true'])
      expect(await access(query)).toEqual(large);
    expect(await access('')).toEqual({ ...large, generation_allowed: true, level: 'warning' });
    expect((await get('/v1/organization/usage')).usage).toMatchObject([
      { number_of_operations: 251, accessible: false },
    ]);
    // The last known number counts, so a smaller document is allowed again.
    service.wait(1000);
    await post(`${workspace}/events`, [generated('e3', 100)]);
    expect(await access('?targetType=go')).toMatchObject({ generation_allowed: true });
    await post(`${workspace}/events`, [generated('e4', 300, { generate_gen_lock_id: undefined })]);
    expect(await access('?targetType=go')).toMatchObject({ generation_allowed: false });
    expect(await get('/v1/workspace/events/targets')).toHaveLength(1);
  });

  test('without limits, the limits are -1', async () => {
    await post(`${workspace}/events`, [generated('e1', 999)]);
    await post('/v1/organization/free_trial');
    expect(await get('/v1/workspace/access?targetType=go')).toMatchObject({ generation_allowed: true });
    expect(await get('/v1/organization/usage')).toMatchObject({
      usage: [{ number_of_operations: 999, max_operations: -1, accessible: true }],
      total_allowed_languages: -1,
    });
  });
});
