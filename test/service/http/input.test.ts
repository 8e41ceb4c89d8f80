/** How the service reads a request over a real socket: fields, JSON and forms, and which of them it refuses. */
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { allOperations } from '../../../src/operations/index.ts';
import { type Served, served } from '../../support/embedded-service.ts';

let service: Served;
// Of this file alone, because others send forms at the same time.
const temporary = mkdtempSync(join(tmpdir(), 'dtp-test-'));
beforeAll(async () => {
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, temporary);
  service = await served();
});
afterAll(async () => {
  await service.close();
  vi.unstubAllEnvs();
  rmSync(temporary, { recursive: true });
});

const error = (status: number, message: unknown) => ({
  status,
  json: { message, status_code: status },
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

  test('a date and time with an encoded offset', async () => {
    const path = `/v1/workspace/events/targets?after_last_event_created_at=`;
    for (const right of ['2025-01-01T00:00:00%2B02:00', '2025-01-01t00:00:00.5z', '2016-12-31T23:59:60Z'])
      expect((await service.call('GET', path + right)).status).toBe(200);
    for (const wrong of ['yesterday', '2025-01-01', '2025-13-01T00:00:00Z', '2025-02-29T00:00:00Z', ''])
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

  test('a manifest without the Accept header', async () => {
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

  test('a body field of the wrong type', async () => {
    expect(
      await service.call('POST', '/v1/artifacts/namespaces/n/visibility', { json: { public: 'yes' } }),
    ).toMatchObject(error(400, 'public must be a boolean'));
    expect(
      await service.call('POST', '/v1/schema_store', {
        json: { spec: 's', packageName: 'p', sdkClassname: 'c', format: 'toml' },
      }),
    ).toMatchObject(error(400, 'format must be one of json, yaml'));
  });

  /** The operations that read long lists and documents, or store one that no list contains. */
  const large = ['createSchemaStoreItem', 'postWorkspaceEvents', 'suggest', 'suggestItems', 'suggestOpenAPIRegistry'];
  const MIB = 2 ** 20;
  const bodied = allOperations.filter(({ input }) =>
    Object.values(input).some((field) => field.in === 'body' || field.in === 'member'),
  );

  test.each(bodied)(
    '$id: 413 for more JSON than it may have, and the connection stays open',
    async ({ id, method, path }) => {
      const [bytes, text] = large.includes(id) ? [16 * MIB, '16 MiB'] : [MIB / 8, '128 KiB'];
      const url = path.replace('{workspace_id}', service.workspaceId).replaceAll(/\{\w+\}/g, 'x');
      const send = (body: Buffer) => service.call(method, url, { body, headers: { 'x-session-id': 's' } });
      const refused = error(413, `the body is larger than ${text}`);
      expect(await send(Buffer.alloc(bytes + 1, ' '))).toMatchObject(refused);
      expect(await send(Buffer.alloc(bytes, ' '))).not.toMatchObject({ status: 413 });
    },
  );

  test('JSON may be nested 500 deep, not counting brackets in strings', async () => {
    const post = (value: string) =>
      service.call('POST', '/v1/workspace', { body: `{"name":"Deep ${value.length}","x":${value}}` });
    const nested = (depth: number) => `${'[{"x":'.repeat(depth / 2)}1${'}]'.repeat(depth / 2)}`;
    expect((await post(nested(498))).status).toBe(200);
    expect(await post(nested(500))).toMatchObject(error(400, 'the body is nested deeper than 500'));
    const texts = ['[{'.repeat(600), '\\"[{'.repeat(600), '\\\\'].map((text) => JSON.stringify(text));
    expect((await post(`[${texts.join(',')}]`)).status).toBe(200);
  });

  test('413 for more than 100,000 values', async () => {
    const body = `[${'1,'.repeat(100_000)}1]`;
    expect(await service.call('POST', '/v1/suggest/items', { body })).toMatchObject(
      error(413, 'the body has more than 100000 values'),
    );
  });

  test('JSON of many megabytes is read', async () => {
    const spec = JSON.stringify({ openapi: '3.1.0', info: { description: 'a'.repeat(8_000_000) } });
    const json = { spec, packageName: 'p', sdkClassname: 'c', format: 'json' };
    const made = await service.call('POST', '/v1/schema_store', { json });
    expect(made.json.spec).toBe(spec);
  });

  test('a chunked body is read', async () => {
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
  const isLinux = existsSync('/proc/self/fd');
  /** The deleted files that this process has open. */
  const held = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).includes('dtp-form-');
      } catch {
        return false;
      }
    });
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

  test('the file of a report comes back unchanged', async () => {
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
      'data is not valid JSON',
    ],
    [
      [
        ['name="data"', '['.repeat(501)],
        ['name="file"', 'x'],
      ],
      '--X--',
      400,
      'data is nested deeper than 500',
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
    expect(await post('/v1/reports', parts, end)).toMatchObject(error(status, expect.stringContaining(message)));
    expect(leftovers()).toEqual(before);
  });

  test('415 for a body that is not a form', async () => {
    expect(await service.call('POST', '/v1/reports', { json: {} })).toMatchObject(
      error(415, expect.stringContaining('multipart/form-data')),
    );
  });

  test.skipIf(!isLinux)('an upload has no name on the disk, and leaves nothing behind if it breaks off', async () => {
    const socket = connect(Number(new URL(service.address).port), '127.0.0.1');
    socket.write(
      `POST /v1/reports HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${service.key}\r\ncontent-length: 1000000\r\n` +
        'content-type: multipart/form-data; boundary=X\r\n\r\n' +
        '--X\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\npart of it',
    );
    await expect.poll(held).toHaveLength(1);
    await expect.poll(leftovers).toEqual(before);
    socket.destroy();
    await expect.poll(held).toEqual([]);
  });
});
