/** No view shows a secret, whichever part of a request, an event or a response contains it. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { md5 } from '../../support/every-request.ts';
import { fillService } from '../../support/filled-service.ts';
import { type ServedPage, servedPage } from '../../support/page-service.ts';

const canary = 'Canary-5eC7E7-of-the-Test';

let service: ServedPage;
/** The keys and other secrets that the service itself returns. */
let secrets: readonly string[];
beforeAll(async () => {
  service = await servedPage();
  ({ secrets } = await fillService(service));
});
afterAll(() => service.close());

/** All views that can be reached by links, by their paths. */
async function allViews(): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  const left = ['/-/', '/-/runs', '/-/reports', '/-/registry', '/-/requests'];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (seen.has(path)) continue;
    const { status, text } = await service.see(path);
    // The key is masked in links too, so what they name is not found.
    expect([path, status]).toEqual([path, path.includes('***') ? 404 : 200]);
    seen.set(path, text);
    for (const [, found = ''] of text.matchAll(/href="(\/-\/[^"]*)"/g)) if (!found.includes('.')) left.push(found);
  }
  return seen;
}

const events = () => `/v1/workspace/${service.workspaceId}/events`;

const requests: Readonly<Record<string, () => Parameters<ServedPage['call']>>> = {
  'a wrong key': () => ['GET', '/v1/user', { headers: { 'x-api-key': canary } }],
  'a bearer token': () => ['GET', '/v1/user', { headers: { authorization: `Bearer ${canary}` } }],
  'a basic credential': () => ['GET', '/v2/', { headers: { authorization: `Basic ${btoa(`me:${canary}`)}` } }],
  'another header': () => ['GET', '/v1/user', { headers: { 'x-other-token': canary, cookie: `a=${canary}` } }],
  'a URL in a header': () => [
    'GET',
    '/v1/user',
    { headers: { 'x-from': `https://me:${canary}@a.example/?token=${canary}` } },
  ],
  'a query': () => ['GET', `/v1/user?api_key=${canary}&signature=${canary}`],
  'an encoded name in a query': () => ['GET', `/v1/user?api%5Fkey=${canary}&to%6ben=${canary}`],
  'a query of a path without an operation': () => ['GET', `/v1/nothing?token=${canary}`],
  'a body': () => [
    'POST',
    '/v1/workspace',
    { json: { name: 'n', token: canary, deep: [{ password: { a: canary } }] } },
  ],
  'a URL in a body': () => [
    'POST',
    '/v1/short_urls',
    { json: { url: `https://me:${canary}@a.example/?sig=${canary}` } },
  ],
  'a body that is not JSON': () => ['POST', events(), { body: `token=${canary}` }],
  'a body that is not read': () => ['POST', events(), { json: [{ token: canary }], headers: { 'x-api-key': 'wrong' } }],
  'an event': () => [
    'POST',
    events(),
    { json: [{ id: 'e5', execution_id: 'r5', my_secret: canary, error: `https://me:${canary}@a.example` }] },
  ],
  'an event with the key in a string': () => [
    'POST',
    events(),
    { json: [{ id: 'e6', execution_id: 'r6', error: `wrong: ${service.key}` }] },
  ],
  'the key in a path': () => ['GET', `/v1/workspace/${service.key}`],
  'the key in a query': () => ['GET', `/v1/artifacts/namespaces?x=${encodeURIComponent(`a ${service.key}`)}`],
  'the key as a run': () => ['POST', events(), { json: [{ id: 'e7', execution_id: service.key }] }],
  'a new publishing token': () => ['GET', '/v1/publishing-tokens'],
  'the keys of a workspace': () => ['GET', `/v1/workspace/${service.workspaceId}/tokens`],
  'the settings': () => ['GET', `/v1/workspace/${service.workspaceId}/settings`],
  'an access token': () => ['GET', `/v1/auth/access_token?workspace_id=${service.workspaceId}`],
};

test.each(Object.entries(requests))('%s', async (name, request) => {
  const [method, path, sent = {}] = request();
  // A header of the row replaces the key.
  const headers = { ...(sent.headers?.authorization === undefined && { 'x-api-key': service.key }), ...sent.headers };
  const answer = await service.plain(method, path, { ...sent, headers });
  const token = answer.json?.access_token ?? canary;
  const isShown = /^\/-\/requests\/\d+$/;
  const views = await allViews();
  expect([name, [...views.keys()].some((one) => isShown.test(one))]).toEqual([name, true]);
  for (const [view, text] of views)
    for (const secret of [canary, btoa(`me:${canary}`), token, ...secrets.slice(0, -1)])
      expect([name, view, text.includes(secret)]).toEqual([name, view, false]);
});

test.each(['/s/code-5ec7e7', '/invites/code-5ec7e7', '/runs/code-5ec7e7', '/runs/code-5ec7e7/pull_request'])(
  'a request for %s, which needs no credential, is shown without its code',
  async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await service.plain(method, `${path}?a=b`, { headers: { 'x-api-key': service.key } });
      expect(answer.status).toBe(method === 'GET' ? 404 : 405);
    }
    const views = [...(await allViews()).values()].join('');
    expect(views).toContain(`GET ${path.replace(/code-.*/, '***')}`);
    expect(views).toContain(`${path.replace(/code-.*/, '***')} only allows`);
    expect(views).not.toContain('code-5ec7e7');
  },
);

test('a report is shown as it is, and a link to it contains no signature', async () => {
  const views = await allViews();
  expect([...views.keys()].filter((path) => /sign/.test(path))).toEqual([]);
  expect(views.has(`/-/reports/linting/${md5('<p>report</p>')}`)).toBe(true);
});
