/** How answers are handled: statuses, the 202 of jobs, bodies that cannot be decoded, content encodings. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { frozenClock } from '../support/clocks.ts';
import { temporaryFolder } from '../support/context.ts';
import { answer, answerPreflight, guardWire, lines, type Reply, wire } from '../support/wire.ts';

guardWire();

const errorOf = (stderr: string) => JSON.parse(stderr.trimEnd().split('\n').at(-1) as string).error;

test.each([
  [400, 7, 'rejected'],
  [401, 4, 'auth'],
  [403, 5, 'forbidden'],
  [404, 6, 'not_found'],
  [408, 7, 'rejected'],
  [409, 7, 'rejected'],
  [410, 6, 'not_found'],
  [413, 7, 'rejected'],
  [422, 7, 'rejected'],
  [429, 9, 'rate_limited'],
  [500, 10, 'server'],
  [502, 10, 'server'],
  [503, 10, 'server'],
  [504, 10, 'server'],
  [301, 12, 'bad_response'],
  [302, 12, 'bad_response'],
  [307, 12, 'bad_response'],
])('status %i exits with %i (%s), after one attempt', async (status, exit, code) => {
  const seen = answer('GET', '/v1/user', [status, '{"message":"no"}', { location: 'https://other.example.test/' }]);
  const ended = await wire(['auth', 'user', '-o', 'json']);
  expect(ended).toMatchObject({ code: exit, stdout: '' });
  expect(seen).toHaveLength(1);
  expect(errorOf(ended.stderr)).toMatchObject({
    code,
    exit_code: exit,
    status,
    operation: 'getUser',
    method: 'GET',
    path: '/v1/user',
    attempts: 1,
  });
});

test.each([
  ['no body', undefined, undefined],
  ['a string', '<h1>no</h1>', '<h1>no</h1>'],
  ['a record without a status', '{"message":"no"}', { message: 'no' }],
])('an error with %s', async (_, body, details) => {
  answer('GET', '/v1/user', [418, body]);
  const ended = await wire(['auth', 'user', '-o', 'json']);
  expect(ended).toMatchObject({ code: 7, stdout: '' });
  expect(errorOf(ended.stderr).details).toEqual(details);
});

test('the request id is printed', async () => {
  answer('GET', '/v1/user', [500, '', { 'X-Request-Id': 'r-1' }]);
  const ended = await wire(['auth', 'user', '-o', 'json']);
  expect(errorOf(ended.stderr)).toMatchObject({ request_id: 'r-1', status: 500 });
});

test.each(['7', 'Sat, 31 Jan 2026 12:00:07 GMT'])('Retry-After: %s says when to try again', async (wait) => {
  answer('GET', '/v1/user', [503, '', { 'Retry-After': wait }]);
  const ended = await wire(['auth', 'user', '-o', 'json'], { clock: frozenClock });
  expect(errorOf(ended.stderr).hint).toContain('Try again in 7 s');
});

const running = (flags: readonly string[], world = {}) => {
  answer('GET', '/v1/code_sample/preview/async/j_1', [202, '{"status":"unknown"}']);
  return wire(['code-samples', 'jobs', 'get', 'j_1', ...flags], world);
};

test.each([
  ['table', 'status  unknown\n'],
  ['json', '{\n  "status": "unknown"\n}\n'],
  ['yaml', 'status: unknown\n'],
  ['ndjson', '{"status":"unknown"}\n'],
  ['csv', 'status\nunknown\n'],
  ['tsv', 'status\nunknown\n'],
  ['raw', '{"status":"unknown"}\n'],
  // A status has no id or name.
  ['name', ''],
])('-o %s prints the status of a running job, and exits with 8', async (format, text) => {
  const ended = await running(['-o', format, '--error-format', 'json']);
  expect(ended).toMatchObject({ code: 8, stdout: text });
  expect(errorOf(ended.stderr)).toMatchObject({
    code: 'pending',
    status: 202,
    operation: 'getCodeSamplePreviewAsync',
    details: { status: 'unknown' },
  });
});

test('the status of a running job can be selected, but is not written to a file', async () => {
  expect(await running(['-r', '--query', 'status'])).toMatchObject({ code: 8, stdout: 'unknown\n' });
  expect((await running([], { tty: true })).stdout).toContain('unknown');
  const home = temporaryFolder();
  for (const flags of [
    ['-O', 'out'],
    ['--out-dir', 'out'],
  ])
    expect(await running(flags, { home })).toMatchObject({ code: 8, stdout: '' });
  expect(existsSync(join(home, 'out'))).toBe(false);
});

test('only the status decides whether a job is running', async () => {
  answer('GET', '/v1/code_sample/preview/async/j_1', [200, '{"status":"running"}']);
  expect(await wire(['code-samples', 'jobs', 'get', 'j_1', '-o', 'json'])).toMatchObject({
    code: 0,
    stdout: lines('{', '  "status": "running"', '}'),
  });
});

test.each([
  ['/v1/user', ['auth', 'user']],
  ['/v1/codehost/check_access?org=o&repo=r', ['codehost', 'access', 'check', '--org', 'o', '--repo', 'r']],
  ['/v1/publishing-tokens/p_1/target', ['publishing-tokens', 'target', 'p_1']],
  [
    '/v1/oci/v2/o/w/n/blobs/d',
    ['artifacts', 'blobs', 'get', 'n', 'd', '--organization-slug', 'o', '--workspace-slug', 'w'],
  ],
])('202 from %s is a success, whatever its body', async (path, argv) => {
  if (path.startsWith('/v1/oci/')) answerPreflight();
  answer('GET', path, [202, '{"status":"running"}']);
  const ended = await wire([...argv, '-o', 'raw']);
  expect(ended).toMatchObject({ code: 0, stdout: '{"status":"running"}' });
});

test.each(['', 'soon', '<html></html>'])('a job whose 202 has the body %j is still running', async (body) => {
  answer('GET', '/v1/code_sample/preview/async/j_1', [202, body]);
  const ended = await wire(['code-samples', 'jobs', 'get', 'j_1', '-o', 'json']);
  expect(ended).toMatchObject({ code: 8, stdout: '' });
});

const broken: readonly (readonly [string, Reply])[] = [
  ['empty', [200, '']],
  ['empty, with 204', [204]],
  ['white space', [200, ' \n']],
  ['not JSON', [200, '<html></html>', { 'content-type': 'application/json' }]],
  ['cut off', [200, '{"id":"u_1"']],
  ['two documents', [200, '{}{}']],
  ['not UTF-8', [200, Buffer.from([0x22, 0xff, 0x22])]],
  ['half a character', [200, Buffer.from([0x22, 0xc3, 0x22])]],
  ['of an unknown encoding', [200, '{}', { 'content-encoding': 'zstd' }]],
  ['encoded twice', [200, gzipSync(gzipSync('{}')), { 'content-encoding': 'gzip, gzip' }]],
  ['not gzip', [200, '{}', { 'content-encoding': 'gzip' }]],
  ['half a gzip', [200, gzipSync('{"id":"u_1"}').subarray(0, 20), { 'content-encoding': 'gzip' }]],
];

test.each(broken)('a body that is %s exits with 12', async (_, reply) => {
  const seen = answer('GET', '/v1/user', reply);
  const ended = await wire(['auth', 'user', '-o', 'json']);
  expect(ended).toMatchObject({ code: 12, stdout: '' });
  expect(errorOf(ended.stderr)).toMatchObject({ code: 'bad_response', operation: 'getUser' });
  expect(seen).toHaveLength(1);
});

test('a string that is not UTF-8 exits with 12', async () => {
  answer('GET', '/v1/publishing-tokens/p_1/target', [200, Buffer.from([0xff])]);
  expect(await wire(['publishing-tokens', 'target', 'p_1'])).toMatchObject({ code: 12, stdout: '' });
});

test.each([
  ['gzip', gzipSync('{"id":"é"}')],
  ['x-gzip', gzipSync('{"id":"é"}')],
  ['GZIP', gzipSync('{"id":"é"}')],
  ['deflate', deflateSync('{"id":"é"}')],
  ['br', brotliCompressSync('{"id":"é"}')],
  ['identity', Buffer.from('{"id":"é"}')],
])('%s is decoded', async (encoding, body) => {
  answer('GET', '/v1/user', [200, body, { 'content-encoding': encoding }]);
  expect(await wire(['auth', 'user'])).toMatchObject({ code: 0, stdout: lines('{', '  "id": "é"', '}') });
});

const bytes = [
  ['JSON', Buffer.from('{"a": 1}')],
  ['not UTF-8', Buffer.from([0x00, 0xff, 0xfe, 0x0d, 0x0a])],
  ['nothing', Buffer.alloc(0)],
] as const;

const blob = ['artifacts', 'blobs', 'get', 'n', 'd', '--organization-slug', 'o', '--workspace-slug', 'w'];

test.each(bytes)('bytes that are %s are printed unchanged', async (_, body) => {
  answerPreflight();
  answer('GET', '/v1/oci/v2/o/w/n/blobs/d', [200, body]);
  expect(await wire(blob)).toMatchObject({ code: 0, stdout: body.toString() });
});

test.each(bytes)('bytes that are %s are written unchanged', async (_, body) => {
  const home = temporaryFolder();
  answerPreflight();
  answer('GET', '/v1/oci/v2/o/w/n/blobs/d', [200, body]);
  expect(await wire([...blob, '-O', 'out'], { home })).toMatchObject({ code: 0, stdout: '' });
  expect(readFileSync(join(home, 'out')).toString('hex')).toBe(body.toString('hex'));
});
