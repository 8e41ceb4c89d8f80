/** Wrong and expired credentials on sockets of the service beyond loopback, behind a proxy, with its page. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { showingOf } from '../../../src/commands/service/page-showing.ts';
import { createPage } from '../../../src/service/page/page.ts';
import { connectTo, type Served, served } from '../../support/embedded-service.ts';
import { fail } from '../../support/page-service.ts';
import { publicEndpoint } from '../../support/public-endpoint.ts';

let service: Served;
/** Of the log-ins. The time of the service itself is another one. */
let now = 0;
let checked = 0;
beforeEach(async () => {
  [now, checked] = [0, 0];
  const endpoint = publicEndpoint({ tls: undefined, isBehindProxy: true, names: ['localhost'] });
  service = await served(':memory:', ({ store, now: date, send, key }) => {
    const page = createPage({ store, now: date, send, showing: showingOf(key), report: fail });
    const whole = page.over(send);
    return {
      send: (request, options) => {
        checked++;
        return whole(request, options);
      },
      ...{ endpoint, now: () => now },
    };
  });
});
afterEach(() => service.close());

const basic = (password: string) => `Basic ${Buffer.from(`any:${password}`).toString('base64')}`;

/** Requests with a credential, by what it is. */
const kinds: Readonly<Record<string, (secret: string) => string>> = {
  'API keys': (secret) => `GET /v1/user HTTP/1.1\r\nx-api-key: ${secret}\r\n`,
  bearers: (secret) => `GET /v1/user HTTP/1.1\r\nauthorization: Bearer ${secret}\r\n`,
  'bearers at the registry': (secret) => `GET /v2/ HTTP/1.1\r\nauthorization: Bearer ${secret}\r\n`,
  'tokens of the registry': (secret) =>
    `GET /v2/ HTTP/1.1\r\nauthorization: Bearer ${secret.replace('wrong', 'dist_wrong')}\r\n`,
  'tokens of the registry as passwords': (secret) =>
    `GET /v2/token HTTP/1.1\r\nauthorization: ${basic(secret.replace('wrong', 'dist_wrong'))}\r\n`,
  'tokens of the registry at the API': (secret) =>
    `GET /v1/user HTTP/1.1\r\nauthorization: Bearer ${secret.replace('wrong', 'dist_wrong')}\r\n`,
  'passwords at the registry': (secret) => `GET /v2/token HTTP/1.1\r\nauthorization: ${basic(secret)}\r\n`,
  'keys in the form of the page': (secret) =>
    `POST /-/login HTTP/1.1\r\ncontent-length: ${secret.length + 4}\r\n\r\nkey=${secret}`,
};

/** The statuses of requests that are written to one connection at once. */
function pipelined(requests: readonly string[], client: string): Promise<readonly number[]> {
  const socket = connectTo(service.address);
  const heads = `\r\nhost: localhost\r\nx-forwarded-for: ${client}\r\n`;
  const whole = requests.map((one) => {
    const [head = '', body = ''] = one.split('\r\n\r\n');
    return `${head.replace('\r\n', heads).replace(/(?:\r\n)*$/, '')}\r\n\r\n${body}`;
  });
  return new Promise((done, failed) => {
    let text = '';
    socket.on('error', failed).on('data', (chunk) => {
      text += chunk;
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));
      if (statuses.length < requests.length) return;
      socket.destroy();
      done(statuses);
    });
    socket.write(whole.join(''));
  });
}

const counted = (statuses: readonly number[]): Readonly<Record<number, number>> =>
  Object.fromEntries([...new Set(statuses)].map((one) => [one, statuses.filter((status) => status === one).length]));

describe.each(Object.entries(kinds))('of 400 wrong %s', (_, request) => {
  const wrong = Array.from({ length: 400 }, (_, at) => request(`wrong-${at}`));

  test('on one connection, 20 are checked', async () => {
    expect(counted(await pipelined(wrong, '10.0.0.1'))).toEqual({ 401: 20, 429: 380 });
    expect(checked).toBe(20);
  });

  test.each([
    ['one IP address', () => '10.0.0.1', 20],
    ['20 IP addresses', (at: number) => `10.0.0.${at % 20}`, 400],
    ['one IPv6 network', (at: number) => `2001:db8:1:2::${at}`, 20],
  ])('on 40 connections from %s, 20 of each are checked', async (_, clientOf, count) => {
    const parts = Array.from({ length: 40 }, (_, at) => pipelined(wrong.slice(at * 10, at * 10 + 10), clientOf(at)));
    const { 401: refused, 429: tooMany = 0 } = counted((await Promise.all(parts)).flat());
    expect([refused, tooMany, checked]).toEqual([count, 400 - count, count]);
    now += 60_000;
    expect(counted(await pipelined([request(service.key)], '10.0.0.1'))).not.toHaveProperty('429');
  });
});

test.each(Object.entries(kinds))('200 right %s on one connection are all accepted', async (_, request) => {
  const right = Array.from({ length: 200 }, () => request(service.key));
  for (const status of await pipelined(right, '10.0.0.1')) expect([200, 303]).toContain(status);
});

describe('25 requests lock nothing', () => {
  const hour = 3600_000;
  const statusOf = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await service.plain('GET', path, { headers: { host: 'localhost', ...headers } })).status;
  const repeated = async (path: string, headers: Readonly<Record<string, string>>) => {
    const statuses = new Set<number>();
    for (let count = 0; count < 25; count++) statuses.add(await statusOf(path, headers));
    return [...statuses];
  };
  const publishingToken = async (): Promise<{ readonly id: string; readonly token: string }> => {
    const valid_until = new Date(Date.parse('2025-03-01T10:00:00.000Z') + hour).toISOString();
    const json = { token_name: 'ci', target_id: 'pets', target_resource: 'document', valid_until };
    return (await service.call('POST', '/v1/publishing-tokens', { json, headers: { host: 'localhost' } })).json;
  };

  test.each<readonly [string, string, (token: string) => Readonly<Record<string, string>>]>([
    ['as a password', '/v2/token', (token) => ({ authorization: basic(token) })],
    ['as a bearer of the registry', '/v2/', (token) => ({ authorization: `Bearer ${token}` })],
    ['as a bearer of the API, which needs a key', '/v1/user', (token) => ({ authorization: `Bearer ${token}` })],
    ['as a key of the API', '/v1/user', (token) => ({ 'x-api-key': token })],
  ])('with an expired publishing token %s', async (_, path, headersOf) => {
    const { id, token } = await publishingToken();
    service.wait(hour);
    expect(await repeated(path, headersOf(token))).toEqual([401]);
    const later = { valid_until: '2026-01-01T00:00:00.000Z' };
    const at = `/v1/publishing-tokens/${id}`;
    expect((await service.call('PUT', at, { json: later, headers: { host: 'localhost' } })).status).toBe(200);
    expect(await statusOf('/v2/token', { authorization: basic(token) })).toBe(200);
  });

  test('with a right key for an expired publishing token', async () => {
    const { id } = await publishingToken();
    service.wait(hour);
    const own = { 'x-api-key': service.key };
    for (const part of ['target', 'metadata'])
      expect(await repeated(`/v1/publishing-tokens/${id}/${part}`, own)).toEqual([401]);
    expect(await statusOf('/v1/user', own)).toBe(200);
  });

  test('with different expired access tokens', async () => {
    const tokens: string[] = [];
    for (let at = 0; at < 25; at++) {
      const path = `/v1/auth/access_token?workspace_id=${service.workspaceId}`;
      tokens.push((await service.call('GET', path, { headers: { host: 'localhost' } })).json.access_token);
      service.wait(1000);
    }
    service.wait(hour);
    for (const token of tokens) expect(await statusOf('/v1/user', { authorization: `Bearer ${token}` })).toBe(401);
    expect(await statusOf('/v1/user', { 'x-api-key': service.key })).toBe(200);
  });

  const tokenFor = async (name: string, headers: Readonly<Record<string, string>>) => {
    const path = `/v2/token?service=dtp&scope=repository:local/default/${name}:pull`;
    return (await service.plain('GET', path, { headers: { host: 'localhost', ...headers } })).json.token;
  };

  test.each<readonly [string, string, (token: string) => string, boolean]>([
    ['expired, as bearers of the registry', '/v2/', (token) => `Bearer ${token}`, true],
    ['expired, as bearers for another token', '/v2/token', (token) => `Bearer ${token}`, true],
    ['expired, as bearers of the other path', '/v1/oci/v2/', (token) => `Bearer ${token}`, true],
    ['expired, as passwords', '/v2/token', basic, true],
    ['expired, as bearers of the API', '/v1/user', (token) => `Bearer ${token}`, true],
    ['valid, as bearers of the API, which needs a key', '/v1/user', (token) => `Bearer ${token}`, false],
    ['too narrow', '/v2/local/default/other/manifests/v1', (token) => `Bearer ${token}`, false],
  ])('with different registry tokens: %s', async (_, path, authorization, isExpired) => {
    for (const own of [{ 'x-api-key': service.key }, {}]) {
      const tokens: string[] = [];
      for (let at = 0; at < 25; at++) tokens.push(await tokenFor(`n${at}`, own));
      if (isExpired) service.wait(300_000);
      for (const token of tokens) expect(await statusOf(path, { authorization: authorization(token) })).toBe(401);
    }
    expect(await statusOf('/v1/user', { 'x-api-key': service.key })).toBe(200);
  });

  test('but an expired registry token hides no guess', async () => {
    const authorization = `Bearer ${await tokenFor('n', { 'x-api-key': service.key })}`;
    service.wait(300_000);
    for (const path of ['/v1/user', '/v2/']) {
      now += 60_000;
      for (let at = 0; at < 20; at++) expect(await statusOf(path, { 'x-api-key': `${at}`, authorization })).toBe(401);
      expect(await statusOf(path, { 'x-api-key': '20', authorization })).toBe(429);
    }
  });

  test('but an expired credential hides no guess: after 20 keys together with it, all get 429', async () => {
    const { token } = await publishingToken();
    service.wait(hour);
    for (const path of ['/v1/user', '/v2/']) {
      now += 60_000;
      const tried = (at: number) => statusOf(path, { 'x-api-key': `wrong-${at}`, authorization: `Bearer ${token}` });
      for (let at = 0; at < 20; at++) expect(await tried(at)).toBe(401);
      expect(await tried(20)).toBe(429);
    }
  });
});
