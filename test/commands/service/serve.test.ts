/** What `dtp serve` shows to somebody who watches it, and that a script sees nothing of it. */
import { request } from 'node:http';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { jsonWriter, withRequestLog } from '../../../src/commands/service/request-log.ts';
import type { Context } from '../../../src/context.ts';
import { ExitCode } from '../../../src/errors.ts';
import type { HttpResponse } from '../../../src/request/http.ts';
import { settingLine } from '../../../src/shell.ts';
import { wallClock } from '../../support/clocks.ts';
import { dtp, temporaryFolder, type World } from '../../support/context.ts';

/** A port that was free a moment ago. */
const freePort = () =>
  new Promise<number>((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Serves until one request was answered, and then `more`. The request has a wrong key. */
async function serveOnce(
  argv: readonly string[],
  world: World,
  more: (base: string) => Promise<void> = async () => {},
) {
  const port = await freePort();
  const ended = new AbortController();
  const home = world.home ?? temporaryFolder();
  const running = dtp(['serve', '--port', `${port}`, ...argv], { ...world, home, signal: ended.signal });
  const url = `http://127.0.0.1:${port}/v1/workspaces?token=hidden-in-query`;
  const ask = async (): Promise<number> =>
    fetch(url, { headers: { 'x-api-key': 'wrong-key-of-12' } }).then(
      async (response) => {
        await response.text();
        return response.status;
      },
      () => ask(),
    );
  expect(await ask()).toBe(401);
  await more(`http://127.0.0.1:${port}`);
  ended.abort(new ExitCode(130));
  return { ...(await running), port };
}

test('on a terminal: a heading, and a line for each request without its query', async () => {
  const { stdout, stderr, port } = await serveOnce(['--ephemeral'], { tty: true, env: { NO_COLOR: '1' } });
  const lines = stdout.split('\n');
  expect(lines[0]).toBe(`dtp serve  http://127.0.0.1:${port}  data: in memory  Ctrl-C to stop`);
  expect(lines[1]).toBe(`  ${settingLine('DTP_BASE_URL', `http://127.0.0.1:${port}`)}`);
  expect(lines[2]).toMatch(/^ {2}.*\bDTP_API_KEY=\S+$/);
  expect(stderr).toMatch(
    /^\d\d:\d\d:\d\d {2}GET {5}\/v1\/workspaces +401 +\d+ m?s {2}getWorkspaces\n {10}the credential is invalid or has expired \(x-api-key\)\n$/,
  );
});

test.each<readonly [readonly string[], World]>([
  [['--ephemeral'], { tty: false }],
  [['--ephemeral', '-o', 'json'], { tty: true }],
  [['--ephemeral'], { tty: true, piped: true }],
])('a script sees none of it: %j %j', async (argv, world) => {
  const { stdout, stderr } = await serveOnce(argv, world);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^(The embedded service listens on http|\{"address":"http)/);
});

test.each<readonly [string, World]>([
  ['a terminal', { tty: true, env: { NO_COLOR: '1' } }],
  ['a pipe', { tty: false }],
])('on %s: a line for each access token that was given, and none for a refusal', async (_, world) => {
  const home = temporaryFolder();
  const current = await dtp(['--profile', 'local', 'ws', 'current', '-o', 'json'], { tty: false, home });
  const { id } = JSON.parse(current.stdout).workspace;
  const list = await dtp(['--profile', 'local', 'ws', 'tokens', 'list', '-o', 'json'], { tty: false, home });
  const headers = { 'x-api-key': JSON.parse(list.stdout)[0].key };
  const tokens: string[] = [];
  const { stderr } = await serveOnce([], { ...world, home }, async (base) => {
    for (const [workspace, init] of [['none'], [id], [id, { headers }]]) {
      const answer = await fetch(`${base}/v1/auth/access_token?workspace_id=${workspace}`, init);
      const { access_token } = (await answer.json()) as { access_token?: string };
      if (access_token) tokens.push(access_token);
    }
  });
  const lines = stderr.replaceAll(/\s+/g, ' ').split('somebody got an access token for workspace ');
  const how = ['without a credential', 'with a credential'];
  expect(lines.slice(1)).toEqual(how.map((one) => expect.stringMatching(`^${id} ${one}`)));
  expect(tokens).toHaveLength(2);
  for (const token of tokens) expect(stderr).not.toContain(token);
});

test('the folder of the data is short, and a narrow terminal shows each part on its line', async () => {
  const { stdout } = await serveOnce([], { tty: true, columns: 40 });
  expect(stdout.split('\n').slice(1, 3)).toEqual([expect.stringMatching(/^data: (~|\/)\S+$/), 'Ctrl-C to stop']);
});

/** The status for a request with any Host header. */
const statusFor = (base: string, path: string, host: string): Promise<number | undefined> =>
  new Promise((done, failed) => {
    const sent = request(base + path, { agent: false, headers: { host } }, (answer) => {
      answer.resume();
      answer.on('end', () => done(answer.statusCode));
    });
    sent.on('error', failed).end();
  });

test('--log-format json: a line for each event, without secrets', async () => {
  const argv = ['--ephemeral', '-o', 'json', '--log-format', 'json'];
  const { stdout, stderr } = await serveOnce(argv, { tty: false }, async (base) => {
    for (const path of ['/s/code1234', '/reports/a.html?signature=abc', '/invites/code1234', '/healthz', '/readyz'])
      await fetch(base + path).then((answer) => answer.text());
    await fetch(`${base}/v1/workspace/ws_1/tokens`, { headers: { 'x-api-key': 'wrong' } }).then((one) => one.text());
    await fetch(`${base}/dtp_0123456789abcdef`).then((answer) => answer.text());
    for (const host of ['elsewhere.example', 'a b', '[', '127.0.0.1:99999999'])
      expect(await statusFor(base, '/v1/user?key=code1234', host)).toBe(403);
  });
  const lines = stderr.trimEnd().split('\n');
  const facts = lines.map((line) => JSON.parse(line));
  expect(facts.map(({ event, path }) => path ?? event)).toEqual([
    ...['start', 'ready', '/v1/workspaces', '/s/***', '/reports/***', '/invites/***'],
    ...['/v1/workspace/ws_1/tokens', '/dtp_***', '/v1/user', '/v1/user', '/v1/user', '/v1/user', 'drain', 'end'],
  ]);
  expect(facts[1]).toMatchObject({ address: JSON.parse(stdout).address });
  expect(facts[6]).toEqual({
    ...{ time: facts[6].time, event: 'request', method: 'GET', path: '/v1/workspace/ws_1/tokens', status: 401 },
    ...{ duration_ms: expect.any(Number), operation: 'getWorkspaceTokens', workspace: 'ws_1', client: '127.0.0.1' },
  });
  expect(Date.parse(facts[6].time)).not.toBeNaN();
  // A refused host is logged too: a proxy that is set up wrongly gets only such answers.
  expect(facts[8]).toMatchObject({ event: 'request', path: '/v1/user', status: 403, client: '127.0.0.1' });
  expect(stderr).not.toMatch(/code1234|signature|0123456789|hidden-in-query|wrong/);
});

test.each<readonly [string, number, string]>([
  ['{"message":"key-of-the-service is wrong"}', 401, '*** is wrong'],
  ['plain words', 500, 'plain words'],
  ['{"message":"unused"}', 200, ''],
  ['', 404, ''],
])('%s with %i says: %s', async (text, status, said) => {
  let written = '';
  const stderr = { columns: 120, write: (chunk: string) => (written += chunk) };
  const context = { env: { NO_COLOR: '1' }, clock: wallClock, date: () => new Date(0), stderr };
  const body = (async function* () {
    yield Buffer.from(text);
  })();
  const send = withRequestLog(async (): Promise<HttpResponse> => ({ status, headers: {}, body }), {
    context: context as unknown as Context,
    globals: {},
    key: () => 'key-of-the-service',
    idOf: () => 'anOperation',
  });
  const request = { method: 'GET', url: 'http://127.0.0.1/v1/key-of-the-service?a=b', headers: {} };
  const answer = await send(request, { signal: AbortSignal.timeout(10_000) });
  expect(written).toBe('');
  for await (const chunk of answer.body) expect(String(chunk)).toBe(text);
  expect(written).toContain(`  ${status}  `);
  expect(written).not.toContain('key-of-the-service');
  expect(written).not.toContain('a=b');
  expect(written.trimEnd().endsWith(said === '' ? 'anOperation' : said)).toBe(true);
});

test.each([
  ['/s/code1234', '/s/***'],
  ['/invites/code1234', '/invites/***'],
  ['/runs/code1234', '/runs/***'],
  ['/runs/code1234/pull_request', '/runs/***'],
  ['/reports/linting/code1234?signature=code1234', '/reports/***'],
  ['/-/open/code1234', '/-/open/***'],
  ['/v1/s/abc', '/v1/s/abc'],
  ['/s/', '/s/'],
])('the lines of a request for %s have the path %s', async (path, logged) => {
  for (const isJson of [true, false]) {
    let written = '';
    const stderr = { columns: 160, write: (chunk: string) => (written += chunk) };
    const context = { env: { NO_COLOR: '1' }, clock: wallClock, date: () => new Date(0), stderr };
    const body = (async function* () {
      yield Buffer.from(JSON.stringify({ message: `${path.replace(/\?.*/, '')} only allows GET` }));
    })();
    const send = withRequestLog(async (): Promise<HttpResponse> => ({ status: 405, headers: {}, body }), {
      context: context as unknown as Context,
      globals: {},
      ...(isJson && { writeJson: jsonWriter(context as unknown as Context) }),
      key: () => 'key-of-the-service',
      idOf: () => undefined,
    });
    const request = { method: 'POST', url: `http://127.0.0.1${path}`, headers: {} };
    for await (const _ of (await send(request, { signal: AbortSignal.timeout(10_000) })).body);
    expect(written).not.toContain('code1234');
    if (isJson) expect(JSON.parse(written).path).toBe(logged);
    else expect(written).toContain(`${logged} only allows GET`);
  }
});

test('on GitHub Actions, the key is masked, and not on a terminal of a person', async () => {
  const run = (env: Record<string, string>) => serveOnce(['--ephemeral', '-o', 'json'], { env });
  const [masked, plain] = [await run({ GITHUB_ACTIONS: 'true' }), await run({})];
  expect(masked.stderr).toContain(`::add-mask::${JSON.parse(masked.stdout).key}\n`);
  expect(plain.stderr).not.toContain('::add-mask::');
});
