/** Publishing tokens, schema store and short URLs: what was stored can be read back. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Served, served } from '../../support/embedded-service.ts';
import { faults } from '../../support/record-shape.ts';

let service: Served;
beforeEach(async () => {
  service = await served();
});
afterEach(() => service.close());

const DAY = 24 * 60 * 60 * 1000;
const get = async (path: string) => {
  const { status, json } = await service.call('GET', path);
  expect(status).toBe(200);
  return json;
};
const post = (path: string, json?: unknown) => service.call('POST', path, json === undefined ? {} : { json });
const put = (path: string, json?: unknown) => service.call('PUT', path, json === undefined ? {} : { json });
const remove = (path: string) => service.call('DELETE', path);
const user = () => get('/v1/user');

describe('publishing tokens', () => {
  const tokens = '/v1/publishing-tokens';
  const given = {
    target_id: 't1',
    target_resource: 'document',
    valid_until: '2025-03-02T12:00:00+02:00',
    token_name: 'docs',
  };
  const create = async (more: object = {}) => (await post(tokens, { ...given, ...more })).json;

  test('tokens are created, listed, read, updated and deleted', async () => {
    const token = await create();
    expect(faults('PublishingToken', token)).toEqual([]);
    expect(token).toMatchObject({ ...given, valid_until: '2025-03-02T10:00:00.000Z' });
    expect(await get(tokens)).toEqual([token]);
    expect(await get(`${tokens}/${token.id}`)).toEqual(token);
    service.wait(1000);
    const update = await put(`${tokens}/${token.id}`, { valid_until: '2026-01-01T00:00:00Z' });
    expect(update).toMatchObject({ status: 200, text: '' });
    expect(await get(`${tokens}/${token.id}`)).toEqual({
      ...token,
      valid_until: '2026-01-01T00:00:00.000Z',
      updated_at: '2025-03-01T10:00:01.000Z',
      updated_by: (await user()).id,
    });
    await put(`${tokens}/${token.id}`, { valid_until: '2026-01-01T00:00:00Z', token_name: 'new' });
    expect((await get(`${tokens}/${token.id}`)).token_name).toBe('new');
    expect(await remove(`${tokens}/${token.id}`)).toMatchObject({ status: 200, text: '' });
    expect((await service.call('GET', `${tokens}/${token.id}`)).status).toBe(404);
    expect((await remove(`${tokens}/${token.id}`)).status).toBe(404);
    expect(await get(tokens)).toEqual([]);
  });

  test('unknown fields are stored, and fields that the service sets cannot be changed', async () => {
    const made = { id: 'x', token: 'x', created_by: 'x', created_at: 'x', workspace_id: 'x' };
    const token = await create({ ...made, note: 'n', owner: { team: 'docs' } });
    expect(token).toMatchObject({ note: 'n', owner: { team: 'docs' }, workspace_id: service.workspaceId });
    for (const [name, wrong] of Object.entries(made)) expect(token[name]).not.toBe(wrong);
    expect(await get(`${tokens}/${token.id}`)).toEqual(token);
    const change = { ...made, target_id: 'x', note: 'changed', more: 1, token_name: null };
    await put(`${tokens}/${token.id}`, { ...change, valid_until: token.valid_until });
    expect(await get(tokens)).toEqual([{ ...token, note: 'changed', more: 1 }]);
  });

  test('the target comes as plain text and the metadata without a credential, until the token expires', async () => {
    const { id } = await create();
    const target = () => service.call('GET', `${tokens}/${id}/target`);
    const metadata = () => service.call('GET', `${tokens}/${id}/metadata`);
    expect(await target()).toMatchObject({ status: 200, text: 't1' });
    expect((await target()).headers['content-type']).toBe('text/plain; charset=utf-8');
    expect((await metadata()).json).toEqual({
      target_id: 't1',
      target_resource: 'document',
      workspace_id: service.workspaceId,
      organization_id: (await get('/v1/workspace')).organization.id,
      valid_until: '2025-03-02T10:00:00.000Z',
    });
    service.wait(DAY);
    for (const look of [target, metadata])
      expect(await look()).toMatchObject({
        status: 401,
        json: { message: expect.stringContaining('expired') },
      });
    expect((await get(`${tokens}/${id}`)).id).toBe(id);
    await put(`${tokens}/${id}`, { valid_until: '2026-01-01T00:00:00Z' });
    expect((await target()).status).toBe(200);
  });

  test('a missing field, an invalid date and another workspace are refused', async () => {
    for (const name of Object.keys(given))
      expect(await post(tokens, { ...given, [name]: undefined })).toMatchObject({
        status: 400,
        json: { message: `${name} is required` },
      });
    for (const valid_until of ['soon', '1', 'Jan 5 2024', '2024-01-05', '2024-02-30T00:00:00Z'])
      expect((await post(tokens, { ...given, valid_until })).status).toBe(422);
    expect(await post(tokens, { ...given, valid_until: 'soon' })).toMatchObject({
      status: 422,
      json: { message: expect.stringContaining('valid_until') },
    });
    const { id } = await create();
    const { headers } = service.addStranger();
    for (const [method, path, json] of [
      ['GET', id, undefined],
      ['GET', `${id}/target`, undefined],
      ['PUT', id, { valid_until: '2026-01-01T00:00:00Z' }],
      ['DELETE', id, undefined],
    ] as const)
      expect((await service.plain(method, `${tokens}/${path}`, { headers, json })).status).toBe(403);
    expect((await service.plain('GET', tokens, { headers })).json).toEqual([]);
  });

  test('every workspace may read the public metadata of a token until it expires', async () => {
    const { id } = await create();
    const { headers } = service.addStranger();
    const metadata = () => service.plain('GET', `${tokens}/${id}/metadata`, { headers });
    const own = (await service.call('GET', `${tokens}/${id}/metadata`)).json;
    expect(await metadata()).toMatchObject({ status: 200, json: own });
    expect(Object.keys(own).sort()).toEqual(
      ['organization_id', 'target_id', 'target_resource', 'valid_until', 'workspace_id'].sort(),
    );
    service.wait(DAY);
    expect((await metadata()).status).toBe(401);
    expect((await service.plain('GET', `${tokens}/none/metadata`, { headers })).status).toBe(404);
    expect((await service.plain('GET', `${tokens}/${id}/metadata`)).status).toBe(401);
  });

  test('an expiration that is not in the future is refused, and nothing changes', async () => {
    const { id, valid_until } = await create();
    for (const past of ['2025-03-01T09:59:59Z', '2025-03-01T10:00:00Z', '1999-01-01T00:00:00+05:00']) {
      const refused = { status: 422, json: { message: expect.stringContaining('must be in the future') } };
      expect(await post(tokens, { ...given, valid_until: past })).toMatchObject(refused);
      expect(await put(`${tokens}/${id}`, { valid_until: past })).toMatchObject(refused);
    }
    expect(await get(tokens)).toMatchObject([{ id, valid_until }]);
  });

  test('a publishing token is not a credential for the API', async () => {
    const { token } = await create();
    expect((await service.plain('GET', '/v1/user', { headers: { 'x-api-key': token } })).status).toBe(401);
  });
});

describe('schema store and short URLs', () => {
  test('everyone can read a stored document, with a GET that has a body', async () => {
    const given = { spec: 'openapi: 3.1.0\n', packageName: 'p', sdkClassname: 'C', format: 'yaml' };
    const { status, json } = await post('/v1/schema_store', given);
    expect(status).toBe(200);
    expect(faults('SchemaStoreItem', json)).toEqual([]);
    const { headers } = service.addStranger();
    const read = await service.plain('GET', '/v1/schema_store', { headers, json: { id: json.id } });
    expect(read.json).toEqual({ ...given, id: json.id, created_at: '2025-03-01T10:00:00.000Z' });
    const more = (await post('/v1/schema_store', { ...given, note: 'n', body: 1, id: 'x' })).json;
    expect(more).toMatchObject({ ...given, note: 'n', body: 1, id: expect.not.stringMatching(/^x$/) });
    expect((await service.call('GET', '/v1/schema_store', { json: { id: more.id } })).json).toEqual(more);
    const look = (body?: unknown) => service.call('GET', '/v1/schema_store', body === undefined ? {} : { json: body });
    expect(await look()).toMatchObject({ status: 400, json: { message: 'id is required' } });
    expect((await look({})).status).toBe(400);
    expect((await look({ id: 'none' })).status).toBe(404);
  });

  const stored = { packageName: 'p', sdkClassname: 'C' };
  const openapi = { openapi: '3.1.0', info: {}, paths: {} };

  test.each([
    ['json', 'openapi: 3.1.0\n', /^spec is not valid JSON/],
    ['json', '{"openapi":"3.1.0"', /^spec is not valid JSON/],
    ['json', '{"openapi":"3.1.0",}', /^spec is not valid JSON/],
    ['yaml', 'openapi: [3.1.0', /^spec is not valid JSON or YAML/],
    ['yaml', 'just words', /^spec is not a JSON or YAML object/],
    ['yaml', '- openapi', /^spec is not a JSON or YAML object/],
    ['yaml', 'name: pets\n', /^spec is not an OpenAPI/],
    ['json', '{"openapi":"4.0.0"}', /^spec is not an OpenAPI/],
    ['json', '{"openapi":"3.1.0","paths":[]}', /^spec: paths must be an object/],
    [
      'yaml',
      'a: &a [x, x]\nb: &b [*a, *a]\nopenapi: 3.1.0\nc: &c [*c]\n',
      /^spec has the alias \*c at line 4, which refers to itself/,
    ],
  ])('the %s document %j is refused', async (format, spec, message) => {
    const refused = await post('/v1/schema_store', { ...stored, spec, format });
    expect([refused.status, refused.json.message]).toEqual([422, expect.stringMatching(message)]);
    expect(service.store.all('SELECT id FROM schema_store')).toEqual([]);
  });

  test.each([
    ['json', JSON.stringify(openapi)],
    ['json', ` ${JSON.stringify(openapi, null, 2)}\n`],
    ['yaml', JSON.stringify(openapi)],
    ['yaml', "swagger: '2.0'\n"],
    ['yaml', '# a comment\nopenapi: 3.0.3\ninfo: { title: x }\n'],
  ])('the %s document %j is stored unchanged', async (format, spec) => {
    const made = await post('/v1/schema_store', { ...stored, spec, format });
    expect(made).toMatchObject({ status: 200, json: { spec, format } });
  });

  test('a short URL redirects, and the same URL always gets the same short URL', async () => {
    const url = 'https://a.example/x?y=%20&z#part';
    const { json } = await post('/v1/short_urls', { url });
    expect(faults('ShortURL', json)).toEqual([]);
    expect(json.full_url).toBe(url);
    expect((await post('/v1/short_urls', { url })).json).toEqual(json);
    const followed = await service.plain('GET', new URL(json.short_url).pathname);
    expect(followed.status).toBe(302);
    expect(followed.headers.location).toBe(url);
    const head = await service.plain('HEAD', new URL(json.short_url).pathname);
    expect([head.status, head.headers.location, head.text]).toEqual([302, url, '']);
    for (const method of ['GET', 'HEAD']) expect((await service.plain(method, '/s/none')).status).toBe(404);
    const local = await post('/v1/short_urls', { url: 'local:/reports/linting/x' });
    expect(local.status).toBe(200);
    for (const wrong of ['javascript:alert(1)', 'a.example', 'file:///etc/passwd'])
      expect((await post('/v1/short_urls', { url: wrong })).status).toBe(422);
  });

  // A space and a letter with an accent are longer in a `Location`, where they are percent-encoded.
  test.each(['x', 'é', ' x'])('a short URL with many %j has a target that clients can read', async (part) => {
    const root = 'https://a.example/';
    const encoded = new URL(root + part).pathname.length - 1;
    const urlOf = (size: number) => root + part.repeat(Math.floor((size - root.length) / encoded));
    expect((await post('/v1/short_urls', { url: urlOf(8192) })).status).toBe(200);
    const { status, json } = await post('/v1/short_urls', { url: urlOf(8192 + encoded) });
    expect([status, json.message]).toEqual([422, 'url must have at most 8192 characters, percent-encoded']);
  });
});
