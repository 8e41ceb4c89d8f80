/** The core of the service over a real socket: routes, errors, and the refusal of web pages. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { openStore } from '../../src/service/data/store.ts';
import { listen } from '../../src/service/http/listen.ts';
import { route } from '../../src/service/http/router.ts';
import { createService } from '../../src/service/service.ts';
import { connectTo, type Served, send, served } from '../support/embedded-service.ts';

let service: Served;
beforeAll(async () => {
  service = await served();
});
afterAll(() => service.close());

const error = (status: number, message: unknown) => ({
  status,
  json: { message, status_code: status },
});

describe('routes', () => {
  test.each(Object.values(operations))('$id is found by its method and path', (operation) => {
    const path = operation.path.replaceAll(/\{[^}]+\}/g, 'a%2Fb');
    const found = route(operation.method, path);
    expect(found?.operation.id).toBe(operation.id);
    for (const value of Object.values(found?.path ?? {})) expect(value).toBe('a/b');
  });

  test.each([
    ['GET', '/v1/organization/usage', 'getOrganizationUsage'],
    ['GET', '/v1/organization/add_ons', 'getBillingAddOns'],
    ['GET', '/v1/organization/o1', 'getOrganization'],
    ['GET', '/v1/workspace/access', 'getWorkspaceAccess'],
    ['GET', '/v1/workspace/w1', 'getWorkspace'],
    ['GET', '/v1/workspace/events/targets', 'getWorkspaceTargets'],
    ['GET', '/v1/workspace/w1/events/targets', 'getWorkspaceTargetsDeprecated'],
    ['POST', '/v1/workspace/feature_flags', 'setWorkspaceFeatureFlags'],
    ['POST', '/v1/suggest/openapi', 'suggestOpenAPI'],
    ['GET', '/v1/workspace/%66eature_flags/team', 'getWorkspaceTeam'],
  ])('%s %s is %s', (method, path, id) => {
    expect(route(method, path)?.operation.id).toBe(id);
  });

  test('a literal segment beats a parameter for every method', async () => {
    const answer = await service.call('GET', '/v1/workspace/feature_flags');
    expect(answer).toMatchObject(error(405, '/v1/workspace/feature_flags only allows POST'));
    expect(answer.headers.allow).toBe('POST');
  });

  test.each([
    '/v1/nothing',
    '/v1/user/',
    '/v1/user/x',
    '/v1//user',
    '/v1/workspace//team',
    '/',
    '/v1/workspace/x/../../user',
    '/v1/workspace/%2e%2e/user',
  ])('404 for %s', async (path) => {
    expect(await service.call('GET', path)).toMatchObject(error(404, `${path} not found`));
  });

  test('405 lists the methods of the path', async () => {
    const answer = await service.call('DELETE', '/v1/workspace');
    expect(answer.status).toBe(405);
    expect(answer.headers.allow?.split(', ').sort()).toEqual(['GET', 'POST']);
    expect((await service.plain('POST', '/s/x')).headers.allow).toBe('GET, HEAD');
  });

  test('400 for invalid percent-encoding in the path or the query', async () => {
    expect(await service.call('GET', '/v1/workspace/%zz')).toMatchObject(error(400, expect.stringContaining('%zz')));
    expect(await service.call('GET', '/v1/workspace/access?targetType=%f')).toMatchObject(
      error(400, expect.stringContaining('targetType=%f')),
    );
  });
});

describe('loopback only', () => {
  const host = (value: string) =>
    service.plain('GET', '/v1/user', { headers: { host: value, 'x-api-key': service.key } });

  test.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1.evil.example',
    '128.0.0.1',
    '[::2]',
    '127.0.0.1:99999',
    '127.0.0.999',
  ])('403 for the host %j', async (value) => {
    expect(await host(value)).toMatchObject(error(403, expect.stringContaining('Host')));
  });

  test('400 for two Host headers', async () => {
    const hosts = ['127.0.0.1', 'evil.example'];
    for (const [first, second] of [hosts, hosts.toReversed(), ['127.0.0.1', '127.0.0.1']]) {
      const socket = connectTo(service.address);
      socket.end(`GET /v1/user HTTP/1.1\r\nHost: ${first}\r\nhost: ${second}\r\nConnection: close\r\n\r\n`);
      const answer = (await socket.toArray()).join('');
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    }
  });

  test.each(['127.0.0.1', 'localhost:1234', 'LOCALHOST', '[::1]:80', '127.1.2.3'])(
    'the host %j may be named',
    async (value) => {
      expect((await host(value)).status).toBe(200);
    },
  );

  test('403 for a web page of any origin', async () => {
    for (const origin of ['https://evil.example', service.address, 'null'])
      expect((await service.call('GET', '/v1/user', { headers: { origin } })).status).toBe(403);
  });

  test.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 403],
    ['none', 200],
  ])('a GET of a browser without an Origin header, from a page that is %s: %i', async (site, status) => {
    const headers = { 'sec-fetch-site': site };
    expect((await service.call('GET', '/v1/user', { headers })).status).toBe(status);
  });

  test('half of a surrogate pair is refused anywhere, because all halves would be stored as the same character', async () => {
    const [name, body] = ['{"name":"a\\ud800","scope":"read"}', '{"name":"a","x":[{"\\udfff":1}]}'];
    const path = `/v1/workspace/${service.workspaceId}/tokens`;
    const headers = { 'content-type': 'application/json' };
    for (const text of [name, body, '"\\uD83D"', '"\\ude00\\ud83d"'])
      expect(await service.call('POST', path, { body: text, headers }), text).toMatchObject(
        error(400, 'the body contains half of a surrogate pair'),
      );
    const whole = await service.call('POST', path, { body: '{"name":"\\ud83d\\ude00 \\u00e9"}', headers });
    expect(whole.status, whole.text).toBeLessThan(300);
    const { json: all } = await service.call('GET', path);
    expect(all.map((one: { readonly name: string }) => one.name)).toContain('\u{1f600} \u00e9');
  });

  test('a form field that is not UTF-8 is refused', async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="language"\r\n\r\n';
    const body = Buffer.concat([Buffer.from(part), Buffer.from([0x67, 0xff]), Buffer.from('\r\n--b--\r\n')]);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    expect(await service.call('POST', '/v1/code_sample/preview', { body, headers })).toMatchObject(
      error(400, 'language is not valid UTF-8'),
    );
  });

  test('it listens on 127.0.0.1, and fails if the port is in use', async () => {
    expect(service.address).toMatch(/^https?:\/\/127\.0\.0\.1:\d+$/);
    const { port } = new URL(service.address);
    const second = listen(async () => Promise.reject(new Error('unused')), { port: Number(port) });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('URLs in responses have the host of the request', async () => {
    const made = await service.call('POST', '/v1/short_urls', {
      json: { url: 'https://a.example/' },
      headers: { host: 'localhost:99' },
    });
    const { protocol } = new URL(service.address);
    expect(made.json.short_url).toMatch(new RegExp(`^${protocol}//localhost:99/s/`));
  });
});

test('an unexpected error is a 500 without details, and reported with them', async () => {
  const own = await served();
  own.store.run('DROP TABLE short_urls');
  const answer = await own.call('POST', '/v1/short_urls', { json: { url: 'https://a.example/' } });
  expect(answer).toMatchObject(error(500, 'internal error'));
  const reports: string[] = [];
  const handle = createService(own.store, { now: () => 0, report: (fault) => reports.push(fault) });
  const request = {
    method: 'POST',
    headers: { 'x-api-key': own.key },
    body: Buffer.from('{"url":"https://a.example/"}'),
  };
  const { signal } = new AbortController();
  expect(await handle({ ...request, url: 'local:/v1/short_urls' }, { signal })).toMatchObject({ status: 500 });
  expect(reports).toEqual([
    expect.stringMatching(/^dtp itself has a fault: (Sqlite)?Error: no such table: short_urls at .*:\d+:\d+\)?$/),
  ]);
  // A refusal is an answer that somebody expected.
  expect(await handle({ ...request, url: 'local:/v1/nothing' }, { signal })).toMatchObject({ status: 404 });
  expect(reports).toHaveLength(1);
  await own.close();
});

test('without a socket, the base URL is local: and a signal aborts the call', async () => {
  const store = openStore(':memory:');
  const handle = createService(store, { now: () => 0 });
  const request = { method: 'GET', url: 'local:/v1/user', headers: {} };
  expect((await handle(request, { signal: new AbortController().signal })).status).toBe(401);
  await expect(handle(request, { signal: AbortSignal.abort() })).rejects.toThrow('abort');
  store.close();
});

test('closing ends idle connections at once and waits for running requests only briefly', async () => {
  const own = await served();
  const socket = connectTo(own.address);
  socket.on('error', () => {});
  socket.write('POST /v1/workspace HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n');
  await send(own.address, 'GET', '/v1/user');
  // This would never resolve if it waited for the request.
  await own.close();
  socket.destroy();
});
