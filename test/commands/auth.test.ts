/** `dtp auth` in scripts: login from a pipe, the private file, the status, the choice of profile, and hidden secrets. */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HttpRequest } from '../../src/request/http.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { trustFolderFile } from '../support/folder-file.ts';
import { type Reply, service } from '../support/function-service.ts';

const base = 'https://api.example.test';
const env = { DTP_BASE_URL: base, DTP_API_KEY: 'a-key-of-12', DTP_WORKSPACE_ID: 'w_1' };
const run = (argv: readonly string[], world: World = {}) => dtp(argv, { ...world, env: { ...env, ...world.env } });
const none = (): Reply => [204];

const key = (request: HttpRequest): Reply => {
  const isGood = request.headers['x-api-key'] === 'a-good-key-1';
  return isGood ? [200, { workspace_id: 'w_9' }] : [401, { message: 'expired' }];
};
const login = (home: string, more: readonly string[] = []) =>
  dtp(['auth', 'login', '--base-url', base, '--with-token', ...more], {
    home,
    stdin: 'a-good-key-1\n',
    openSend: service(key).openSend,
  });

test('a login without a terminal stores a private file, which stays private with each write', async () => {
  const home = temporaryFolder();
  const folder = join(home, 'config');
  const file = join(folder, 'config.json');
  expect((await login(home)).code).toBe(0);
  chmodSync(file, 0o644);
  chmodSync(folder, 0o755);
  expect((await dtp(['config', 'set', 'output', 'yaml'], { home })).code).toBe(0);
  expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('the status exits with 0 or 4 and is JSON in every state', async () => {
  const home = temporaryFolder();
  const { openSend } = service(key);
  const status = async (more: Readonly<Record<string, string>>) => {
    const { code, stdout, stderr } = await dtp(['auth', 'status', '-o', 'json'], {
      home,
      openSend,
      env: more,
    });
    return [code, typeof JSON.parse(stdout || stderr)];
  };
  expect(await status({ DTP_BASE_URL: base })).toEqual([4, 'object']);
  await login(home);
  expect(await status({})).toEqual([0, 'object']);
  expect(await status({ DTP_API_KEY: 'an-old-key-1' })).toEqual([4, 'object']);
});

test('the profile comes from the flag, the variable, the folder or the choice, in this order, and each is reported', async () => {
  const home = temporaryFolder();
  for (const name of ['flag', 'variable', 'folder', 'chosen']) await login(home, ['--profile', name]);
  await dtp(['config', 'use', 'chosen'], { home });
  const explain = async (argv: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const { stdout } = await dtp(['config', 'explain', '-o', 'json', ...argv], { home, env: more });
    return JSON.parse(stdout).find((one: { setting: string }) => one.setting === 'profile');
  };
  expect(await explain([])).toMatchObject({ value: 'chosen', source: 'dtp config use' });
  mkdirSync(join(home, 'a'));
  writeFileSync(join(home, '.dtp.json'), '{"profile":"folder"}');
  await trustFolderFile(home, home);
  expect(await explain([])).toMatchObject({ value: 'folder', source: join(home, '.dtp.json') });
  const variable = { DTP_PROFILE: 'variable' };
  expect(await explain([], variable)).toMatchObject({ value: 'variable', source: 'DTP_PROFILE' });
  expect(await explain(['--profile', 'flag'], variable)).toMatchObject({
    value: 'flag',
    source: '--profile',
  });
});

test('no secret is accepted on the command line or shown in logs of requests', async () => {
  const typed = await run(['auth', 'login', '--token=s3cret-value']);
  expect([typed.code, typed.stderr.includes('s3cret-value')]).toEqual([2, false]);
  const { openSend } = service(() => [500, { message: 'no key a-key-of-12' }, { 'set-cookie': 'a-key-of-12' }]);
  const { stderr } = await run(['ws', 'list', '--debug'], { openSend });
  expect(stderr).toContain('set-cookie: ***');
  expect(stderr).not.toContain('a-key-of-12');
});

test('a missing name deletes nothing, and a dry run neither prompts nor acts', async () => {
  const { asked, openSend } = service(none);
  expect((await run(['ws', 'tokens', 'delete', '--yes'], { openSend })).code).toBe(2);
  expect((await run(['ws', 'tokens', 'delete', 't', '--dry-run'], { openSend })).code).toBe(0);
  expect(asked).toEqual([]);
});

test('a login with -O writes its result to the file, and prints nothing on stdout without a format', async () => {
  const home = temporaryFolder();
  const file = join(home, 'login.json');
  expect((await login(home)).stdout).toBe('');
  expect((await login(home, ['-O', file])).stdout).toBe('');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ profile: 'default', base_url: base });
});
