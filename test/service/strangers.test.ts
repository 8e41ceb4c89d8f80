/** What a client beyond loopback gets without a credential, or with the id of a workspace: a row for everything. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { showingOf } from '../../src/commands/service/page-showing.ts';
import { operations } from '../../src/operations/index.ts';
import { withKeysOnly } from '../../src/service/http/keys-only.ts';
import { createPage, isOfPage } from '../../src/service/page/page.ts';
import { type Served, served } from '../support/embedded-service.ts';
import { LAYER, MANIFEST, md5, REPORT, requestOf, rows, sha256, target } from '../support/every-request.ts';
import { fillService } from '../support/filled-service.ts';
import { fail } from '../support/page-service.ts';
import { publicEndpoint } from '../support/public-endpoint.ts';

let service: Served;
let values: Readonly<Record<string, string>>;
let secrets: readonly string[];
/** URLs that need no credential, because nobody can guess them. */
let urls: Readonly<Record<'report' | 'short' | 'invite' | 'run', string>>;

beforeAll(async () => {
  service = await served(':memory:', ({ store, now, send, key }) => {
    const page = createPage({ store, now, send, showing: showingOf(key), report: fail });
    // Many requests fail, so a minute passes before each.
    let minutes = 0;
    const options = { endpoint: publicEndpoint(), now: () => 60_000 * minutes++, isForPages: isOfPage };
    return { send: page.over(withKeysOnly(send)), ...options };
  });
  ({ values, secrets } = await fillService(service));
  const made = async (method: string, path: string, json?: unknown) =>
    (await service.call(method, path, { json })).json;
  const { url: report } = await made('GET', `/v1/reports/linting/${md5(REPORT)}`);
  const { short_url } = await made('POST', '/v1/short_urls', { url: report });
  const { invite_link } = await made('PUT', `/v1/workspace/${service.workspaceId}/team/email/bob@a.example`);
  const { run_url } = await made('POST', '/v1/codehost/trigger_action', target).then(() =>
    made('GET', '/v1/codehost/action?org=acme&repo=sdk'),
  );
  const paths = [report, short_url, invite_link, run_url].map((url) => {
    const { pathname, search } = new URL(url);
    return pathname + search;
  });
  urls = { report: paths[0] ?? '', short: paths[1] ?? '', invite: paths[2] ?? '', run: paths[3] ?? '' };
});
afterAll(() => service.close());

const ask: Served['plain'] = (method, path, sent) => service.plain(method, path, sent);

const publish = (isPublic: boolean) =>
  service.call('POST', '/v1/artifacts/namespaces/pets/visibility', { json: { public: isPublic } });

describe.each(['no credential', 'the id of the workspace', 'a wrong key', 'a wrong bearer'])('with %s', (kind) => {
  const headersOf = (): Readonly<Record<string, string>> => {
    if (kind === 'the id of the workspace') return { 'x-workspace-identifier': service.workspaceId };
    if (kind === 'a wrong key') return { 'x-api-key': 'dtp_wrong' };
    return kind === 'no credential' ? {} : { authorization: 'Bearer dtp_wrong' };
  };

  test.each(Object.keys(operations))('%s is refused with 401', async (id) => {
    const { method, path, sent } = requestOf(id, service.workspaceId, values);
    const { status, text, headers } = await ask(method, path, {
      ...sent,
      headers: { ...sent.headers, ...headersOf() },
    });
    expect([status, text]).toEqual([401, text]);
    expect(headers['www-authenticate']).toMatch(/^Bearer/);
    for (const secret of secrets) expect(text).not.toContain(secret);
    const isForId = kind === 'the id of the workspace' || (kind === 'no credential' && id === 'getAccessToken');
    if (isForId) expect(text).toContain('--open-access-tokens');
  });

  test('only manifests and blobs of a public namespace can be read, without a credential', async () => {
    await publish(true);
    const readable = [];
    for (const id of Object.keys(rows)) {
      const { method, path, sent } = requestOf(id, service.workspaceId, values);
      const { status } = await ask(method, path, { ...sent, headers: { ...sent.headers, ...headersOf() } });
      if (status !== 401) readable.push([id, status]);
    }
    await publish(false);
    const open = [
      ['getManifest', 200],
      ['getBlob', 200],
    ];
    expect(readable).toEqual(kind === 'no credential' ? open : []);
  });
});

const repository = '/v2/local/default/pets';
const scope = 'repository:local/default/pets:pull,push';

/** The status for a private namespace, and for a public one if that differs. */
type Row = readonly [method: string, path: () => string, isPrivate: number, isPublic?: number];
const paths: readonly Row[] = [
  ['GET', () => '/v2/', 401],
  ['GET', () => '/v2/_catalog', 401],
  ['GET', () => `/v2/token?scope=${scope}`, 200],
  ['GET', () => `${repository}/manifests/v1`, 401, 200],
  ['GET', () => `${repository}/blobs/${LAYER}`, 401, 200],
  ['GET', () => `${repository}/tags/list`, 401, 200],
  ['GET', () => `${repository}/referrers/${sha256(MANIFEST)}`, 401, 200],
  ['POST', () => `${repository}/blobs/uploads/`, 401],
  ['POST', () => `${repository}/blobs/uploads/?mount=${LAYER}`, 401],
  ['PUT', () => `${repository}/manifests/v2`, 401],
  ['DELETE', () => `${repository}/manifests/${sha256(MANIFEST)}`, 401],
  ['DELETE', () => `${repository}/blobs/${LAYER}`, 401],
  ['GET', () => urls.report, 200],
  ['GET', () => urls.report.replace(/signature=./, 'signature=x'), 403],
  ['GET', () => `/reports/linting/${md5(REPORT)}`, 403],
  ['GET', () => urls.short, 302],
  ['GET', () => '/s/guessed', 404],
  ['GET', () => '/invites/guessed', 404],
  // An invitation counts once.
  ['GET', () => urls.invite, 200, 404],
  ['GET', () => urls.run, 200],
  ['GET', () => '/runs/guessed', 404],
  ['GET', () => '/', 303],
  ['GET', () => '/-/', 200],
  ['GET', () => '/-/events/e1', 200],
  ['GET', () => '/-/live', 401],
  ['GET', () => '/-/style.css', 200],
  ['POST', () => '/-/login', 401],
  ['GET', () => '/metrics', 404],
];

test.each<{ readonly row: Row }>(paths.map((row) => ({ row })))('$row.0 $row.1', async ({ row }) => {
  const [method, path, isPrivate, isPublic = isPrivate] = row;
  expect([path(), (await ask(method, path())).status]).toEqual([path(), isPrivate]);
  await publish(true);
  const answer = await ask(method, path());
  await publish(false);
  expect([path(), answer.status]).toEqual([path(), isPublic]);
});

test('the page shows the log-in and nothing else, and a registry token without a credential only reads what is public', async () => {
  const page = await ask('GET', '/-/events/e1');
  expect(page.text).toContain('<h1>Log in</h1>');
  const { token } = (await ask('GET', `/v2/token?scope=${scope}`)).json;
  const headers = { authorization: `Bearer ${token}` };
  for (const [method, path, isPrivate] of paths)
    if (/^.v2.(?!token)/.test(path()))
      expect([path(), (await ask(method, path(), { headers })).status]).toEqual([path(), isPrivate]);
});

describe('an access token', () => {
  const tokenFor = (workspace: string, headers: Readonly<Record<string, string>>) =>
    ask('GET', `/v1/auth/access_token?workspace_id=${encodeURIComponent(workspace)}`, { headers });

  test('is for whoever has a key that opens the workspace', async () => {
    const { workspaceId, key } = service;
    const { workspace, headers } = service.addStranger();
    expect((await tokenFor(workspace, headers)).status).toBe(200);
    for (const own of [{ 'x-api-key': key }, { authorization: `Bearer ${key}` }, { authorization: `bearer ${key}` }]) {
      expect((await tokenFor(workspaceId, own)).status).toBe(200);
      expect((await tokenFor(workspace, own)).status).toBe(403);
    }
    expect((await tokenFor(workspaceId, headers)).status).toBe(403);
    const twice = `/v1/auth/access_token?workspace_id=${workspace}&workspace_id=${workspaceId}`;
    expect((await ask('GET', twice, { headers })).status).toBe(400);
    for (const odd of ['', '.', '..', 'access', 'x/y', '%', workspaceId.toUpperCase()])
      expect([odd, (await tokenFor(odd, headers)).status >= 400]).toEqual([odd, true]);
  });

  test('works, and does not renew itself', async () => {
    const { access_token } = (await tokenFor(service.workspaceId, { 'x-api-key': service.key })).json;
    const headers = { authorization: `Bearer ${access_token}` };
    expect((await ask('GET', '/v1/user', { headers })).status).toBe(200);
    expect((await tokenFor(service.workspaceId, headers)).status).toBe(401);
    const both = { ...headers, 'x-workspace-identifier': service.workspaceId };
    expect((await tokenFor(service.workspaceId, both)).status).toBe(401);
  });

  test('is refused without a key, however the path is written', async () => {
    for (const path of ['/v1/auth/access_token', '/v1/auth/%61ccess_token', '/v1/%61uth/access_token'])
      expect((await ask('GET', `${path}?workspace_id=${service.workspaceId}`)).status).toBe(401);
    for (const path of ['//v1/auth/access_token', '/v1/auth/access_token/', '/v1/x/../auth/access_token'])
      expect((await ask('GET', `${path}?workspace_id=${service.workspaceId}`)).status).toBe(404);
  });
});
