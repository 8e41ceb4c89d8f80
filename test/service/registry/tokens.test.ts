/** The embedded service's distribution endpoint: what each credential and token may do, and archived namespaces. */
import { expect, test } from 'vitest';
import { artifacts } from '../../../src/service/handlers/artifacts.ts';
import { events } from '../../../src/service/handlers/events.ts';
import { publishingTokens } from '../../../src/service/handlers/publishing-tokens.ts';
import {
  jsonOf,
  PETSTORE,
  pushDocument,
  refusal,
  registryCall,
  serviceScope,
  sha256,
} from '../../support/service-scope.ts';

const PETS = 'local/default/pets';
const DOGS = 'local/default/dogs';
const OTHER = 'other/elsewhere/pets';

async function open() {
  const opened = serviceScope();
  const { scope, first, stranger } = opened;
  await pushDocument(scope, PETS, PETSTORE, 'v1');
  await pushDocument(scope, DOGS, PETSTORE, 'v1');
  await pushDocument({ ...scope, caller: stranger.caller }, OTHER, PETSTORE, 'v1');
  const nobody = registryCall(scope, undefined);
  const basic = (password: string) => ({
    authorization: `Basic ${Buffer.from(`any:${password}`).toString('base64')}`,
  });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  /** The token for some scopes, from the token endpoint. */
  const tokenFor = async (scopes: readonly string[], headers: Record<string, string> = basic(first.key)) => {
    const query = new URLSearchParams(scopes.map((each) => ['scope', each]));
    return (await jsonOf(await nobody('GET', `/v2/token?service=dtp&${query}`, '', headers))).token;
  };
  const attempt = async (headers: Record<string, string>, method: string, path: string) =>
    (await nobody(method, `/v2/${path}`, method === 'PUT' ? '{"schemaVersion":2,"layers":[]}' : '', headers)).status;
  return { ...opened, nobody, basic, bearer, tokenFor, attempt };
}

/** Pulls, pushes and deletes, in an order in which each can succeed. */
const attempts = [
  ['GET', `${PETS}/manifests/v1`],
  ['GET', `${PETS}/tags/list`],
  ['GET', `${PETS}/referrers/${sha256('x')}`],
  ['POST', `${PETS}/blobs/uploads/`],
  ['PUT', `${PETS}/manifests/v2`],
  ['DELETE', `${PETS}/manifests/v2`],
  ['GET', `${DOGS}/manifests/v1`],
  ['PUT', `${DOGS}/manifests/v2`],
  ['GET', `${OTHER}/manifests/v1`],
] as const;

test.each([
  ['no scope', [], '401 401 401 401 401 401 401 401 403'],
  ['pull', [`repository:${PETS}:pull`], '200 200 200 401 401 401 401 401 403'],
  ['push and pull', [`repository:${PETS}:push,pull`], '200 200 200 202 201 401 401 401 403'],
  ['everything', [`repository:${PETS}:*`], '200 200 200 202 201 202 401 401 403'],
  ['two scopes', [`repository:${PETS}:pull repository:${DOGS}:pull`], '200 200 200 401 401 401 200 401 403'],
  ['scopes twice', [`repository:${PETS}:pull`, `repository:${DOGS}:push`], '200 200 200 401 401 401 401 201 403'],
  ['another workspace', [`repository:${OTHER}:pull,push`], '401 401 401 401 401 401 401 401 403'],
  ['nonsense', ['repository:x:pull', 'x', 'repository:a/b/c/d:*'], '401 401 401 401 401 401 401 401 403'],
])('a token for %s covers just that', async (_, scopes, expected) => {
  const { tokenFor, bearer, attempt } = await open();
  const headers = bearer(await tokenFor(scopes));
  const statuses: number[] = [];
  for (const [method, path] of attempts) statuses.push(await attempt(headers, method, path));
  expect(statuses.join(' ')).toBe(expected);
  expect(await attempt(headers, 'GET', '')).toBe(200);
});

test('a token lasts five minutes, cannot be extended, and grants no more when it is exchanged', async () => {
  const { nobody, tokenFor, bearer, attempt, basic, first, wait } = await open();
  const reply = await nobody('GET', `/v2/token?scope=repository:${PETS}:pull`, '', basic(first.key));
  const { token, access_token, expires_in } = await jsonOf(reply);
  expect([access_token, expires_in]).toEqual([token, 300]);
  expect(token).not.toContain(first.key);
  const wider = await tokenFor([`repository:${PETS}:*`, `repository:${DOGS}:pull`], bearer(token));
  expect(await attempt(bearer(wider), 'GET', `${PETS}/manifests/v1`)).toBe(200);
  expect(await attempt(bearer(wider), 'PUT', `${PETS}/manifests/v2`)).toBe(401);
  expect(await attempt(bearer(wider), 'GET', `${DOGS}/manifests/v1`)).toBe(401);
  wait(300_000);
  expect(await attempt(bearer(token), 'GET', `${PETS}/manifests/v1`)).toBe(401);
  expect(await attempt(bearer(token), 'GET', 'token')).toBe(401);
});

test('the challenge names the scope that the request needs', async () => {
  const { nobody, tokenFor, bearer } = await open();
  const challenge = async (method: string, path: string, headers: Record<string, string> = {}) =>
    (await nobody(method, `/v2/${path}`, '', headers)).headers['www-authenticate'];
  const start = 'Bearer realm="http://127.0.0.1:9/v2/token",service="dtp"';
  expect(await challenge('GET', '')).toBe(start);
  for (const [method, path, scope] of [
    ['GET', `${PETS}/manifests/v1`, `repository:${PETS}:pull`],
    ['HEAD', `${PETS}/blobs/${sha256('x')}`, `repository:${PETS}:pull`],
    ['POST', `${PETS}/blobs/uploads/`, `repository:${PETS}:pull,push`],
    [
      'POST',
      `${PETS}/blobs/uploads/?mount=${sha256('x')}&from=${DOGS}`,
      `repository:${PETS}:pull,push repository:${DOGS}:pull`,
    ],
    ['GET', `${PETS}/blobs/uploads/x`, `repository:${PETS}:pull,push`],
    ['DELETE', `${PETS}/blobs/uploads/x`, `repository:${PETS}:pull,push`],
    ['DELETE', `${PETS}/manifests/v1`, `repository:${PETS}:pull,delete`],
    ['GET', '_catalog', 'registry:catalog:*'],
  ] as const) {
    expect(await challenge(method, path)).toBe(`${start},scope="${scope}"`);
    const narrow = bearer(await tokenFor([]));
    expect(await challenge(method, path, narrow)).toBe(`${start},scope="${scope}",error="insufficient_scope"`);
  }
  expect(await challenge('GET', 'a/b/"c/manifests/v1')).toBe(start);
});

test('a token that covers only one repository mounts from another once it has the scope of the challenge', async () => {
  const { nobody, tokenFor, bearer } = await open();
  const mount = async (scopes: readonly string[]) => {
    const path = `/v2/${PETS}/blobs/uploads/?mount=${sha256(PETSTORE)}&from=${DOGS}`;
    return (await nobody('POST', path, '', bearer(await tokenFor(scopes)))).status;
  };
  expect(await mount([`repository:${PETS}:pull,push`])).toBe(401);
  expect(await mount([`repository:${PETS}:pull,push repository:${DOGS}:pull`])).toBe(201);
});

test('without a credential, a token pulls from public namespaces', async () => {
  const { scope, tokenFor, bearer, attempt } = await open();
  const token = async () => bearer(await tokenFor([`repository:${PETS}:pull,push`], {}));
  expect(await attempt(await token(), 'GET', `${PETS}/manifests/v1`)).toBe(401);
  artifacts.setVisibility({ namespace_name: 'pets', public: true }, scope);
  expect(await attempt(await token(), 'GET', `${PETS}/manifests/v1`)).toBe(200);
  expect(await attempt(await token(), 'PUT', `${PETS}/manifests/v2`)).toBe(401);
  expect(await attempt(await token(), 'GET', '')).toBe(401);
});

test('a publishing token pulls and pushes until it expires, and does nothing else', async () => {
  const { scope, basic, bearer, tokenFor, attempt, wait } = await open();
  const valid_until = new Date(scope.now().getTime() + 3_600_000).toISOString();
  const { token } = publishingTokens.createPublishingToken(
    { token_name: 'ci', target_id: 't', target_resource: 'document', valid_until },
    scope,
  );
  for (const headers of [basic(token), bearer(token)]) {
    const statuses: number[] = [];
    for (const [method, path] of attempts) statuses.push(await attempt(headers, method, path));
    expect(statuses.join(' ')).toBe('200 200 200 202 201 403 200 201 403');
  }
  const exchanged = bearer(await tokenFor([`repository:${PETS}:*`], basic(token)));
  expect(await attempt(exchanged, 'PUT', `${PETS}/manifests/v2`)).toBe(201);
  expect(await attempt(exchanged, 'DELETE', `${PETS}/manifests/v2`)).toBe(401);
  wait(3_600_000);
  expect(await attempt(basic(token), 'GET', `${PETS}/manifests/v1`)).toBe(401);
});

test.each([
  ['the name of a namespace', () => 'pets'],
  ['the id of a namespace', (id: string) => id],
  ['the lock id of a target that was generated from it', () => 'lock-1'],
  ['the lock id of a target whose source is not known', () => 'lock-2'],
  ['an unknown target', () => 'lock-3'],
])('a publishing token for %s covers that namespace, or every one if none is known', async (what, targetOf) => {
  const { scope, nobody, bearer, tokenFor, attempt, basic } = await open();
  const generated = { interaction_type: 'TARGET_GENERATE', generate_target: 'typescript' };
  events.postWorkspaceEvents(
    {
      workspace_id: scope.caller.workspaceId,
      body: [
        { id: 'e1', generate_gen_lock_id: 'lock-1', source_namespace_name: 'pets', ...generated },
        { id: 'e2', generate_gen_lock_id: 'lock-2', ...generated },
      ],
    },
    scope,
  );
  const pets = scope.store.get("SELECT id FROM namespaces WHERE name = 'pets'");
  const valid_until = new Date(scope.now().getTime() + 3_600_000).toISOString();
  const { token } = publishingTokens.createPublishingToken(
    { token_name: 'ci', target_id: targetOf(String(pets?.id)), target_resource: 'document', valid_until },
    scope,
  );
  const isKnown = !/not known|unknown/.test(what);
  const scopes = [`repository:${PETS}:*`, `repository:${DOGS}:*`, 'registry:catalog:*'];
  for (const headers of [bearer(token), basic(token), bearer(await tokenFor(scopes, basic(token)))]) {
    expect(await attempt(headers, 'GET', `${PETS}/manifests/v1`)).toBe(200);
    expect(await attempt(headers, 'PUT', `${PETS}/manifests/v2`)).toBe(201);
    const isRefused = [401, 403].includes(await attempt(headers, 'GET', `${DOGS}/manifests/v1`));
    expect([isRefused, [401, 403].includes(await attempt(headers, 'PUT', `${DOGS}/manifests/v2`))]).toEqual([
      isKnown,
      isKnown,
    ]);
    const mount = `/v2/${PETS}/blobs/uploads/?mount=${sha256(PETSTORE)}&from=${DOGS}`;
    expect((await nobody('POST', mount, '', headers)).status === 201).toBe(!isKnown);
    const { repositories } = await jsonOf(await nobody('GET', '/v2/_catalog', '', headers));
    expect(repositories).toEqual(isKnown ? [PETS] : [DOGS, PETS]);
    const reply = await nobody('GET', `/v2/${PETS}/manifests/v1`, '', headers);
    expect(reply.headers['dtp-simplified'] === undefined).toBe(isKnown);
  }
});

test('the catalog has the repositories that the credential may pull from, in pages', async () => {
  const { scope, stranger, nobody, basic, first, tokenFor, bearer } = await open();
  const list = async (query = '', headers: Record<string, string> = basic(first.key)) =>
    nobody('GET', `/v2/_catalog${query}`, '', headers);
  const names = async (query?: string) => (await jsonOf(await list(query))).repositories;
  expect(await names()).toEqual([DOGS, PETS]);
  artifacts.setVisibility({ namespace_name: 'pets', public: true }, { ...scope, caller: stranger.caller });
  expect(await names()).toEqual([DOGS, PETS, OTHER]);
  artifacts.archiveNamespace({ namespace_name: 'dogs' }, scope);
  expect(await names()).toEqual([PETS, OTHER]);
  const page = await list('?n=1');
  expect(page.headers.link).toBe(`</v2/_catalog?${new URLSearchParams({ n: '1', last: PETS })}>; rel="next"`);
  expect(await names(`?n=1&last=${PETS}`)).toEqual([OTHER]);
  expect((await list('', {})).status).toBe(401);
  expect((await list('', bearer(await tokenFor([`repository:${PETS}:pull`])))).status).toBe(401);
  expect((await list('', bearer(await tokenFor(['registry:catalog:*'])))).status).toBe(200);
});

test('an archived namespace is neither read nor written until it is activated again', async () => {
  const { scope, first, basic, attempt } = await open();
  const digest = (await pushDocument(scope, PETS, PETSTORE, 'v1')) ?? '';
  artifacts.setVisibility({ namespace_name: 'pets', public: true }, scope);
  artifacts.archiveNamespace({ namespace_name: 'pets' }, scope);
  const tag = () =>
    artifacts.postTags({ namespace_name: 'pets', body: { revision_digest: digest, tags: ['x'] } }, scope);
  const ofPets = attempts.filter(([, path]) => path.startsWith(PETS));
  for (const [method, path] of ofPets) expect(await attempt(basic(first.key), method, path)).toBe(403);
  expect(await attempt({}, 'GET', `${PETS}/manifests/v1`)).toBe(403);
  expect(await refusal(tag)).toBe('403 namespace pets is archived');
  artifacts.archiveNamespace({ namespace_name: 'pets', archived: false }, scope);
  expect(await attempt(basic(first.key), 'GET', `${PETS}/manifests/v1`)).toBe(200);
  expect(await refusal(tag)).toBe('not rejected');
});

// OCI Distribution Specification 1.1, Pulling manifests: the rule for names.
test.each([
  ['a', true],
  ['a-b.c_d__e---f0', true],
  ['Pets', false],
  ['a..b', false],
  ['a___b', false],
  ['-a', false],
  ['a-', false],
  ['a b', false],
  ['ä', false],
  ['x'.repeat(241), true],
  ['x'.repeat(242), false],
])('a namespace may be called %j: %j', async (name, isValid) => {
  const { scope, nobody, basic, first } = await open();
  const started = await nobody(
    'POST',
    `/v2/local/default/${encodeURIComponent(name)}/blobs/uploads/`,
    '',
    basic(first.key),
  );
  expect(started.status).toBe(isValid ? 202 : 400);
  if (!isValid) expect((await jsonOf(started)).errors[0].code).toBe('NAME_INVALID');
  const preflight = await refusal(() => artifacts.preflight({ body: { namespace_name: name } }, scope));
  expect(preflight).toMatch(isValid ? /^not rejected/ : /^422 namespace_name: /);
});
