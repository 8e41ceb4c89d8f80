/** Roles in a workspace over a real socket: owners, other users, pending invitations, and users who have left. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { addToken, addWorkspace } from '../../../src/service/tenancy/tenants.ts';
import { type Served, served } from '../../support/embedded-service.ts';

let service: Served;
let at: string;
beforeEach(async () => {
  service = await served();
  at = `/v1/workspace/${service.workspaceId}`;
});
afterEach(() => service.close());

type As = (
  method: string,
  path: string,
  json?: unknown,
) => Promise<{ readonly status: number; readonly json: { message: string } }>;

const withKey =
  (key: string): As =>
  (method, path, json) =>
    service.plain(method, path, {
      headers: { 'x-api-key': key },
      ...(json !== undefined && { json }),
    });

/** Grants access, and returns the user's id and how to accept. */
async function invite(workspace = at, email = 'ann@a.example') {
  const { json } = await service.call('PUT', `${workspace}/team/email/${email}`);
  const accept = async () => {
    const page = await service.plain('GET', new URL(json.invite_link).pathname);
    expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
    const [key = ''] = /dtp_[0-9a-f]{64}/.exec(page.text) ?? [];
    return { key, as: withKey(key) };
  };
  return { id: json.relationship.user_id as string, accept };
}

const team = async () => (await service.call('GET', `${at}/team`)).json.users;

test('an invited user is pending until the invitation is accepted, and then has a key', async () => {
  const { id, accept } = await invite();
  expect(await team()).toMatchObject([
    { admin: true, confirmed: true },
    { id, confirmed: false },
  ]);
  const { as } = await accept();
  expect(await team()).toMatchObject([{ admin: true }, { id, confirmed: true, admin: false }]);
  expect((await as('GET', `${at}/events`)).status).toBe(200);
  expect((await as('GET', '/v1/workspaces')).json).toHaveLength(1);
});

test('the key of an invitation opens its workspace and what it creates, and no other workspace of its user', async () => {
  const { id, accept } = await invite();
  const inviter = (await accept()).as;
  const { organization } = service.addStranger();
  service.store.run('UPDATE organizations SET created_by = ? WHERE id = ?', id, organization);
  const made = await service.call('POST', '/v1/workspace', { json: { name: 'Second' } });
  const second = `/v1/workspace/${made.json.id}`;
  const granted = await invite(second);
  expect(granted.id).toBe(id);
  expect((await inviter('GET', second)).status).toBe(403);
  const { as } = await granted.accept();
  for (const [own, ownPath, otherPath] of [
    [as, second, at],
    [inviter, at, second],
  ] as const) {
    expect((await own('POST', `${ownPath}/tokens`, { name: 'more' })).status).toBe(204);
    const keys = (await own('GET', `${ownPath}/tokens`)).json as unknown as { key: string }[];
    expect(keys).toHaveLength(2);
    for (const each of keys.map(({ key }) => withKey(key))) {
      expect((await each('GET', ownPath)).status).toBe(200);
      expect((await each('GET', otherPath)).status).toBe(403);
      expect((await each('GET', `/v1/organization/${organization}`)).status).toBe(403);
    }
  }
  const org = (await as('POST', '/v1/organization', { name: 'Hers' })) as { json: { id?: string } };
  const third = (await as('POST', '/v1/workspace', { name: 'Third', organization_id: org.json.id })) as {
    json: { id?: string };
  };
  expect((await as('GET', `/v1/workspace/${third.json.id}/team`)).status).toBe(200);
  expect((await inviter('GET', `/v1/workspace/${third.json.id}/team`)).status).toBe(403);
  const names = async (by: As) =>
    ((await by('GET', '/v1/workspaces')).json as unknown as { name: string }[]).map(({ name }) => name);
  expect([await names(inviter), await names(as)]).toEqual([['Default'], ['Second', 'Third']]);
  expect((await as('GET', `/v1/organization/${org.json.id}`)).status).toBe(200);
  expect((await inviter('GET', `/v1/organization/${org.json.id}`)).status).toBe(403);
});

test('a user shows a default workspace only to those who may open it', async () => {
  const { headers, workspace } = service.addStranger();
  const invited = await service.plain('PUT', `/v1/workspace/${workspace}/team/email/ann@a.example`, {
    headers,
  });
  expect(invited.status).toBe(200);
  const { as } = await (await invite()).accept();
  const shown = [(await as('GET', '/v1/user')).json, (await as('GET', `${at}/team`)).json, await team()];
  expect(JSON.stringify(shown)).not.toContain(workspace);
  expect((await service.call('GET', '/v1/user')).json.default_workspace_id).toBe(service.workspaceId);
});

test.each<[string, string, string, unknown?]>([
  ['change its details', 'POST', 'AT/details', { name: 'x' }],
  ['change its settings', 'PUT', 'AT/settings', {}],
  ['set its feature flags', 'POST', '/v1/workspace/feature_flags', { feature_flags: [] }],
  ['grant access', 'PUT', 'AT/team/email/bob@a.example'],
  ["revoke other users' access", 'DELETE', 'AT/team/OWNER'],
  ["delete other users' tokens", 'DELETE', 'AT/tokens/TOKEN'],
])('only an owner may %s', async (what, method, path, json) => {
  const [token] = (await service.call('GET', `${at}/tokens`)).json;
  const [owner] = await team();
  const { as } = await (await invite()).accept();
  const full = path.replace('AT', at).replace('OWNER', owner.id).replace('TOKEN', token.id);
  expect(await as(method, full, json)).toMatchObject({
    status: 403,
    json: { message: `only an owner of workspace ${service.workspaceId} may ${what}` },
  });
  const allowed = await service.call(method, full, json === undefined ? {} : { json });
  // An owner gets further than the check of the role.
  expect(allowed.status).not.toBe(403);
});

test.each<[string, string, string, unknown?]>([
  ['start a free trial', 'POST', '/v1/organization/free_trial'],
  ['see the usage', 'GET', '/v1/organization/usage'],
  ['buy add-ons', 'POST', '/v1/organization/add_ons', { add_ons: ['webhooks'] }],
  ['see add-ons', 'GET', '/v1/organization/add_ons'],
  ['cancel add-ons', 'DELETE', '/v1/organization/add_ons/webhooks'],
  ['create workspaces', 'POST', '/v1/workspace', { name: 'Second' }],
  ['create workspaces', 'POST', '/v1/workspace', { name: 'Second', organization_id: 'ORGANIZATION' }],
])('only the creator of the organization may %s', async (what, method, path, json) => {
  const { organization } = (await service.call('GET', '/v1/workspace')).json;
  const { as } = await (await invite()).accept();
  const body = json && JSON.parse(JSON.stringify(json).replace('ORGANIZATION', organization.id));
  // The user may do it in an organization that the user has created, but not in this one.
  expect((await as('POST', '/v1/organization', { name: 'Hers' })).status).toBe(200);
  expect(await as(method, path, body)).toMatchObject({
    status: 403,
    json: { message: `only the user who created organization ${organization.id} may ${what}` },
  });
  const allowed = await service.call(method, path, body === undefined ? {} : { json: body });
  expect(allowed.status).not.toBe(403);
  // What a workspace needs of its organization stays.
  for (const open of [
    '/v1/workspace',
    '/v1/workspace/access',
    '/v1/organizations',
    `/v1/organization/${organization.id}`,
  ])
    expect((await as('GET', open)).status).toBe(200);
});

test('a user buys add-ons for an organization that the user has created, and creates workspaces in it', async () => {
  const { as } = await (await invite()).accept();
  const made = async (path: string, json: unknown) => (await as('POST', path, json)).json as unknown as { id: string };
  const { id: organization_id } = await made('/v1/organization', { name: 'Hers' });
  const first = await made('/v1/workspace', { name: 'First', organization_id });
  expect((await as('POST', `/v1/workspace/${first.id}/tokens`, { name: 'hers' })).status).toBe(204);
  const tokens = (await as('GET', `/v1/workspace/${first.id}/tokens`)).json as unknown as { key: string }[];
  const hers = withKey(tokens[0]?.key ?? '');
  expect((await hers('POST', '/v1/workspace', { name: 'Second' })).status).toBe(200);
  expect((await hers('POST', '/v1/organization/add_ons', { add_ons: ['webhooks'] })).status).toBe(200);
  expect((await hers('GET', '/v1/auth/validate')).json).toMatchObject({ billing_add_ons: ['webhooks'] });
  expect((await hers('GET', '/v1/organization/usage')).status).toBe(200);
});

test('the key of a workspace shows the add-ons of the organization only to its creator, and says so', async () => {
  await service.call('POST', '/v1/organization/add_ons', { json: { add_ons: ['webhooks'] } });
  const { key } = await (await invite()).accept();
  const check = (own: string) => service.plain('GET', '/v1/auth/validate', { headers: { 'x-api-key': own } });
  expect(await check(service.key)).toMatchObject({ json: { billing_add_ons: ['webhooks'] } });
  const shown = await check(key);
  expect(shown).toMatchObject({ status: 200, json: { billing_add_ons: [] } });
  expect(shown.headers['dtp-simplified']).toContain('billing_add_ons is empty');
  expect((await check(service.key)).headers['dtp-simplified']).toBe(undefined);
});

test('other users may read, post events and have tokens, but does not see the keys of others', async () => {
  const { id, accept } = await invite();
  const { as } = await accept();
  expect((await as('POST', `${at}/events`, [{ id: 'e1' }])).status).toBe(204);
  expect((await as('POST', `${at}/tokens`, { name: 'mine' })).status).toBe(204);
  const { json } = await service.plain('GET', `${at}/tokens`, { headers: { 'x-api-key': service.key } });
  expect(json.map(({ name }: { name: string }) => name)).toEqual(['local', 'invitation', 'mine']);
  const own = (await as('GET', `${at}/tokens`)).json as unknown as { id: string; created_by: string }[];
  expect(own.map(({ created_by }) => created_by)).toEqual([id, id]);
  expect((await as('DELETE', `${at}/tokens/${own[1]?.id}`)).status).toBe(204);
});

test('a key of a user whose access is revoked stops working at once, and other keys do not', async () => {
  const { id, accept } = await invite();
  const { key, as } = await accept();
  await as('POST', `${at}/tokens`, { name: 'ci' });
  const keys = (await as('GET', `${at}/tokens`)).json as unknown as { key: string }[];
  expect(keys).toHaveLength(2);
  expect((await service.call('DELETE', `${at}/team/${id}`)).status).toBe(204);
  for (const one of [key, ...keys.map((each) => each.key)])
    for (const [method, path] of [
      ['GET', '/v1/user'],
      ['GET', at],
      ['GET', '/v2/'],
      ['POST', `${at}/events`],
    ] as const)
      expect((await withKey(one)(method, path)).status).toBe(401);
  expect((await service.call('GET', '/v1/user')).status).toBe(200);
  expect((await service.call('GET', `${at}/tokens`)).json).toHaveLength(1);
});

test('users may leave, but the last owner may not', async () => {
  const [owner] = await team();
  const { id, accept } = await invite();
  const { as } = await accept();
  expect(await service.call('DELETE', `${at}/team/${owner.id}`)).toMatchObject({
    status: 409,
    json: { message: 'cannot remove the last owner of a workspace' },
  });
  expect((await as('DELETE', `${at}/team/${id}`)).status).toBe(204);
  expect((await as('GET', '/v1/user')).status).toBe(401);
});

test('the creator of an organization owns all of its workspaces, also those that another user has made before', async () => {
  const { id, accept } = await invite();
  const { as } = await accept();
  const [first] = await team();
  const { organization } = (await service.call('GET', '/v1/workspace')).json;
  const at = { name: 'Hers', slug: 'hers', organizationId: organization.id, userId: id, now: new Date() };
  const workspaceId = String(addWorkspace(service.store, {}, at).id);
  const key = addToken(service.store, {}, { name: 'hers', workspaceId, userId: id, now: new Date() });
  const hers = `/v1/workspace/${workspaceId}`;
  const owned = (await service.call('GET', `${hers}/team`)).json.users;
  expect(owned).toMatchObject([
    { id: first.id, admin: true, confirmed: true },
    { id, admin: true },
  ]);
  expect((await service.call('GET', '/v1/workspaces')).json).toHaveLength(2);
  for (const owner of [withKey(service.key), withKey(key)])
    expect((await owner('PUT', `${hers}/settings`, {})).status).toBe(204);
  // Nobody needs to invite the creator, so no link gives somebody else a key in the creator's name.
  const granted = await withKey(key)('PUT', `${hers}/team/email/${first.email}`);
  expect(granted).toMatchObject({ status: 200, json: { invite_link: null } });
  expect(await withKey(key)('DELETE', `${hers}/team/${first.id}`)).toMatchObject({
    status: 409,
    json: { message: 'cannot remove the creator of the organization' },
  });
  expect((await as('GET', hers)).status).toBe(403);
  expect((await service.call('DELETE', `${hers}/team/${id}`)).status).toBe(204);
  expect((await withKey(key)('GET', hers)).status).toBe(401);
  expect((await service.call('POST', `${hers}/details`, { json: { inactive: true } })).status).toBe(204);
});

test('an inactive workspace refuses everything that does not show or end that state', async () => {
  await service.call('POST', `${at}/events`, { json: [{ id: 'e1' }] });
  expect((await service.call('POST', `${at}/details`, { json: { inactive: true } })).status).toBe(204);
  const refused = {
    status: 403,
    json: {
      message: 'the workspace is inactive; an owner can set inactive to false in its details',
    },
  };
  for (const [method, path, json] of [
    ['GET', '/v1/workspace/access'],
    ['GET', `/v1/auth/access_token?workspace_id=${service.workspaceId}`],
    ['GET', `${at}/events`],
    ['POST', `${at}/events`, [{ id: 'e2' }]],
    ['GET', `${at}/team`],
    ['POST', '/v1/artifacts/preflight', { namespace_name: 'n' }],
    ['GET', '/v1/artifacts/namespaces'],
    ['GET', '/v2/local/default/pets/manifests/latest'],
    ['GET', '/v1/oci/v2/local/default/pets/manifests/latest'],
    ['POST', '/v2/local/default/pets/blobs/uploads/'],
  ] as const)
    expect([path, await service.call(method, path, json === undefined ? {} : { json })]).toMatchObject([path, refused]);
  for (const path of ['/v1/auth/validate', '/v1/user', '/v1/workspace', '/v1/workspaces', at])
    expect((await service.call('GET', path)).status).toBe(200);
  expect((await service.call('POST', `${at}/details`, { json: { inactive: false } })).status).toBe(204);
  expect((await service.call('GET', `${at}/events`)).json).toHaveLength(1);
});
