/** Revoked users: which of their keys and tokens still work. Invitations: what their keys open. */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Served, served } from '../../support/embedded-service.ts';

const sha256 = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const LAYER = 'layer';
const MANIFEST = JSON.stringify({ schemaVersion: 2, layers: [{ digest: sha256(LAYER) }] });
const NONE = sha256('none');

let service: Served;
beforeEach(async () => {
  service = await served();
});
afterEach(() => service.close());

type Headers = Readonly<Record<string, string>>;
const keyed = (key: string): Headers => ({ 'x-api-key': key });
const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` });

const ask = (headers: Headers, method: string, path: string, json?: unknown) =>
  service.plain(method, path, {
    headers: { accept: '*/*', ...headers },
    ...(json !== undefined && { json }),
  });

/** Returns the user's id, and the key that the invite link shows. */
async function invite(headers: Headers, workspace: string, email = 'ann@a.example') {
  const { json } = await ask(headers, 'PUT', `/v1/workspace/${workspace}/team/email/${email}`);
  const open = async () => {
    const page = await service.plain('GET', new URL(json.invite_link).pathname);
    return /dtp_[0-9a-f]{64}/.exec(page.text)?.[0] ?? '';
  };
  return { id: String(json.relationship.user_id), open };
}

/** A workspace to which Ann is invited, and each kind of credential that she gets there. */
async function annsWorkspace() {
  const { id: workspace } = (await service.call('POST', '/v1/workspace', { json: { name: 'Hers' } })).json;
  const at = `/v1/workspace/${workspace}`;
  const invited = await invite(keyed(service.key), workspace);
  const key = keyed(await invited.open());
  const repository = '/v2/local/hers/pets';
  const pushed = [
    await ask(key, 'POST', `${repository}/blobs/uploads/?digest=${sha256(LAYER)}`),
    await service.plain('POST', `${repository}/blobs/uploads/?digest=${sha256(LAYER)}`, {
      headers: key,
      body: LAYER,
    }),
    await service.plain('PUT', `${repository}/manifests/v1`, { headers: key, body: MANIFEST }),
  ];
  expect(pushed.map(({ status }) => status)).toEqual([400, 201, 201]);
  const publishing = async () => {
    const body = { target_id: 't', target_resource: 'document', token_name: 'ci' };
    const json = { ...body, valid_until: '2026-01-01T00:00:00Z' };
    return (await ask(key, 'POST', '/v1/publishing-tokens', json)).json;
  };
  const scope = 'scope=registry:catalog:*&scope=repository:local/hers/pets:*';
  const kinds = {
    'API key': key,
    'API key as a bearer': bearer(key['x-api-key'] ?? ''),
    'access token': bearer(
      (await ask(key, 'GET', `/v1/auth/access_token?workspace_id=${workspace}`)).json.access_token,
    ),
    'registry token': bearer((await ask(key, 'GET', `/v2/token?${scope}`)).json.token),
    'preflight token': bearer(
      (await ask(key, 'POST', '/v1/artifacts/preflight', { namespace_name: 'pets' })).json.auth_token,
    ),
  };
  const { id } = invited;
  return { id, at, workspace, key, publishing, kinds, repository };
}

const registry = (repository: string) =>
  [
    ['GET', '/v2/'],
    ['GET', '/v1/oci/v2/'],
    ['GET', '/v2/token?scope=repository:local/hers/pets:pull'],
    ['GET', `${repository}/manifests/v1`],
    ['HEAD', `${repository}/manifests/v1`],
    ['GET', `${repository}/manifests/${sha256(MANIFEST)}`],
    ['GET', `/v1/oci${repository}/manifests/v1`],
    ['GET', `${repository}/blobs/${sha256(LAYER)}`],
    ['HEAD', `${repository}/blobs/${sha256(LAYER)}`],
    ['GET', `/v1/oci${repository}/blobs/${sha256(LAYER)}`],
    ['GET', `${repository}/tags/list`],
    ['GET', `${repository}/referrers/${NONE}`],
    ['POST', `${repository}/blobs/uploads/`],
    ['POST', `${repository}/blobs/uploads/?mount=${NONE}`],
    ['POST', `/v1/oci${repository}/blobs/uploads/`],
    ['PUT', `${repository}/manifests/v2`, JSON.parse(MANIFEST)],
    ['PUT', `/v1/oci${repository}/manifests/v3`, JSON.parse(MANIFEST)],
    ['GET', `${repository}/blobs/uploads/none`],
    ['PATCH', `${repository}/blobs/uploads/none`],
    ['DELETE', `${repository}/blobs/uploads/none`],
  ] as const;

const api = (at: string) =>
  [
    ['GET', '/v1/user'],
    ['GET', '/v1/auth/validate'],
    ['GET', '/v1/workspace'],
    ['GET', '/v1/workspaces'],
    ['GET', '/v1/organizations'],
    ['GET', `/v1/auth/access_token?workspace_id=${at.split('/')[3]}`],
    ['GET', '/v1/artifacts/remote_sources?namespace_name=pets'],
    ['GET', '/v1/workspace/access'],
    ['GET', at],
    ['GET', `${at}/team`],
    ['GET', `${at}/tokens`],
    ['GET', `${at}/settings`],
    ['GET', `${at}/feature_flags`],
    ['GET', `${at}/events`],
    ['POST', `${at}/events`, [{ id: 'e1' }]],
    ['GET', `${at}/events/targets`],
    ['GET', '/v1/publishing-tokens'],
    ['GET', '/v1/artifacts/namespaces'],
    ['POST', '/v1/artifacts/preflight', { namespace_name: 'pets' }],
    ['POST', '/v1/short_urls', { url: 'https://a.example/' }],
    ['POST', '/v1/suggest/items', { prompt: 'p', items: [] }],
  ] as const;

test.each([
  ['API key', 'api'],
  ['API key', 'registry'],
  ['API key as a bearer', 'api'],
  ['API key as a bearer', 'registry'],
  ['access token', 'api'],
  ['access token', 'registry'],
  ['registry token', 'registry'],
  ['preflight token', 'registry'],
] as const)('after a revocation, no %s of the user works for any of 20 requests (%s)', async (kind, part) => {
  const { id, at, workspace, kinds, repository } = await annsWorkspace();
  const requests = part === 'api' ? api(at) : registry(repository);
  expect(requests.length).toBeGreaterThanOrEqual(20);
  const attempt = async () => {
    const statuses: (readonly [string, number])[] = [];
    for (const [method, path, json] of requests)
      statuses.push([`${method} ${path}`, (await ask(kinds[kind], method, path, json)).status]);
    return statuses;
  };
  const refused = (statuses: Awaited<ReturnType<typeof attempt>>) =>
    statuses.filter(([, status]) => status === 401 || status === 403);
  expect(refused(await attempt())).toEqual([]);
  // A public namespace does not make a revoked token valid.
  service.store.run('UPDATE namespaces SET public = 1');
  expect((await service.call('DELETE', `${at}/team/${id}`)).status).toBe(204);
  expect(await attempt().then(refused)).toHaveLength(requests.length);
  // An invitation that is not accepted yet does not bring them back.
  await invite(keyed(service.key), workspace);
  expect(await attempt().then(refused)).toHaveLength(requests.length);
});

test('a key that is still stored does not work either, unless its user has access', async () => {
  const { id, at, workspace, kinds } = await annsWorkspace();
  service.store.run('DELETE FROM members WHERE workspace_id = ? AND user_id = ?', workspace, id);
  for (const headers of Object.values(kinds))
    for (const [method, path] of [['GET', at] as const, ['GET', '/v2/'] as const])
      expect((await ask(headers, method, path)).status).toBe(401);
});

test('the tokens that a key has made end with the key', async () => {
  const { at, key, kinds } = await annsWorkspace();
  const tokens = (await ask(key, 'GET', `${at}/tokens`)).json;
  const headers = [kinds['registry token'], kinds['preflight token'], kinds['access token']];
  for (const each of headers) expect((await ask(each, 'GET', '/v2/')).status).toBe(200);
  expect((await ask(key, 'DELETE', `${at}/tokens/${tokens[0].id}`)).status).toBe(204);
  for (const each of headers) expect((await ask(each, 'GET', '/v2/')).status).toBe(401);
});

test("an access token that was asked for with a key is its user's, and shows no keys", async () => {
  const { id, at, key, workspace } = await annsWorkspace();
  const path = `/v1/auth/access_token?workspace_id=${workspace}`;
  const basic = { authorization: `Basic ${Buffer.from(`any:${key['x-api-key']}`).toString('base64')}` };
  for (const headers of [key, bearer(key['x-api-key'] ?? '')]) {
    const { json } = await ask(headers, 'GET', path);
    expect(json).toMatchObject({ user: { id, admin: false }, claims: { sub: id, workspace_id: workspace } });
    const own = bearer(json.access_token);
    expect((await ask(own, 'GET', '/v1/user')).json.id).toBe(id);
    for (const { key: shown } of (await ask(own, 'GET', `${at}/tokens`)).json) expect(shown).toBe('');
    expect((await ask(own, 'POST', `${at}/tokens`, { name: 'more' })).status).toBe(403);
    expect((await ask(own, 'PUT', `${at}/team/email/bob@a.example`)).status).toBe(403);
  }
  const [{ id: creator }] = (await service.call('GET', `${at}/team`)).json.users;
  // Without a credential, nobody knows who asks.
  for (const headers of [{}, { 'x-workspace-identifier': workspace }])
    expect((await ask(headers, 'GET', path)).json.claims).not.toHaveProperty('token_id');
  expect((await ask({}, 'GET', path)).json.user.id).toBe(creator);
  // What is sent must be a credential of the API that opens the workspace.
  for (const headers of [keyed('dtp_wrong'), bearer('dtp_wrong'), basic])
    expect((await ask(headers, 'GET', path)).status).toBe(401);
  const other = path.replace(workspace, service.workspaceId);
  expect((await ask(key, 'GET', other)).status).toBe(403);
  expect((await ask(keyed(service.key), 'GET', other)).status).toBe(200);
});

test('a token that was made with another token never ends later', async () => {
  const { kinds, workspace } = await annsWorkspace();
  const scope = '/v2/token?scope=repository:local/hers/pets:pull';
  const pulls = async (headers: Headers) => (await ask(headers, 'GET', '/v2/local/hers/pets/manifests/v1')).status;
  const renew = async (token: string) => (await ask(bearer(token), 'GET', scope)).json;
  const secretOf = ({ authorization = '' }: Headers) => authorization.replace('Bearer ', '');
  const minute = 60_000;
  // The registry token ends after 5 minutes, the preflight token after 15, and the access token after 60.
  let renewed = secretOf(kinds['registry token']);
  service.wait(4 * minute);
  ({ token: renewed } = await renew(renewed));
  expect(await renew(renewed)).toMatchObject({ expires_in: 60 });
  expect(await pulls(bearer(renewed))).toBe(200);
  service.wait(minute);
  expect(await pulls(bearer(renewed))).toBe(401);
  expect((await ask(bearer(renewed), 'GET', scope)).status).toBe(401);
  service.wait(9 * minute);
  const { token: late, expires_in } = await renew(secretOf(kinds['preflight token']));
  expect([expires_in, await pulls(bearer(late))]).toEqual([60, 200]);
  service.wait(minute);
  expect(await pulls(bearer(late))).toBe(401);
  service.wait(44 * minute);
  const access = kinds['access token'];
  const again = bearer((await ask(access, 'GET', `/v1/auth/access_token?workspace_id=${workspace}`)).json.access_token);
  const made = await ask(access, 'POST', '/v1/artifacts/preflight', { namespace_name: 'pets' });
  const last = [access, again, bearer((await renew(secretOf(access))).token), bearer(made.json.auth_token)];
  for (const headers of last) expect(await pulls(headers)).toBe(200);
  service.wait(minute);
  for (const headers of last) expect(await pulls(headers)).toBe(401);
});

test('other keys of the workspace, and the keys of the user for other workspaces, work as before', async () => {
  const { id, at } = await annsWorkspace();
  const other = await invite(keyed(service.key), service.workspaceId, 'bob@a.example');
  const bob = keyed(await other.open());
  await service.call('DELETE', `${at}/team/${id}`);
  for (const headers of [bob, keyed(service.key)])
    expect((await ask(headers, 'GET', `/v1/workspace/${service.workspaceId}`)).status).toBe(200);
  expect((await service.call('GET', at)).status).toBe(200);
  const weak = { 'x-workspace-identifier': at.split('/').at(-1) ?? '' };
  expect((await ask(weak, 'GET', '/v1/user')).json.email).toBe('user@dtp.local');
});

test('publishing tokens belong to the workspace: they stay, and the revocation says how many', async () => {
  const { id, at, workspace, publishing, repository } = await annsWorkspace();
  const [one, two] = [await publishing(), await publishing()];
  const scope = 'scope=repository:local/hers/pets:pull,push';
  const exchanged = async () => bearer((await ask(bearer(one.token), 'GET', `/v2/token?${scope}`)).json.token);
  const before = await exchanged();
  const revoked = await service.call('DELETE', `${at}/team/${id}`);
  expect(revoked).toMatchObject({ status: 200, json: { publishing_tokens: 2 } });
  const weak = { 'x-workspace-identifier': workspace };
  const listed = (await ask(weak, 'GET', '/v1/publishing-tokens')).json;
  expect(listed).toMatchObject([
    { id: one.id, created_by: id, created_by_name: 'ann' },
    { id: two.id, created_by: id, created_by_name: 'ann' },
  ]);
  const pull = async (headers: Headers) => (await ask(headers, 'GET', `${repository}/manifests/v1`)).status;
  for (const headers of [bearer(one.token), before, await exchanged()]) expect(await pull(headers)).toBe(200);
  service.store.run('DELETE FROM publishing_tokens WHERE id = ?', one.id);
  for (const headers of [bearer(one.token), before]) expect(await pull(headers)).toBe(401);
  expect(await pull(bearer(two.token))).toBe(200);
});

test('an inviter who opens the invite link gets nothing of another workspace', async () => {
  const { headers, workspace: other, organization } = service.addStranger();
  // The other workspace has invited the same user before, and does so again.
  const { id } = await invite(headers, other, 'ann@a.example');
  const mine = await invite(keyed(service.key), service.workspaceId, 'ann@a.example');
  expect(mine.id).toBe(id);
  const inviter = keyed(await mine.open());
  const theirs = await invite(headers, other, 'ann@a.example');
  const ann = keyed(await theirs.open());
  expect((await ask(ann, 'GET', `/v1/workspace/${other}`)).status).toBe(200);
  await ask(inviter, 'POST', `/v1/workspace/${service.workspaceId}/tokens`, { name: 'more' });
  const tokens = (await ask(inviter, 'GET', `/v1/workspace/${service.workspaceId}/tokens`)).json;
  expect(tokens).toHaveLength(2);
  for (const { key } of tokens) {
    for (const [method, path, json] of api(`/v1/workspace/${other}`)) {
      const answer = await ask(keyed(key), method, path, json);
      if (path.includes(other)) expect([path, answer.status]).toEqual([path, 403]);
      for (const foreign of [other, organization])
        expect(path.includes(foreign) || !answer.text.includes(foreign)).toBe(true);
    }
    for (const path of ['/v2/two/two/pets/tags/list', '/v2/two/two/pets/blobs/uploads/'])
      expect((await ask(keyed(key), path.endsWith('/') ? 'POST' : 'GET', path)).status).toBe(403);
    expect((await ask(keyed(key), 'GET', `/v1/organization/${organization}`)).status).toBe(403);
  }
});
