/** `dtp api`: the exact requests it sends, how it shows the response, and what it refuses. */
import { expect, test } from 'vitest';
import { run } from '../support/socket-commands.ts';
import { raw } from '../support/sockets.ts';
import { answer, guardWire, lines, type Reply, wire } from '../support/wire.ts';

guardWire();

const ok: Reply = [200, '{"id":"u_1","name":"Ann"}'];
const shown = lines('{', '  "id": "u_1",', '  "name": "Ann"', '}');

test.each<[readonly string[], string, string, string]>([
  [['/v1/user'], 'GET', '/v1/user', ''],
  [['v1/user'], 'GET', '/v1/user', ''],
  [['C:/Program Files/Git/v1/user'], 'GET', '/v1/user', ''],
  [['C:\\Program Files\\Git\\v1\\user'], 'GET', '/v1/user', ''],
  [['https://api.example.test/v1/user?a=b'], 'GET', '/v1/user?a=b', ''],
  [['/v1/a%2Fb/é x'], 'GET', '/v1/a%2Fb/%C3%A9%20x', ''],
  [['/v1/workspace/{workspace_id}/events?limit=1&x=%26'], 'GET', '/v1/workspace/w%201/events?limit=1&x=%26', ''],
  [['/v1/x?w={workspace_id}&v=a-{workspace_id}'], 'GET', '/v1/x?w=w%201&v=a-w%201', ''],
  [['/v1/auth/x?workspace_id={workspace_id}'], 'GET', '/v1/auth/x?workspace_id=w%201', ''],
  [['/v1/x?a=1', '-F', 'b= c', '-X', 'GET'], 'GET', '/v1/x?a=1&b=%20c', ''],
  [['/v1/user', '-F', 'a=1', '-f', 'a=2', '-X', 'get'], 'GET', '/v1/user?a=1&a=2', ''],
  [['/v1/x', '-F', 'a.b=1'], 'POST', '/v1/x', '{"a":{"b":1}}'],
  [['/v1/x', '--body', 'a: 1', '-f', 'b=2'], 'POST', '/v1/x', '{"a":1,"b":"2"}'],
  [['/v1/x', '--body', '[1]', '-X', 'patch'], 'PATCH', '/v1/x', '[1]'],
  [['/v1/x?q=1', '-X', 'DELETE'], 'DELETE', '/v1/x?q=1', ''],
])('%j', async (argv, method, path, body) => {
  const seen = answer(method, path, ok);
  const ended = await wire(['api', ...argv], { env: { DTP_WORKSPACE_ID: 'w 1' }, own: 'w 1' });
  expect(ended).toEqual({ code: 0, stdout: shown, stderr: '' });
  expect(seen).toHaveLength(1);
  expect(seen[0]?.body).toBe(body);
  expect(seen[0]?.headers).toMatchObject({ 'x-api-key': 'k-1', accept: '*/*' });
});

test.each<[argv: readonly string[], method: string, path: string]>([
  [['/v1/workspace/access?passive=true'], 'GET', '/v1/workspace/access?passive=true'],
  [['/v1/workspace/w_1/events', '--body', '[{"id":"e_1"}]'], 'POST', '/v1/workspace/w_1/events'],
  [['/v1/workspace/{workspace_id}/events', '-w', 'w_1', '--body', '[]'], 'POST', '/v1/workspace/w_1/events'],
])('%j is retried like its own command', async (argv, method, path) => {
  const seen = answer(method, path, [503], [429, '', { 'retry-after': '2' }], ok);
  const waits: number[] = [];
  const sleep = async (ms: number) => (ms >= 60_000 ? new Promise<void>(() => undefined) : void waits.push(ms));
  const ended = await wire(['api', ...argv], { clock: { now: () => 0, sleep }, random: () => 0, own: 'w_1' });
  expect([ended.code, ended.stdout, waits]).toEqual([0, shown, [100, 2000]]);
  expect(new Set(seen.map(({ body }) => body)).size).toBe(1);
});

test.each<[argv: readonly string[], method: string, path: string]>([
  [['/v1/workspace/w_1/events'], 'GET', '/v1/workspace/w_1/events'],
  [['/v1/workspace/access', '-X', 'POST'], 'POST', '/v1/workspace/access'],
  [['/v1/workspaces'], 'GET', '/v1/workspaces'],
])('%j is sent once', async (argv, method, path) => {
  const seen = answer(method, path, [503]);
  expect((await wire(['api', ...argv], { own: 'w_1' })).code).toBe(10);
  expect(seen).toHaveLength(1);
});

test('no credential is sent if none is needed', async () => {
  const path = '/v1/auth/access_token?workspace_id=w_9';
  const seen = answer('GET', path, ok);
  expect((await wire(['api', path])).code).toBe(0);
  expect(Object.keys(seen[0]?.headers ?? {})).not.toContain('x-api-key');
});

test('headers are sent, and a content type from the user is not changed', async () => {
  const seen = answer('POST', '/v1/x', ok);
  const headers = ['-H', 'Accept: text/plain', '-H', 'content-type:application/vnd.x+json', '-H', 'x-more:  a b '];
  expect((await wire(['api', 'v1/x', '--body', '{}', ...headers])).code).toBe(0);
  expect(seen[0]?.headers).toMatchObject({
    accept: 'text/plain',
    'content-type': 'application/vnd.x+json',
    'x-more': 'a b',
  });
});

test.each<[Reply, readonly string[], string]>([
  [ok, ['--query', 'name', '-r'], 'Ann\n'],
  [ok, ['-o', 'csv'], 'id,name\nu_1,Ann\n'],
  [[200, '{ "a":1 }\n'], ['-o', 'raw'], '{ "a":1 }\n'],
  [[200, 'plain text'], [], 'plain text\n'],
  [[200, 'plain text'], ['-o', 'json'], '"plain text"\n'],
  [[200, 'plain text'], ['-o', 'raw'], 'plain text'],
  [[200, Buffer.from([0xff, 0x00])], [], lines('{', '  "base64": "/wA="', '}')],
  [[204], [], lines('{', '  "ok": true,', '  "operation": "api",', '  "status": 204', '}')],
  [[202, '{"status":"running"}'], [], lines('{', '  "status": "running"', '}')],
])('%j with %j', async (reply, argv, stdout) => {
  answer('GET', '/v1/x', reply);
  expect(await wire(['api', 'v1/x', ...argv])).toEqual({ code: 0, stdout, stderr: '' });
});

test('-i prints the status and headers with secrets masked, for successful responses only', async () => {
  const head = 'HTTP 200\nx-a: b\nset-cookie: ***\n';
  const reply: Reply = [200, '{ }', { 'x-a': 'b', 'set-cookie': 'session=1' }];
  answer('GET', '/v1/x', reply);
  expect(await wire(['api', 'v1/x', '-i'])).toEqual({ code: 0, stdout: '{}\n', stderr: head });
  answer('GET', '/v1/x', reply);
  expect(await wire(['api', 'v1/x', '-i', '-o', 'raw'])).toEqual({
    code: 0,
    stdout: `${head}\n{ }`,
    stderr: '',
  });
  answer('GET', '/v1/x', [500, '{}']);
  expect(await wire(['api', 'v1/x', '-i'])).toMatchObject({ code: 10, stdout: '' });
});

test.each([
  [401, 4],
  [404, 6],
  [422, 7],
  [429, 9],
  [302, 12],
])('status %i exits with %i', async (status, code) => {
  const seen = answer('GET', '/v1/x', [status, '{"message":"no"}']);
  expect(await wire(['api', 'v1/x'])).toMatchObject({ code, stdout: '' });
  expect(seen).toHaveLength(1);
});

const page = (items: readonly unknown[], next?: unknown, more: object = {}): Reply => [
  200,
  JSON.stringify({ rows: items, ...more, ...(next === undefined ? {} : { next_page_token: next }) }),
];

test('--paginate merges all pages into one list before a query runs', async () => {
  answer('GET', '/v1/x?a=1', page([1, 2], 't 2'));
  answer('GET', '/v1/x?a=1&next_page_token=t%202', page([3]));
  const ended = await wire(['api', 'v1/x?a=1', '--paginate', '--query', 'length(rows)']);
  expect(ended).toEqual({ code: 0, stdout: '3\n', stderr: '' });
  answer('GET', '/v1/x?next_page_token=t%202', page([3], ''));
  const from = await wire(['api', 'v1/x?next_page_token=t%202', '--paginate', '-o', 'ndjson']);
  expect(from).toEqual({ code: 0, stdout: '3\n', stderr: '' });
});

test.each<[Reply, number, string]>([
  [[200, '[1,2]'], 0, '[1,2]'],
  [page([1], undefined, { items: [2], others: [3] }), 0, '{"items":[2]}'],
  [[200, '{"a":1}'], 12, ''],
  [[200, '"text"'], 12, ''],
  [page([1], 7), 12, ''],
])('a page that is %j is an error', async (reply, code, stdout) => {
  answer('GET', '/v1/x', reply);
  const ended = await wire(['api', 'v1/x', '--paginate', '-o', 'json']);
  expect([ended.code, ended.stdout && JSON.stringify(JSON.parse(ended.stdout))]).toEqual([code, stdout]);
});

test('a repeated page token is an error', async () => {
  answer('GET', '/v1/x', page([1], 't'));
  answer('GET', '/v1/x?next_page_token=t', page([1], 't'));
  expect(await wire(['api', 'v1/x', '--paginate'])).toMatchObject({ code: 12, stdout: '' });
});

test.each([
  [['https://evil.example/v1/user'], 'the URL does not start with https://api.example.test'],
  [['https://api.example.test.evil.example/v1/user'], 'the URL does not start with'],
  [['https://api.example.test@evil.example/v1/user'], 'the URL does not start with'],
  [[''], '<path> must not be empty'],
  [['//evil.example/v1/user', '--dry-run'], undefined],
  [['/v1/../user'], 'the URL would not lead to'],
  [['/v1/%2e%2e/user'], 'the URL would not lead to'],
  [['/v1/{other}'], 'unknown placeholder {other}'],
  [['/v1/x?a={other}'], 'unknown placeholder {other}'],
  [['/v1/x?a=\ud800'], 'valid Unicode'],
  [['/v1/\ud800'], 'valid Unicode'],
  [['/v1/x', '-X', 'G T'], '-X must be an HTTP method'],
  [['/v1/x', '--paginate', '-X', 'POST'], '--paginate requires a GET request'],
  [['/v1/x', '-F', 'novalue'], '-F must be NAME=VALUE'],
  [['/v1/x', '-H', 'novalue'], '-H must be'],
  [['/v1/x', '-H', 'a: b\nc: d'], 'must be visible ASCII'],
  [['/v1/x', '-H', 'Authorization: Bearer secret-1'], 'a secret on the command line'],
  [['/v1/x', '-H', 'x-api-key: secret-1'], 'a secret on the command line'],
  [['/v1/x', '-H', 'host: evil.example'], 'dtp sets this header itself'],
  [['/v1/x', '--body', '{'], '--body is not valid JSON'],
])('%j is refused, and nothing is sent', async (argv, words) => {
  const ended = await wire(['api', ...argv]);
  if (words === undefined) {
    expect(JSON.parse(ended.stdout).url).toBe('https://api.example.test/evil.example/v1/user');
    return;
  }
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).not.toContain('secret-1');
});

test('what cannot be shown as a dry run is refused', async () => {
  for (const flag of ['--dry-run', '--curl'])
    for (const argv of [
      ['config', 'set', 'workspace', 'w'],
      ['events', 'queue', 'drop', '--yes'],
      ['auth', 'logout'],
    ]) {
      const ended = await wire([...argv, flag]);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain(
        `dtp ${argv.slice(0, argv[0] === 'events' ? 3 : 2).join(' ')} does not support ${flag}`,
      );
    }
});

// A valid query is sent byte for byte. Only what a URL cannot contain is encoded.
test.each([
  ['t=2026-01-01T00:00:00+02:00'],
  ['a=%E9&b=%e9'],
  ['a;b'],
  ['a'],
  ['a=&b&&c=='],
  ["q=it's(a)*!$,~"],
  ['a=%20b+c'],
  ['a[]=1&a[b]=2'],
  ['a=/x?y:z@w'],
  ['%61=1'],
  ['a=%7Bworkspace_id%7D'],
  ['constructor=1&__proto__=2'],
  ['a= b', 'a=%20b'],
  ['a=é"<>', 'a=%C3%A9%22%3C%3E'],
  ['a=100%', 'a=100%25'],
  ['a=%zz', 'a=%25zz'],
  ['a=b\\c', 'a=b%5Cc'],
  ['a={"b":1}', 'a=%7B%22b%22:1%7D'],
  ['a={}', 'a=%7B%7D'],
  ['a=1#b', 'a=1'],
])('the query %s', async (typed, sent = typed) => {
  const paths: string[] = [];
  const address = await raw((socket) =>
    socket.on('data', (bytes) => {
      paths.push(bytes.toString('latin1').split(' ')[1] ?? '');
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
    }),
  );
  for (const method of ['GET', 'DELETE']) {
    const { code, stderr } = await run(`http://${address}`, ['api', `/v1/x?${typed}`, '-X', method], {
      env: { DTP_WORKSPACE_ID: 'w_1' },
    });
    expect([code, stderr]).toEqual([0, '']);
  }
  expect(paths).toEqual([`/v1/x?${sent}`, `/v1/x?${sent}`]);
});
