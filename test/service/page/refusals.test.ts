/** What the cookie of the page does not open, and which requests of web pages and other hosts are refused. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../src/operations/index.ts';
import { requestOf } from '../../support/every-request.ts';
import { fillService } from '../../support/filled-service.ts';
import { type ServedPage, servedPage } from '../../support/page-service.ts';

let service: ServedPage;
let values: Readonly<Record<string, string>>;
beforeAll(async () => {
  service = await servedPage();
  ({ values } = await fillService(service));
});
afterAll(() => service.close());

const snapshot = () =>
  service.store
    .all("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .map(({ name }) => JSON.stringify(service.store.all(`SELECT count(*) AS n, '${name}' AS name FROM "${name}"`)))
    .join();

describe('with only the cookie', () => {
  const needKey = Object.values(operations).filter((operation) => !('auth' in operation && operation.auth === 'none'));

  test('all operations but one need a credential', () => {
    expect([Object.keys(operations).length, needKey.length]).toEqual([77, 76]);
  });

  test.each(needKey)('$id is refused', async ({ id }) => {
    const { method, path, sent } = requestOf(id, service.workspaceId, values);
    const before = snapshot();
    for (const own of [{}, { 'sec-fetch-site': 'same-origin', origin: service.address }]) {
      const headers = { ...sent.headers, ...own, cookie: service.cookie };
      expect([401, 403]).toContain((await service.plain(method, path, { ...sent, headers })).status);
    }
    expect(snapshot()).toBe(before);
  });

  test.each([
    ['GET', '/v2/'],
    ['GET', '/v2/_catalog'],
    ['GET', '/v2/local/default/pets/tags/list'],
    ['GET', '/v2/local/default/pets/manifests/v1'],
    ['HEAD', '/v2/local/default/pets/manifests/v1'],
    ['PUT', '/v2/local/default/pets/manifests/v9'],
    ['DELETE', '/v2/local/default/pets/manifests/v1'],
    ['POST', '/v2/local/default/pets/blobs/uploads/'],
    ['GET', '/v1/oci/v2/local/default/pets/tags/list'],
  ])('%s %s is refused', async (method, path) => {
    expect([401, 403]).toContain((await service.see(path, method)).status);
  });

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    '%s is refused on each path of the page',
    async (method) => {
      const before = snapshot();
      for (const path of ['/', '/-/', '/-/runs', '/-/requests/1', '/-/events/e1', '/-/style.css', '/-/live', '/-/x']) {
        const { status, headers } = await service.see(path, method);
        expect([path, status, headers.allow]).toEqual([path, 405, 'GET, HEAD']);
      }
      for (const path of ['/-/login', '/-/logout'])
        if (method !== 'POST') expect([path, (await service.see(path, method)).status]).toEqual([path, 405]);
      expect(snapshot()).toBe(before);
    },
  );

  test.each([
    ['GET', '/-/logout'],
    ['GET', '/-/login'],
  ])('%s %s changes nothing', async (method, path) => {
    await service.see(path, method);
    expect((await service.see('/-/runs')).text).toContain('<h1>Runs</h1>');
  });

  test('HEAD has the headers of GET and no body, for streams too', async () => {
    for (const path of ['/', '/-/', '/-/runs', '/-/style.css', '/-/requests', '/-/live?view=runs']) {
      const head = await service.see(path, 'HEAD');
      expect([path, head.text]).toEqual([path, '']);
      if (path.includes('live')) expect(head.headers['content-type']).toBe('text/event-stream');
      else {
        const { status, headers } = await service.see(path);
        const changing = { date: head.headers.date };
        expect([path, head.status, head.headers]).toEqual([path, status, { ...headers, ...changing }]);
      }
    }
  });
});

describe('other web pages and hosts', () => {
  const own = () => ({ origin: service.address, 'sec-fetch-site': 'same-origin' });
  const port = () => new URL(service.address).port;
  const api = '/v1/user';
  const page = '/-/runs';
  const rows: readonly (readonly [string, () => Readonly<Record<string, string>>, page: number, api: number])[] = [
    ['a user who types the URL', () => ({ 'sec-fetch-site': 'none' }), 200, 200],
    ['a client other than a browser', () => ({}), 200, 200],
    ['the page itself', own, 200, 403],
    ['the page itself, by a GET', () => ({ 'sec-fetch-site': 'same-origin' }), 200, 403],
    ['another origin', () => ({ origin: 'https://evil.example' }), 403, 403],
    ['another origin that claims to be the page', () => ({ ...own(), origin: 'https://evil.example' }), 403, 403],
    ['another port', () => ({ ...own(), origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' }), 403, 403],
    ['another name of this machine', () => ({ ...own(), origin: `http://localhost:${port()}` }), 403, 403],
    [
      'another scheme',
      () => ({ ...own(), origin: `ftp${service.address.slice(service.address.indexOf(':'))}` }),
      403,
      403,
    ],
    ['a sandboxed frame', () => ({ origin: 'null' }), 403, 403],
    ['a sandboxed frame of the page', () => ({ ...own(), origin: 'null' }), 403, 403],
    ['the right origin, without the header of fetch', () => ({ origin: service.address }), 403, 403],
    ['a link on another site', () => ({ 'sec-fetch-site': 'cross-site' }), 403, 403],
    ['a link on another port', () => ({ 'sec-fetch-site': 'same-site' }), 403, 403],
    ['an unknown kind of site', () => ({ 'sec-fetch-site': 'x' }), 403, 403],
    ['a host name that resolves to loopback', () => ({ host: `evil.example:${port()}` }), 403, 403],
    [
      'a page of such a host',
      () => ({ host: 'evil.example', origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' }),
      403,
      403,
    ],
    ['localhost', () => ({ host: `localhost:${port()}` }), 200, 200],
  ];

  test.each(rows)('%s', async (_, headersOf, ofPage, ofApi) => {
    const headers = headersOf();
    const see = async (path: string, more: Readonly<Record<string, string>>) =>
      (await service.plain('GET', path, { headers: { ...headers, ...more } })).status;
    expect(await see(page, { cookie: service.cookie })).toBe(ofPage);
    expect(await see('/-/live?view=', { cookie: '' })).toBe(ofPage === 200 ? 401 : 403);
    expect(await see(api, { 'x-api-key': service.key })).toBe(ofApi);
    const login = { headers, body: `key=${service.key}` };
    expect((await service.plain('POST', '/-/login', login)).status).toBe(ofPage === 200 ? 303 : 403);
  });

  test.each(['/-', '/-x', '/%2d/', '//-/', '/-/../v1/user', '/-/%2e%2e/v1/user', '/-/..%2fv1/user', '/v1/user?/-/'])(
    'a page cannot reach the service by %s',
    async (path) => {
      const { status, text } = await service.plain('GET', path, {
        headers: { ...own(), cookie: service.cookie, 'x-api-key': service.key },
      });
      expect([status === 403 || status === 404, text.includes('email')]).toEqual([true, false]);
    },
  );
});
