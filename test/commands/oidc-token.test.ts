/** The OIDC token of a CI job: requested only from the runner's endpoint, passed on in a pipe, and masked in logs. */
import http from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { openSend } from '../../src/transport/send.ts';
import { dtp, type World } from '../support/context.ts';
import { served } from '../support/embedded-service.ts';
import { commandsIn } from '../support/runner.ts';
import { listening } from '../support/sockets.ts';

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const token = `${part({ alg: 'RS256' })}.${part({ repository_owner: 'acme' })}.c2lnbmF0dXJl`;
const bearer = 'runner-5ec7e7';
const ours = 'ours-5ec7e7';

/** The runner's endpoint, which records its requests. */
async function endpoint(status = 200, answer: unknown = { count: 5, value: token }) {
  const asked: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    asked.push(request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  const address = await listening(server, () => server.closeAllConnections());
  const env = {
    ACTIONS_ID_TOKEN_REQUEST_URL: `http://${address}/job/1/idtoken?api-version=2.0`,
    ACTIONS_ID_TOKEN_REQUEST_TOKEN: bearer,
    GITHUB_ACTIONS: 'true',
    DTP_API_KEY: ours,
    DTP_BASE_URL: 'https://api.example.test',
  };
  const run = (argv: readonly string[], world: World = {}) =>
    dtp(['auth', 'oidc-token', ...argv], {
      openSend: async (options) => openSend(options),
      ...world,
      env: { ...env, ...world.env },
    });
  return { asked, run, env };
}

test('the request has the job’s bearer token and the audience, and nothing of ours', async () => {
  const { asked, run } = await endpoint();
  const ended = await run(['--audience', 'plat/form &1']);
  expect(ended).toMatchObject({ code: 0, stdout: `${token}\n` });
  expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'GET /job/1/idtoken?api-version=2.0&audience=plat%2Fform+%261',
  ]);
  expect(asked[0]?.headers.authorization).toBe(`Bearer ${bearer}`);
  expect(JSON.stringify(asked[0]?.rawHeaders)).not.toContain(ours);
  expect((await run(['-r'])).stdout).toBe(`${token}\n`);
  expect(asked[1]?.url).toBe('/job/1/idtoken?api-version=2.0');
});

test('the runner gets a command to mask the token before it is printed, and no log shows it', async () => {
  const { run } = await endpoint();
  for (const more of [[], ['-v'], ['--debug']]) {
    const { stderr } = await run(more);
    expect(commandsIn(stderr)).toEqual([{ name: 'add-mask', properties: {}, message: token }]);
    expect(stderr.replace(`::add-mask::${token}\n`, '')).not.toMatch(new RegExp(`${token}|${bearer}|${ours}`));
  }
  const elsewhere = await run(['--debug'], { env: { GITHUB_ACTIONS: '' } });
  expect(elsewhere.stderr).not.toContain(token);
});

test.each([
  ['a refusal', 403, { message: `not for ${bearer}` }, 5],
  ['an outage', 503, {}, 10],
  ['a redirect', 302, {}, 12],
  ['no token', 200, { value: 7 }, 12],
  ['a string that is not a token', 200, { value: 'none for you' }, 12],
  ['null', 200, null, 12],
])('%s of the endpoint', async (_, status, answer, code) => {
  const { asked, run } = await endpoint(status, answer);
  const ended = await run(['--debug']);
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toContain('the CI runner returned no OIDC token: ');
  expect(ended.stderr).not.toContain(bearer);
  expect(ended.stderr).not.toContain('auth login');
  expect(asked).toHaveLength(1);
});

test('--retry repeats the request', async () => {
  const { asked, run } = await endpoint(503);
  const clock = {
    now: () => 0,
    sleep: (ms: number) => (ms < 10_000 ? Promise.resolve() : new Promise<void>(() => 0)),
  };
  expect((await run(['--retry', '2'], { clock })).code).toBe(10);
  expect(asked).toHaveLength(3);
});

test('an endpoint with plain http outside loopback is not called, whatever is allowed', async () => {
  for (const address of ['http://runner.example.test/x', 'ftp://127.0.0.1/x', 'not a URL']) {
    const { run } = await endpoint();
    const ended = await run(['--allow-http'], { env: { ACTIONS_ID_TOKEN_REQUEST_URL: address } });
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(ended.stderr).toContain('ACTIONS_ID_TOKEN_REQUEST_URL must be an https: URL');
  }
});

test.each([
  ['GitHub without the permission', { GITHUB_ACTIONS: 'true' }, [], 3, 'permissions: { id-token: write }'],
  [
    'half of it',
    { GITHUB_ACTIONS: 'true', ACTIONS_ID_TOKEN_REQUEST_URL: 'https://x.test' },
    [],
    3,
    '_REQUEST_TOKEN is',
  ],
  ['GitLab', { GITLAB_CI: 'true' }, [], 2, '--variable DTP_ID_TOKEN'],
  ['elsewhere', {}, [], 3, 'no CI runner was found'],
  ['a variable that is not set', {}, ['--variable', 'T'], 3, 'id_tokens: { T: { aud: AUDIENCE } }'],
  ['a variable with another secret', { T: 'hunter22' }, ['--variable', 'T'], 3, 'is not an OIDC token'],
  ['a variable and an audience', { T: token }, ['--variable', 'T', '--audience', 'a'], 2, '--audience'],
] as const)('%s: the error says what is missing, and nothing is sent', async (_, env, argv, code, says) => {
  const ended = await dtp(['auth', 'oidc-token', ...argv, '--error-format', 'text'], { env });
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toContain(says);
  expect(ended.stderr).not.toContain('hunter22');
});

test('a token from a variable is masked if a runner reads commands', async () => {
  const argv = ['auth', 'oidc-token', '--variable', 'DTP_ID_TOKEN', '-r'];
  const gitlab = await dtp(argv, { env: { GITLAB_CI: 'true', DTP_ID_TOKEN: `${token}\n` } });
  expect(gitlab).toEqual({ code: 0, stdout: `${token}\n`, stderr: '' });
  const github = await dtp(argv, { env: { GITHUB_ACTIONS: 'true', DTP_ID_TOKEN: token } });
  expect(github.stderr).toBe(`::add-mask::${token}\n`);
});

test('its output links the owner, bare or as JSON, and an empty pipe links nobody', async () => {
  const { run } = await endpoint();
  const service = await served();
  onTestFinished(service.close);
  const link = (stdin: string, owner = 'acme') =>
    dtp(['codehost', 'access', 'link', '--codehost-org', owner, '--codehost-oidc-token', '-'], {
      env: { DTP_BASE_URL: service.address, DTP_API_KEY: service.key },
      openSend: async (options) => openSend(options),
      stdin,
    });
  for (const format of [[], ['-r'], ['-o', 'json']])
    expect(await link((await run(format)).stdout)).toMatchObject({ code: 0 });
  expect((await link(token, 'other')).stderr).toContain('belongs to acme');
  const empty = await link('');
  expect(empty).toMatchObject({ code: 2, stdout: '' });
  expect(empty.stderr).toContain('the token is empty');
});

test('a token for a group of projects names its owner', async () => {
  const service = await served();
  onTestFinished(service.close);
  const group = `${part({ alg: 'RS256' })}.${part({ namespace_path: 'acme/tools' })}.c2lnbmF0dXJl`;
  const query = (org: string) => `codehost_org=${org}&codehost_oidc_token=${group}`;
  expect((await service.call('POST', `/v1/codehost/link?${query('other')}`)).status).toBe(422);
  expect((await service.call('POST', `/v1/codehost/link?${query('acme')}`)).status).toBeLessThan(300);
});
