/** Requests as they are built: paths, queries, headers, bodies and forms, and how secrets in them are masked. */
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { operations } from '../../src/operations/index.ts';
import type { FileValue, Operation } from '../../src/operations/operation.ts';
import { records } from '../../src/operations/records.ts';
import { buildRequest, multipart, type ServiceTarget } from '../../src/request/build.ts';
import { type Body, headerValue, readAll } from '../../src/request/http.ts';
import { maskDeep, maskOf, redactUrl, redactValue } from '../../src/request/redact.ts';
import { originOf, pathOf, queryOf, urlOf } from '../../src/request/url.ts';
import { responseRecords } from '../support/response-records.ts';

const target: ServiceTarget = { base: 'https://api.example.test', words: {} };
const build = (operation: Operation, input: Record<string, unknown>, at = target) =>
  buildRequest(operation, input, at, () => 'boundary');
const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error instanceof DtpError ? error.code : 'another error';
  }
  return 'no error';
};

test.each([
  ['plain', '/v1/a/plain'],
  ['sha256:abc', '/v1/a/sha256%3Aabc'],
  ['a/b', '/v1/a/a%2Fb'],
  ['a b?c#d', '/v1/a/a%20b%3Fc%23d'],
  ['é', '/v1/a/%C3%A9'],
  ['%2e%2e', '/v1/a/%252e%252e'],
  ['...', '/v1/a/...'],
])('the path value %j becomes %s', (value, path) => {
  expect(pathOf('/v1/a/{id}', { id: value })).toBe(path);
});

test.each([[''], ['.'], ['..'], ['a\nb'], ['\u0000'], ['\x7f'], ['\ud800'], ['a\udc00']])(
  'the path value %j is rejected',
  (value) => {
    expect(codeOf(() => pathOf('/v1/a/{id}', { id: value }))).toBe('usage');
  },
);

test('a missing path value is rejected', () => {
  expect(codeOf(() => pathOf('/v1/a/{id}', {}))).toBe('usage');
});

test('a query keeps the order and repeats names', () => {
  expect(queryOf([])).toBe('');
  expect(
    queryOf([
      ['a', '1 &='],
      ['b', 'x'],
      ['b', 'é'],
    ]),
  ).toBe('?a=1%20%26%3D&b=x&b=%C3%A9');
  expect(codeOf(() => queryOf([['a', '\ud800']]))).toBe('usage');
});

test.each([
  ['https://api.example.test', 'https://api.example.test/v1/x?a=1'],
  ['https://api.example.test:8443/prefix', 'https://api.example.test:8443/prefix/v1/x?a=1'],
  ['local:', 'local:/v1/x?a=1'],
])('the base %s gives %s', (base, url) => {
  expect(urlOf(base, '/v1/x', '?a=1')).toBe(url);
});

test('a path that a URL parser would shorten is rejected', () => {
  expect(codeOf(() => urlOf('https://api.example.test', '/v1/a/../b', ''))).toBe('usage');
  expect(codeOf(() => urlOf('local:', '/v1/a/%2e%2e/b', ''))).toBe('usage');
});

test('origins', () => {
  expect(originOf('https://A.example.test:443/x')).toBe('https://a.example.test');
  expect(originOf('local:/v1/x')).toBe('local:');
});

test('only given fields are sent', () => {
  expect(build(operations.searchWorkspaceEvents, { workspace_id: 'w_1', success: false, limit: 3 })).toEqual({
    method: 'GET',
    url: 'https://api.example.test/v1/workspace/w_1/events?success=false&limit=3',
    headers: { accept: 'application/json' },
  });
});

test('fields are merged over the body, and unknown fields are passed on', () => {
  const request = build(operations.updatePublishingTokenExpiration, {
    tokenID: 't',
    body: { valid_until: 'old', colour: 'red' },
    valid_until: '2027-01-01T00:00:00Z',
  });
  expect(Buffer.from(request.body as Uint8Array).toString()).toBe(
    '{"valid_until":"2027-01-01T00:00:00Z","colour":"red"}',
  );
  expect(request.headers['content-type']).toBe('application/json');
});

test('a GET may have a JSON body', () => {
  const request = build(operations.getSchemaStoreItem, { id: 's_1' });
  expect(request.method).toBe('GET');
  expect(Buffer.from(request.body as Uint8Array).toString()).toBe('{"id":"s_1"}');
});

test('a missing optional body is not sent', () => {
  const request = build(operations.suggestOpenAPIRegistry, {
    'x-session-id': 's',
    namespace_name: 'n',
    revision_reference: 'r',
  });
  expect(request.body).toBeUndefined();
  expect(request.headers).toEqual({ accept: '*/*', 'x-session-id': 's' });
});

test('the words of a deployment replace names, but never values', () => {
  const words = { codehost: 'forge', docsite: 'pages' };
  expect(build(operations.linkCodehostAccess, { codehost_org: 'codehost' }, { ...target, words }).url).toBe(
    'https://api.example.test/v1/forge/link?forge_org=codehost',
  );
  expect(build(operations.codehostConfigureDocsiteRepo, { body: { a: 'docsite' } }, { ...target, words }).url).toBe(
    'https://api.example.test/v1/forge/configure_pages_repo',
  );
  expect(build(operations.getNamespaces, {}, { ...target, words }).url).toBe(
    'https://api.example.test/v1/artifacts/namespaces',
  );
});

const file = (name: string, text: string): FileValue => ({
  name,
  size: Buffer.byteLength(text),
  open: async function* () {
    yield Buffer.from(text);
  },
});

const textOf = async (body: Body | undefined) =>
  Buffer.from((body && 'open' in body ? await readAll(body.open(), 1e6) : body) as Uint8Array).toString();

test('a form with JSON, strings and files has a known length and can be opened again', async () => {
  const body = build(operations.uploadReport, {
    data: { type: 'linting' },
    file: file('a "b"\r\n.html', '<p>'),
  }).body as Exclude<Body, Uint8Array>;
  const text =
    '--boundary\r\ncontent-disposition: form-data; name="data"\r\n\r\n{"type":"linting"}\r\n' +
    '--boundary\r\ncontent-disposition: form-data; name="file"; filename="a %22b%22%0D%0A.html"\r\n' +
    'content-type: application/octet-stream\r\n\r\n<p>\r\n--boundary--\r\n';
  expect(await textOf(body)).toBe(text);
  expect(await textOf(body)).toBe(text);
  expect(body.size).toBe(Buffer.byteLength(text));
});

test('an array in a form becomes repeated parts', async () => {
  const text = await textOf(build(operations.generateCodeSamplePreview, { operation_ids: ['a', 'b'] }).body);
  expect(text.match(/name="operation_ids"/g)).toHaveLength(2);
});

test('an empty form consists of the closing boundary', async () => {
  expect(await textOf(multipart([], 'b'))).toBe('--b--\r\n');
});

test.each([['a\r\nx: y'], ['é'], [''], [' a'], ['a\u0000']])('the header value %j is rejected', (value) => {
  expect(codeOf(() => headerValue('x', value))).toBe('usage');
});

test.each([
  ['https://u:p@h/x?codehost_oidc_token=abc&org=o#f', 'https://***@h/x?codehost_oidc_token=***&org=o#f'],
  ['https://h/x?git-hub_oidc_token=abc', 'https://h/x?git-hub_oidc_token=***'],
  ['https://h/r?expires=1&signature=abc', 'https://h/r?expires=1&signature=***'],
  ['https://h/r?X-Amz-Signature=abc&sig=d', 'https://h/r?X-Amz-Signature=***&sig=***'],
  ['https://h/r?to%6ben=abc&%=d', 'https://h/r?to%6ben=***&%=d'],
  ['https://h/r?next_page_token=abc', 'https://h/r?next_page_token=abc'],
])('the URL %s is shown as %s', (address, shown) => {
  expect(redactUrl(address)).toBe(shown);
});

test('secret fields and secrets in URLs are masked in a body', () => {
  const body = {
    list: [{ key: 'k', token_name: 'n', apiToken: 't', access_key: 'a' }],
    secrets: { X: 'y', deep: [{ pin: 7, configured: true }] },
    missing_secrets: ['NPM_TOKEN'],
    NPM_TOKEN: 'z',
    has_created_api_key: true,
    token: null,
    url: 'https://u:p@h/?sig=s',
  };
  expect(redactValue(body)).toEqual({
    list: [{ key: '***', token_name: 'n', apiToken: '***', access_key: '***' }],
    secrets: { X: '***', deep: [{ pin: '***', configured: true }] },
    missing_secrets: ['NPM_TOKEN'],
    NPM_TOKEN: '***',
    has_created_api_key: true,
    token: null,
    url: 'https://***@h/?sig=***',
  });
});

test('a known secret is masked in any encoding', () => {
  const secret = 'a"b\\c/SECRET+key==';
  const texts = [secret, JSON.stringify(secret), encodeURIComponent(secret)].map((form) => `no ${form} here`);
  const bytes = Buffer.from(secret);
  const base64 = bytes.toString('base64');
  const encoded = [base64, base64.replaceAll('=', ''), bytes.toString('hex')].map((form) => `no ${form} here`);
  for (const text of [...texts, ...encoded])
    for (const one of [text, text.toLowerCase(), text.toUpperCase()])
      expect(maskOf([secret])(one)).toMatch(/^no "?\*\*\*"? here$/i);
  expect(maskDeep({ [secret]: [texts] }, maskOf([secret]))).toEqual({
    '***': [['no *** here', 'no "***" here', 'no *** here']],
  });
  expect(maskOf(['wrong'])('wrong key')).toBe('wrong key');
});

test('a body is read up to the limit', async () => {
  const source = async function* () {
    yield Buffer.from('abc');
    yield Buffer.from('def');
  };
  expect(await readAll(source(), 6)).toEqual(Buffer.from('abcdef'));
  expect(await readAll(source(), 5)).toBeUndefined();
});

test('each field that may be a secret or an access link is masked, or is listed as harmless', () => {
  const types = [
    ...Object.values(records).flatMap((fields) => Object.entries(fields).map(([name, [type]]) => [name, type])),
    ...Object.values(responseRecords).flatMap(Object.entries),
  ];
  const texts = types.filter(([, type]) => !type.startsWith('boolean')).map(([name]) => name);
  const suspects = [...new Set(texts)].filter((name) => /link|url|hook|token|secret|key|pass|sign/i.test(name));
  const isMasked = (name: string) => JSON.stringify(redactValue({ [name]: 'a value' })).includes('***');
  expect(suspects.filter(isMasked).sort()).toEqual([
    ...['access_token', 'auth_token', 'invite_link', 'key', 'secrets', 'token', 'webhook_url'],
  ]);
  expect(suspects.filter((name) => !isMasked(name)).sort()).toEqual([
    ...['codeSampleOverlayRegistryURL', 'created_by_photo_url', 'full_url', 'generate_repo_url'],
    ...['gh_action_run_link', 'last_publish_gh_action_run_link', 'missing_secrets', 'next_page_token'],
    ...['org.opencontainers.image.url', 'photo_url', 'publish_package_url', 'registry_url', 'run_url'],
    ...['short_url', 'token_name'],
  ]);
  // An empty string is not a secret.
  expect(redactValue({ webhook_url: '', invite_link: null })).toEqual({ webhook_url: '', invite_link: null });
});
