/** The sources of settings, and the commands for profiles. */
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../../src/request/http.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';

/** A service that accepts one key and records its requests. */
function service(key = 'k-1') {
  const requests: HttpRequest[] = [];
  const openSend: World['openSend'] = async () => ({
    send: async (request) => {
      requests.push(request);
      const known = Object.values(request.headers).some((value) => value === key || value === `Bearer ${key}`);
      const details = { workspace_id: 'w_9', workspace_slug: 'main', org_slug: 'acme' };
      return answer(known ? 200 : 401, known ? details : { message: `no such key as ${key}`, status_code: 401 });
    },
    close: async () => undefined,
  });
  return { openSend, requests };
}

const answer = (status: number, value: unknown): HttpResponse => ({
  status,
  headers: {},
  body: (async function* () {
    yield Buffer.from(JSON.stringify(value));
  })(),
});

const url = 'https://api.example.test';

test('login checks the credential and stores it in a private file; status, use and logout work with it', async () => {
  const home = temporaryFolder();
  const { openSend, requests } = service();
  const login = await dtp(['auth', 'login', '--base-url', url, '--with-token'], {
    home,
    openSend,
    stdin: 'k-1\n',
  });
  expect(login).toMatchObject({ code: 0, stdout: '' });
  expect(login.stderr).toContain(`logged in to ${url}`);

  const file = join(home, 'config', 'config.json');
  expect([statSync(file).mode & 0o777, statSync(join(home, 'config')).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    current: 'default',
    profiles: {
      default: {
        base_url: url,
        scheme: 'api-key',
        credential: 'k-1',
        credential_origin: url,
        credential_workspace: 'w_9',
        workspace: 'w_9',
        organization_slug: 'acme',
        workspace_slug: 'main',
      },
    },
  });

  const status = await dtp(['auth', 'status', '--json'], { home, openSend });
  expect(JSON.parse(status.stdout)).toMatchObject({
    valid: true,
    profile: 'default',
    credential_source: 'profile default',
  });
  await dtp(['ws', 'get'], { home, openSend });
  expect(requests.at(-1)).toMatchObject({ url: `${url}/v1/workspace/w_9`, headers: { 'x-api-key': 'k-1' } });

  expect((await dtp(['auth', 'logout'], { home, openSend })).code).toBe(0);
  expect(readFileSync(file, 'utf8')).not.toContain('k-1');
  expect((await dtp(['auth', 'status'], { home, openSend })).code).toBe(4);
});

test('a rejected login stores nothing and prints no secret', async () => {
  const home = temporaryFolder();
  const { openSend } = service('s3cret-9');
  const login = await dtp(['auth', 'login', '--base-url', url, '--with-token', '--debug'], {
    home,
    openSend,
    stdin: 'wrong-key-7',
  });
  expect(login).toMatchObject({ code: 4, stdout: '' });
  expect(login.stderr).not.toContain('wrong-key-7');
  expect((await dtp(['config', 'list', '--json'], { home })).stdout).not.toContain('default');
});

test.each([
  ['bearer', { authorization: 'Bearer k-1' }],
  ['workspace-identifier', { 'x-workspace-identifier': 'k-1' }],
])('the scheme %s', async (scheme, headers) => {
  const home = temporaryFolder();
  const { openSend, requests } = service();
  await dtp(['auth', 'login', '--base-url', url, '--with-token', '--scheme', scheme, '--profile', 'p'], {
    home,
    openSend,
    stdin: 'k-1',
  });
  await dtp(['ws', 'list', '--profile', 'p'], { home, openSend });
  expect(requests.at(-1)?.headers).toMatchObject(headers);
});

test('a stored credential is only sent to its origin', async () => {
  const home = temporaryFolder();
  const { openSend, requests } = service();
  await dtp(['auth', 'login', '--base-url', url, '--with-token'], { home, openSend, stdin: 'k-1' });
  const count = requests.length;
  const elsewhere = await dtp(['ws', 'list', '--base-url', 'https://other.example.test'], { home, openSend });
  expect(elsewhere).toMatchObject({ code: 4, stdout: '' });
  expect(elsewhere.stderr).toContain('belongs to https://api.example.test');
  expect(requests).toHaveLength(count);
});

test('precedence: flag, environment, .dtp.json, profile', async () => {
  const [home, cwd] = [temporaryFolder(), temporaryFolder()];
  const { openSend } = service();
  await dtp(['auth', 'login', '--base-url', url, '--with-token'], { home, openSend, stdin: 'k-1' });
  const explained = async (argv: readonly string[], env: Record<string, string> = {}) => {
    const { stdout } = await dtp([...argv, 'config', 'explain', '--json'], { home, cwd, env });
    const rows = JSON.parse(stdout) as { setting: string; value: string; source: string }[];
    return rows.find(({ setting }) => setting === 'workspace');
  };
  expect(await explained([])).toEqual({ setting: 'workspace', value: 'w_9', source: 'profile default' });
  mkdirSync(join(cwd, 'below'));
  writeFileSync(join(cwd, '.dtp.json'), '\ufeff{"workspace":"w_file"}');
  expect(await explained([])).toMatchObject({ value: 'w_file', source: join(cwd, '.dtp.json') });
  expect(await explained([], { DTP_WORKSPACE_ID: 'w_env' })).toMatchObject({
    value: 'w_env',
    source: 'DTP_WORKSPACE_ID',
  });
  expect(await explained([], { DTP_WORKSPACE_ID: '' })).toMatchObject({ value: 'w_file' });
  expect(await explained(['-w', 'w_flag'], { DTP_WORKSPACE_ID: 'w_env' })).toMatchObject({
    value: 'w_flag',
    source: '--workspace',
  });
});

test('set, get, unset, path, use', async () => {
  const home = temporaryFolder();
  const at = (...argv: string[]) => dtp(argv, { home });
  expect((await at('config', 'set', 'workspace', 'w_1', '--profile', 'staging')).code).toBe(0);
  expect((await at('config', 'get', 'workspace', '--profile', 'staging')).stdout).toBe('w_1\n');
  expect((await at('config', 'use', 'staging')).code).toBe(0);
  expect((await at('config', 'get', 'workspace')).stdout).toBe('w_1\n');
  expect((await at('config', 'unset', 'workspace')).code).toBe(0);
  expect((await at('config', 'get', 'workspace')).code).toBe(6);
  expect((await at('config', 'path')).stdout).toBe(`${join(home, 'config', 'config.json')}\n`);
  expect(await at('config', 'use', 'nope')).toMatchObject({ code: 2, stdout: '' });
  expect(await at('config', 'set', 'credential', 'x')).toMatchObject({ code: 2, stdout: '' });
  expect(await at('config', 'set', 'timeout', 'long')).toMatchObject({ code: 2, stdout: '' });
  expect(await at('config', 'set', 'colour', 'red')).toMatchObject({ code: 2, stdout: '' });
});

test('credential_command supplies the credential', async () => {
  const home = temporaryFolder();
  const { openSend, requests } = service();
  await dtp(['config', 'set', 'base_url', url], { home });
  await dtp(['config', 'set', 'credential_command', 'vault read key'], { home });
  const asked: string[] = [];
  const exec: World['exec'] = async (command) => {
    asked.push(command);
    return 'k-1\n';
  };
  expect((await dtp(['auth', 'validate'], { home, openSend, exec })).code).toBe(0);
  expect([asked, requests[0]?.headers['x-api-key']]).toEqual([['vault read key'], 'k-1']);
});

test('a broken configuration is reported and not overwritten', async () => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'));
  const file = join(home, 'config', 'config.json');
  writeFileSync(file, '{"profiles":');
  const ended = await dtp(['ws', 'list'], { home });
  expect(ended).toMatchObject({ code: 3, stdout: '' });
  expect(ended.stderr).toContain('config.json');
  expect(readFileSync(file, 'utf8')).toBe('{"profiles":');
});

test('--profile overrides the environment, including the credential', async () => {
  const home = temporaryFolder();
  const { openSend, requests } = service();
  await dtp(['auth', 'login', '--base-url', url, '--with-token', '--profile', 'p'], {
    home,
    openSend,
    stdin: 'k-1',
  });
  const env = {
    DTP_BASE_URL: 'https://other.example.test',
    DTP_API_KEY: 'other',
    DTP_WORKSPACE_ID: 'w_other',
  };
  await dtp(['ws', 'get', '--profile', 'p'], { home, openSend, env });
  expect(requests.at(-1)).toMatchObject({ url: `${url}/v1/workspace/w_9`, headers: { 'x-api-key': 'k-1' } });
  await dtp(['ws', 'get'], { home, openSend, env: { ...env, DTP_PROFILE: 'p' } });
  expect(requests.at(-1)).toMatchObject({
    url: 'https://other.example.test/v1/workspace/w_other',
    headers: { 'x-api-key': 'other' },
  });
});

test('a login sends nothing to the URL of an untrusted .dtp.json', async () => {
  const [home, cwd] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(cwd, '.dtp.json'), '{"base_url":"https://evil.example.test"}');
  const { openSend, requests } = service();
  const login = await dtp(['auth', 'login', '--with-token'], { home, cwd, openSend, stdin: 'k-1' });
  expect(login).toMatchObject({ code: 3, stdout: '' });
  expect(requests).toEqual([]);
});

test('a login overrides credential_command and does not change the scheme of the profile', async () => {
  const home = temporaryFolder();
  const { openSend, requests } = service();
  await dtp(['config', 'set', 'credential_command', 'vault read key'], { home });
  await dtp(['config', 'set', 'scheme', 'bearer'], { home });
  await dtp(['auth', 'login', '--base-url', url, '--with-token'], { home, openSend, stdin: 'k-1' });
  await dtp(['ws', 'list'], { home, openSend });
  expect(requests.at(-1)?.headers.authorization).toBe('Bearer k-1');
});

test('with a broken configuration, the commands that fix it and the built-in profile work', async () => {
  const [home, cwd] = [temporaryFolder(), temporaryFolder()];
  mkdirSync(join(home, 'config'));
  writeFileSync(join(home, 'config', 'config.json'), '{"profiles":');
  const at = (...argv: string[]) => dtp(argv, { home, cwd, env: { DTP_ERROR_FORMAT: 'text' } });
  expect(await at('config', 'path')).toMatchObject({ code: 0 });
  expect(await at('config', 'explain')).toMatchObject({ code: 0 });
  const local = await at('--profile', 'local', 'ws', 'list');
  expect(local).toMatchObject({ code: 0 });
  expect(local.stderr).toContain('warning:');
  writeFileSync(join(cwd, '.dtp.json'), '{');
  expect(await at('config', 'path')).toMatchObject({ code: 0 });
});

test.each([
  ['base_url', 'not a url'],
  ['base_url', 'https://user:hunter22@api.example.test'],
  ['scheme', 'foo'],
  ['output', 'garbage'],
  ['timeout', '0'],
  ['workspace', ''],
  ['words.codehost', 'a/b'],
  ['header.api-key', 'bad header'],
  ['header.api-key', 'Host'],
])('config set rejects %s %j, and so do commands that read it from a file', async (key, value) => {
  const home = temporaryFolder();
  const set = await dtp(['config', 'set', key, value], { home, env: { DTP_ERROR_FORMAT: 'text' } });
  expect(set).toMatchObject({ code: 2, stdout: '' });
  expect(set.stderr).toContain(`${key} must be`);
  expect(set.stderr).not.toContain('hunter22');

  mkdirSync(join(home, 'config'), { recursive: true });
  const profile = { base_url: url, credential: 'k-1', [key]: value };
  writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({ profiles: { default: profile } }));
  const { openSend, requests } = service();
  const used = await dtp(['ws', 'get'], { home, openSend, env: { DTP_ERROR_FORMAT: 'text' } });
  expect(used).toMatchObject({ code: 3, stdout: '' });
  expect(used.stderr).toContain(`${key} (from profile default) must be`);
  expect(requests).toEqual([]);
});

test('names of inherited properties are not profiles', async () => {
  expect(await dtp(['ws', 'list', '--profile', 'constructor'])).toMatchObject({ code: 3, stdout: '' });
});

test('a login warns about a variable that overrides it, and so does a later 401', async () => {
  const home = temporaryFolder();
  const { openSend } = service();
  const env = { DTP_API_KEY: 'an-old-key' };
  const argv = ['auth', 'login', '--base-url', 'https://api.example.test', '--with-token'];
  const login = await dtp(argv, { home, openSend, env, stdin: 'k-1' });
  expect([login.code, login.stderr]).toEqual([0, expect.stringContaining('warning: DTP_API_KEY overrides this login')]);
  const next = await dtp(['auth', 'user', '--error-format', 'text'], { home, openSend, env });
  expect([next.code, next.stderr]).toEqual([
    4,
    expect.stringContaining('DTP_API_KEY (profile default). Set DTP_API_KEY to a valid credential.'),
  ]);
});

test('if nothing can be stored, login does not prompt for a credential or send one', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, 'config'), 'a file in the place of the folder');
  const argv = ['auth', 'login', '--base-url', 'https://api.example.test', '--with-token'];
  // Any request would exit with 1.
  const ended = await dtp(argv, { home, stdin: 'a-good-key' });
  expect(ended).toMatchObject({ code: 3, stdout: '' });
  expect(ended.stderr).toContain('cannot write');
  expect(ended.stderr).not.toContain('a-good-key');
});
