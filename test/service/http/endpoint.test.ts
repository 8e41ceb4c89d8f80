/** Which hosts and web pages may call a service that other machines reach, and the URLs in its responses. */
import { afterEach, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../../src/service/http/endpoint.ts';
import { isOfPage } from '../../../src/service/page/page.ts';
import { type Served, served } from '../../support/embedded-service.ts';
import { form, LAYER } from '../../support/every-request.ts';
import { publicEndpoint } from '../../support/public-endpoint.ts';
import { PETSTORE } from '../../support/service-scope.ts';

let service: Served | undefined;
afterEach(() => service?.close());

const proxy = { tls: undefined, isBehindProxy: true, names: ['dtp.example.com'] } as const;

async function open(more: Partial<Endpoint>) {
  service = await served(':memory:', ({ send }) => ({ send, endpoint: publicEndpoint(more), isForPages: isOfPage }));
  return service;
}

const kinds = { TLS: {}, 'TLS with a name': { names: ['dtp.example.com'] }, 'a proxy': proxy } as const;
type Headers = Readonly<Record<string, string>>;

test.each<readonly [keyof typeof kinds, Headers, 200 | 403]>([
  ['TLS', { host: 'localhost' }, 200],
  ['TLS', { host: '127.0.0.1:80' }, 200],
  ['TLS', { host: 'API.example.test' }, 200],
  ['TLS', { host: 'api.example.test:8443' }, 200],
  ['TLS', { host: 'dtp.example.com' }, 403],
  ['TLS', { host: 'api.example.test.evil.example' }, 403],
  ['TLS', { host: 'x@api.example.test' }, 403],
  ['TLS', { host: '10.0.0.1' }, 403],
  ['TLS', { host: 'localhost', 'x-forwarded-host': 'evil.example' }, 200],
  ['TLS with a name', { host: 'dtp.example.com' }, 200],
  ['TLS with a name', { host: 'sub.dtp.example.com' }, 403],
  ['a proxy', { host: 'dtp.example.com' }, 200],
  ['a proxy', { host: 'evil.example' }, 403],
  ['a proxy', { host: '127.0.0.1:1', 'x-forwarded-host': 'DTP.example.com' }, 200],
  ['a proxy', { host: '127.0.0.1:1', 'x-forwarded-host': 'evil.example' }, 403],
  ['a proxy', { host: 'evil.example', 'x-forwarded-host': 'dtp.example.com' }, 403],
  ['a proxy', { 'x-forwarded-host': 'dtp.example.com, evil.example' }, 403],
  ['a proxy', { 'x-forwarded-host': 'evil.example, dtp.example.com' }, 200],
  ['a proxy', { 'x-forwarded-host': 'dtp.example.com/x' }, 403],
  ['a proxy', { 'x-forwarded-host': 'api.example.test' }, 403],
])('%s: %j gets %i', async (kind, headers, status) => {
  const { call } = await open(kinds[kind]);
  expect((await call('GET', '/v1/user', { headers })).status).toBe(status);
});

test('the IP address of the connection is a host of it, but only beyond loopback', async () => {
  // On loopback, every such IP address is allowed anyway, so this one is written in another way.
  const { call } = await open({ address: '::ffff:127.0.0.1' });
  expect((await call('GET', '/v1/user', { headers: { host: '127.0.0.1' } })).status).toBe(200);
  expect((await call('GET', '/v1/user', { headers: { host: '[::2]' } })).status).toBe(403);
});

describe.each<readonly [string, Partial<Endpoint>, Headers, string]>([
  ['TLS', {}, { host: 'api.example.test:8443' }, 'https://api.example.test:8443'],
  [
    'a proxy that serves HTTPS',
    proxy,
    { 'x-forwarded-host': 'dtp.example.com', 'x-forwarded-proto': 'https' },
    'https://dtp.example.com',
  ],
  [
    'a proxy on a port',
    proxy,
    { host: 'dtp.example.com:8443', 'x-forwarded-proto': 'http, https' },
    'https://dtp.example.com:8443',
  ],
  ['a proxy that says nothing', proxy, { host: 'dtp.example.com' }, 'http://dtp.example.com'],
  [
    'a proxy that says nonsense',
    proxy,
    { host: 'dtp.example.com', 'x-forwarded-proto': 'gopher' },
    'http://dtp.example.com',
  ],
  ['TLS, and headers as of a proxy', {}, { host: 'localhost', 'x-forwarded-proto': 'http' }, 'https://localhost'],
])('%s', (_, endpoint, headers, base) => {
  test('reports, short URLs, invitations, runs and the registry have the URL that the client used', async () => {
    const { call, plain, workspaceId } = await open(endpoint);
    const made = async (method: string, path: string, sent = {}) =>
      (await call(method, path, { ...sent, headers: { ...headers, ...(sent as { headers?: Headers }).headers } })).json;
    const report = await made('POST', '/v1/reports', form({ data: '{"type":"linting"}' }, ['file', 'text']));
    const short = await made('POST', '/v1/short_urls', { json: { url: report.url } });
    const invited = await made('PUT', `/v1/workspace/${workspaceId}/team/email/ann@a.example`);
    for (const url of [report.url, short.short_url, invited.invite_link]) {
      expect(url.startsWith(`${base}/`)).toBe(true);
      const { pathname, search } = new URL(url);
      expect((await plain('GET', pathname + search, { headers })).status).toBeLessThan(400);
    }
    const refused = await plain('GET', '/v2/', { headers });
    expect(refused.headers['www-authenticate']).toContain(`realm="${base}/v2/token"`);
  });

  test('an upload to the registry continues at a path, which has no host', async () => {
    const { call, plain, key } = await open(endpoint);
    const own = { ...headers, 'x-api-key': key };
    const started = await call('POST', '/v2/local/default/pets/blobs/uploads/', { headers });
    const location = String(started.headers.location);
    expect(location).toMatch(/^\/v2\//);
    const ended = await plain('PUT', `${location}?digest=${LAYER}`, { headers: own, body: PETSTORE });
    expect([ended.status, String(ended.headers.location)]).toEqual([201, expect.stringMatching(/^\/v2\//)]);
  });

  test('a page of the service itself may use its page, and no other page', async () => {
    const { plain } = await open(endpoint);
    const see = async (more: Headers, path = '/-/login') =>
      (await plain('POST', path, { headers: { ...headers, ...more }, body: 'key=x' })).status;
    const own = { origin: base, 'sec-fetch-site': 'same-origin' };
    // Without the page itself, the path is not found.
    expect(await see(own)).toBe(404);
    expect(await see(own, '/v1/user')).toBe(403);
    expect(await see({ ...own, origin: 'https://evil.example' })).toBe(403);
    expect(await see({ ...own, origin: base.replace(/^http(s?)/, (_all, s) => (s ? 'http' : 'https')) })).toBe(403);
    expect(await see({ origin: base })).toBe(403);
  });
});

test('a body that is declared as larger than 10 GiB is refused, but not on loopback', async () => {
  const sent = { headers: { 'content-length': String(10 * 2 ** 30 + 1), expect: '100-continue' } };
  const { call } = await open({});
  expect(await call('POST', '/v1/short_urls', sent)).toMatchObject({ status: 413, json: { status_code: 413 } });
});
