/** The service's core over a real socket: routes, credentials, inputs, forms, and what keeps web pages out. */
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { operations } from '../src/operations/index.ts';
import { listen } from '../src/service/listen.ts';
import { route } from '../src/service/router.ts';
import { createService } from '../src/service/service.ts';
import { openStore } from '../src/service/store.ts';
import { type Served, send, served } from './support/served.ts';

let service: Served;
let stranger: ReturnType<Served['addStranger']>;
beforeAll(async () => {
  service = await served();
  stranger = service.addStranger();
});
afterAll(() => service.close());

const error = (status: number, message: unknown) => ({
  status,
  json: { message, status_code: status },
});

describe('routes', () => {
  test.each(Object.values(operations))('$id is found by its own method and path', (operation) => {
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

  test('a literal segment beats a parameter, whatever the method', async () => {
    const answer = await service.call('GET', '/v1/workspace/feature_flags');
    expect(answer).toMatchObject(error(405, '/v1/workspace/feature_flags takes POST'));
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
    expect(await service.call('GET', path)).toMatchObject(error(404, `there is no ${path}`));
  });

  test('405 tells the methods of the path', async () => {
    const answer = await service.call('DELETE', '/v1/workspace');
    expect(answer.status).toBe(405);
    expect(answer.headers.allow?.split(', ').sort()).toEqual(['GET', 'POST']);
    expect((await service.plain('POST', '/s/x')).headers.allow).toBe('GET');
  });

  test('400 for a segment or a query that is badly encoded', async () => {
    expect(await service.call('GET', '/v1/workspace/%zz')).toMatchObject(
      error(400, expect.stringContaining('%zz')),
    );
    expect(await service.call('GET', '/v1/workspace/access?targetType=%f')).toMatchObject(
      error(400, expect.stringContaining('targetType=%f')),
    );
  });
});

describe('credentials', () => {
  const user = (headers: Record<string, string>) => service.plain('GET', '/v1/user', { headers });
  const token = async (workspace = service.workspaceId) =>
    (await service.plain('GET', `/v1/auth/access_token?workspace_id=${workspace}`)).json.access_token;

  test('each scheme, and a key as a bearer', async () => {
    for (const headers of [
      { 'x-api-key': service.key },
      { authorization: `Bearer ${await token()}` },
      { authorization: `bearer ${service.key}` },
      { 'x-workspace-identifier': service.workspaceId },
    ])
      expect(await user(headers)).toMatchObject({ status: 200, json: { email: 'user@dtp.local' } });
  });

  test('401 without one', async () => {
    const answer = await user({});
    expect(answer).toMatchObject(error(401, expect.stringContaining('credential is required')));
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test.each([
    { 'x-api-key': 'dtp_wrong' },
    { 'x-api-key': '' },
    { authorization: 'Bearer wrong' },
    { authorization: 'Bearer a.b.c' },
    { authorization: 'Basic d3Jvbmc=' },
    { 'x-workspace-identifier': 'nothing' },
  ])('401 for %o', async (headers) => {
    expect((await user(headers)).status).toBe(401);
  });

  test('a key alone is no authorization header', async () => {
    expect((await user({ authorization: service.key })).status).toBe(401);
  });

  test('of several, the key counts, then the bearer', async () => {
    const wrong = { authorization: 'Bearer wrong', 'x-workspace-identifier': 'wrong' };
    expect((await user({ 'x-api-key': service.key, ...wrong })).status).toBe(200);
    expect((await user({ ...wrong, 'x-workspace-identifier': service.workspaceId })).status).toBe(401);
  });

  test('an access token that was changed, or names no algorithm', async () => {
    const [header, payload = '', signature] = (await token()).split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const forged = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const bearer of [
      `${header}.${forged({ ...claims, workspace_id: stranger.workspace, sub: stranger.user })}.${signature}`,
      `${forged({ alg: 'none', typ: 'JWT' })}.${payload}.`,
      `${header}.${payload}.`,
      `${header}.${payload}`,
    ])
      expect((await user({ authorization: `Bearer ${bearer}` })).status).toBe(401);
  });

  test('an access token expires after an hour', async () => {
    const own = await served();
    const path = `/v1/auth/access_token?workspace_id=${own.workspaceId}`;
    const { access_token } = (await own.plain('GET', path)).json;
    const headers = { authorization: `Bearer ${access_token}` };
    own.wait(3_599_000);
    expect((await own.plain('GET', '/v1/user', { headers })).status).toBe(200);
    own.wait(1000);
    expect((await own.plain('GET', '/v1/user', { headers })).status).toBe(401);
    await own.close();
  });

  test("403 for another user's workspace, 404 for none", async () => {
    expect(await service.call('GET', `/v1/workspace/${stranger.workspace}`)).toMatchObject(
      error(403, expect.stringContaining(stranger.workspace)),
    );
    expect(await service.call('GET', '/v1/workspace/none')).toMatchObject(
      error(404, 'there is no workspace none'),
    );
    const theirs = await service.plain('GET', `/v1/workspace/${service.workspaceId}`, stranger);
    expect(theirs.status).toBe(403);
  });

  test('another workspace of the same user may be named', async () => {
    const { json } = await service.call('POST', '/v1/workspace', { json: { name: 'Second' } });
    expect((await service.call('GET', `/v1/workspace/${json.id}/team`)).status).toBe(200);
  });

  test('a wrong credential is refused before the body is read', async () => {
    const answer = await service.plain('POST', '/v1/workspace', { body: '{{' });
    expect(answer.status).toBe(401);
  });

  test('last_used follows, to the minute', async () => {
    const own = await served();
    const lastUsed = async () =>
      (await own.call('GET', `/v1/workspace/${own.workspaceId}/tokens`)).json[0].last_used;
    expect(await lastUsed()).toBe('2025-03-01T10:00:00.000Z');
    own.wait(30_000);
    expect(await lastUsed()).toBe('2025-03-01T10:00:00.000Z');
    own.wait(30_000);
    expect(await lastUsed()).toBe('2025-03-01T10:01:00.000Z');
    await own.close();
  });

  test('a preflight token opens its namespace and no operation', async () => {
    const { json } = await service.call('POST', '/v1/artifacts/preflight', {
      json: { namespace_name: 'n' },
    });
    const headers = { authorization: `Bearer ${json.auth_token}`, accept: '*/*' };
    const { organizationSlug, workspaceSlug } = service;
    const manifest = `/v1/oci/v2/${organizationSlug}/${workspaceSlug}/n/manifests/latest`;
    expect((await service.plain('GET', manifest, { headers })).status).toBe(404);
    expect((await service.plain('GET', manifest.replace('/n/', '/m/'), { headers })).status).toBe(401);
    expect((await service.plain('GET', '/v1/user', { headers })).status).toBe(401);
  });

  test('the distribution endpoint answers under both its paths', async () => {
    for (const path of ['/v2/', '/v1/oci/v2/']) {
      expect((await service.call('GET', path)).status).toBe(200);
      expect((await service.plain('GET', path)).json.errors[0].code).toBe('UNAUTHORIZED');
      expect((await service.plain('GET', path, { headers: { 'x-api-key': 'wrong' } })).status).toBe(401);
    }
  });
});

describe('inputs', () => {
  const events = () => `/v1/workspace/${service.workspaceId}/events`;

  test.each([
    ['limit=many', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=99999999999999999999', 'limit'],
    ['limit=', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['success=yes', 'success'],
  ])('400 names the field of ?%s', async (query, name) => {
    expect(await service.call('GET', `${events()}?${query}`)).toMatchObject(
      error(400, expect.stringMatching(new RegExp(`^${name} `))),
    );
  });

  test('a date and time, with its offset encoded', async () => {
    const path = `/v1/workspace/events/targets?after_last_event_created_at=`;
    expect((await service.call('GET', `${path}2025-01-01T00:00:00%2B02:00`)).status).toBe(200);
    for (const wrong of ['yesterday', '2025-01-01', '2025-13-01T00:00:00Z', ''])
      expect(await service.call('GET', path + wrong)).toMatchObject(
        error(400, expect.stringContaining('after_last_event_created_at')),
      );
  });

  test.each([
    ['GET', '/v1/auth/access_token', 'workspace_id'],
    ['GET', '/v1/auth/access_token?workspace_id=', 'workspace_id'],
    ['GET', '/v1/code_sample', 'registry_url'],
    ['GET', '/v1/codehost/check_access?org=a', 'repo'],
    ['POST', '/v1/suggest/openapi_from_summary', 'x-session-id'],
    ['POST', '/v1/workspace', 'body'],
    ['POST', '/v1/short_urls', 'url'],
  ])('400 for %s %s without %s', async (method, path, name) => {
    expect(await service.call(method, path)).toMatchObject(error(400, `${name} is required`));
  });

  test('a missing header of a manifest', async () => {
    const path = `/v1/oci/v2/${service.organizationSlug}/${service.workspaceSlug}/n/manifests/latest`;
    expect(await service.call('GET', path)).toMatchObject(error(400, 'Accept is required'));
  });

  test.each([
    ['{', 'JSON'],
    ['\xff', 'JSON'],
    ['[]', 'JSON object'],
    ['"x"', 'JSON object'],
    ['{"url": 1}', 'url must be a string'],
    ['{"url": null}', 'url is required'],
  ])('400 for the body %s', async (body, message) => {
    expect(await service.call('POST', '/v1/short_urls', { body: Buffer.from(body, 'latin1') })).toMatchObject(
      error(400, expect.stringContaining(message)),
    );
  });

  test('a body member of the wrong kind', async () => {
    expect(
      await service.call('POST', '/v1/artifacts/namespaces/n/visibility', { json: { public: 'yes' } }),
    ).toMatchObject(error(400, 'public must be a boolean'));
    expect(
      await service.call('POST', '/v1/schema_store', {
        json: { spec: 's', packageName: 'p', sdkClassname: 'c', format: 'toml' },
      }),
    ).toMatchObject(error(400, 'format must be one of json, yaml'));
  });

  test('413 for JSON beyond 64 MiB, answered while the connection stays', async () => {
    const body = Buffer.alloc(64 * 1024 * 1024 + 1, ' ');
    expect(await service.call('POST', '/v1/workspace', { body })).toMatchObject(
      error(413, expect.stringContaining('67108864')),
    );
  });

  test('JSON of many megabytes is read', async () => {
    const spec = 'a'.repeat(8_000_000);
    const json = { spec, packageName: 'p', sdkClassname: 'c', format: 'json' };
    const made = await service.call('POST', '/v1/schema_store', { json });
    expect(made.json.spec.length).toBe(8_000_000);
  });

  test('a chunked body', async () => {
    const made = await service.call('POST', '/v1/short_urls', {
      headers: { 'transfer-encoding': 'chunked' },
      json: { url: 'https://a.example/' },
    });
    expect(made.status).toBe(200);
  });
});

describe('forms', () => {
  const document = JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'T', version: '1' },
    paths: {
      '/a': { get: { operationId: 'a' } },
      '/b': { get: { operationId: 'b' } },
      '/c': { get: { operationId: 'c' } },
    },
  });
  const post = (path: string, parts: readonly (readonly [head: string, content: string])[], end = '--X--') =>
    service.call('POST', path, {
      headers: { 'content-type': 'multipart/form-data; boundary=X' },
      body: `${parts.map(([head, content]) => `--X\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`).join('')}${end}`,
    });
  const schema = ['name="schema_file"; filename="openapi.json"', document] as const;
  const leftovers = () => readdirSync(tmpdir()).filter((name) => name.startsWith('dtp-form-'));
  let before: readonly string[];
  beforeEach(() => {
    before = leftovers();
  });

  test.each([
    [[['name="operation_ids"', 'a,c']]],
    [
      [
        ['name="operation_ids"', 'a'],
        ['name="operation_ids"', 'c'],
      ],
    ],
    [
      [
        ['name="operation_ids[]"', 'a'],
        ['name="operation_ids[]"', 'c'],
      ],
    ],
  ] as const)('operation_ids as %j', async (ids) => {
    const answer = await post('/v1/code_sample/preview', [['name="language"', 'curl'], ...ids, schema]);
    expect(answer.json.snippets.map((one: { operationId: string }) => one.operationId)).toEqual(['a', 'c']);
    expect(leftovers()).toEqual(before);
  });

  test('a report: its file comes back whole', async () => {
    const html = '<p>\r\n--\r\n</p>';
    const made = await post('/v1/reports', [
      ['name="data"', '{"type":"linting"}'],
      ['name="file"; filename="r.html"', html],
    ]);
    expect(made.status).toBe(200);
    const url = new URL(made.json.url);
    expect(url.origin).toBe(service.address);
    expect((await service.plain('GET', url.pathname + url.search)).text).toBe(html);
    expect(leftovers()).toEqual(before);
  });

  test.each([
    [[['name="data"', '{}']], '--X--', 400, 'file is required'],
    [[['name="file"; filename="f"', 'x']], '--X--', 400, 'data is required'],
    [
      [
        ['name="data"', '{'],
        ['name="file"', 'x'],
      ],
      '--X--',
      400,
      'data is no valid JSON',
    ],
    [
      [
        ['name="file"', 'x'],
        ['name="file"', 'y'],
      ],
      '--X--',
      400,
      'file was given twice',
    ],
    [[['name="file"', 'x']], '', 400, 'last boundary'],
  ] as const)('refused: %j', async (parts, end, status, message) => {
    expect(await post('/v1/reports', parts, end)).toMatchObject(
      error(status, expect.stringContaining(message)),
    );
    expect(leftovers()).toEqual(before);
  });

  test('415 for what is no form', async () => {
    expect(await service.call('POST', '/v1/reports', { json: {} })).toMatchObject(
      error(415, expect.stringContaining('multipart/form-data')),
    );
  });

  test('an upload that breaks off leaves nothing', async () => {
    const socket = connect(Number(new URL(service.address).port), '127.0.0.1');
    socket.write(
      `POST /v1/reports HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${service.key}\r\ncontent-length: 1000000\r\n` +
        'content-type: multipart/form-data; boundary=X\r\n\r\n' +
        '--X\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\npart of it',
    );
    await expect.poll(leftovers).not.toEqual(before);
    socket.destroy();
    await expect.poll(leftovers).toEqual(before);
  });
});

describe('loopback alone', () => {
  const host = (value: string) =>
    service.plain('GET', '/v1/user', { headers: { host: value, 'x-api-key': service.key } });

  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '128.0.0.1', '[::2]'])(
    '403 for the host %j',
    async (value) => {
      expect(await host(value)).toMatchObject(error(403, expect.stringContaining('Host')));
    },
  );

  test.each(['127.0.0.1', 'localhost:1234', 'LOCALHOST', '[::1]:80', '127.1.2.3'])(
    'the host %j may be named',
    async (value) => {
      expect((await host(value)).status).toBe(200);
    },
  );

  test('403 for a web page, whatever its origin', async () => {
    for (const origin of ['https://evil.example', service.address, 'null'])
      expect((await service.call('GET', '/v1/user', { headers: { origin } })).status).toBe(403);
  });

  test('it listens on 127.0.0.1, and not where somebody listens already', async () => {
    expect(service.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const { port } = new URL(service.address);
    const second = listen(async () => Promise.reject(new Error('unused')), { port: Number(port) });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  test('addresses in answers follow the host of the request', async () => {
    const made = await service.call('POST', '/v1/short_urls', {
      json: { url: 'https://a.example/' },
      headers: { host: 'localhost:99' },
    });
    expect(made.json.short_url).toMatch(/^http:\/\/localhost:99\/s\//);
  });
});

test('an unexpected fault is 500 and tells nothing', async () => {
  const own = await served();
  own.store.run('DROP TABLE short_urls');
  const answer = await own.call('POST', '/v1/short_urls', { json: { url: 'https://a.example/' } });
  expect(answer).toMatchObject(error(500, 'internal error'));
  await own.close();
});

test('in process: the base is local:, and a signal ends the call', async () => {
  const store = openStore(':memory:');
  const { handle } = createService(store, { now: () => 0 });
  const request = { method: 'GET', url: 'local:/v1/user', headers: {} };
  expect((await handle(request, { signal: new AbortController().signal })).status).toBe(401);
  await expect(handle(request, { signal: AbortSignal.abort() })).rejects.toThrow('abort');
  store.close();
});

test('closing ends idle connections at once and waits for no one for long', async () => {
  const own = await served();
  const socket = connect(Number(new URL(own.address).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('POST /v1/workspace HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n');
  await send(own.address, 'GET', '/v1/user');
  const started = performance.now();
  await own.close();
  expect(performance.now() - started).toBeLessThan(3000);
  socket.destroy();
});
