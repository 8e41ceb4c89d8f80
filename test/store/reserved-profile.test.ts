/** The built-in profile `local` is never stored, and other profiles can be deleted. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openProfiles } from '../../src/store/profiles.ts';
import { wallClock } from '../support/clocks.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { trustFolderFile } from '../support/folder-file.ts';
import { service } from '../support/function-service.ts';
import { home as processHome } from '../support/process.ts';
import { hasScript, terminal } from '../support/terminal.ts';

const url = 'https://api.example.test';
const other = 'https://other.example.test';
const staging = { base_url: url, credential: 'k-1', credential_origin: url, workspace: 'w_1' };

interface Stored {
  readonly current?: string;
  readonly profiles: Readonly<Record<string, object>>;
}

/** A home folder with this configuration. `read` returns the stored configuration later. */
function placed(stored?: Stored) {
  const home = temporaryFolder();
  const file = join(home, 'config', 'config.json');
  if (stored) {
    mkdirSync(join(home, 'config'), { mode: 0o700 });
    writeFileSync(file, JSON.stringify(stored), { mode: 0o600 });
  }
  const { asked, openSend } = service(() => [200, { workspace_id: 'w_9' }]);
  const run = (line: string, more: World = {}) =>
    dtp(line.split(' '), {
      home,
      openSend,
      ...more,
      env: { DTP_ERROR_FORMAT: 'text', NO_COLOR: '1', ...more.env },
    });
  return { home, run, asked, read: (): Stored => JSON.parse(readFileSync(file, 'utf8')) };
}

const login = `auth login --base-url ${url} --with-token`;
const key = { stdin: 'k-2' };
const inLocal: Stored = { current: 'local', profiles: { staging } };

describe('nothing is stored under its name', () => {
  test.each<[line: string, env: Record<string, string>]>([
    [`${login} --profile local`, {}],
    ['config set output json --profile local', {}],
    ['config set base_url https://elsewhere.example.test', {}],
    ['config set base_url https://elsewhere.example.test', { DTP_PROFILE: 'local' }],
    ['config unset base_url --profile local', {}],
    ['config unset base_url', {}],
    ['config delete local --yes', {}],
  ])('%s %j', async (line, env) => {
    const { run, read, asked } = placed(inLocal);
    const ended = await run(line, { ...key, env });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/profile "local" is built in and cannot be (changed|deleted)/);
    expect([read(), asked]).toEqual([inLocal, []]);
  });

  test.each([
    ['a new entry', { profiles: {} }, { local: { base_url: url } }],
    ['a changed entry', { profiles: { local: { base_url: url } } }, { local: { base_url: 'https://b.test' } }],
  ])('the store rejects it: %s', async (_, before, profiles) => {
    const { home, read } = placed(before);
    const holder = { ...wallClock, pid: process.pid, isAlive: () => true, beganAt: () => undefined };
    const store = openProfiles(join(home, 'config'), holder);
    await expect(store.update((now) => ({ ...now, profiles }))).rejects.toMatchObject({ code: 'usage' });
    expect(read()).toEqual(before);
    // An entry that somebody wrote by hand does not prevent other changes.
    await store.update((now) => ({ ...now, current: 'local' }));
    expect(read()).toEqual({ ...before, current: 'local' });
  });
});

describe('after config use local', () => {
  test('a login goes to the default profile, makes it the current one and says so', async () => {
    const { run, read } = placed(inLocal);
    const ended = await run(login, key);
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(ended.stderr).toContain(`logged in to ${url}`);
    expect(ended.stderr).toContain('the current profile is now default\n');
    expect(read()).toMatchObject({
      current: 'default',
      profiles: { staging, default: { base_url: url, credential: 'k-2' } },
    });
    expect(Object.keys(read().profiles)).not.toContain('local');
  });

  test('a named profile is stored and becomes current', async () => {
    const { run, read } = placed(inLocal);
    const ended = await run(`${login} --profile team`, key);
    expect(ended.stderr).toContain('the current profile is now team\n');
    expect(read()).toMatchObject({ current: 'team', profiles: { team: { credential: 'k-2' } } });
  });

  test.each<[source: string, env: Record<string, string>, file: object]>([
    ['DTP_PROFILE', { DTP_PROFILE: 'local' }, {}],
    ['.dtp.json', {}, { profile: 'local' }],
  ])('if %s selects local, the login says what still overrides it', async (source, env, file) => {
    const { home, run, read } = placed();
    writeFileSync(join(home, '.dtp.json'), JSON.stringify(file));
    await trustFolderFile(home, home);
    const ended = await run(login, { ...key, env });
    expect([ended.code, read().current]).toEqual([0, 'default']);
    expect(ended.stderr).toMatch(/^(?:(?!is now).)* selects local; use the new one with --profile default$/m);
    expect(ended.stderr).toContain(source);
    const used = await run('config use default', { env });
    expect([used.code, used.stderr]).toEqual([
      0,
      expect.stringMatching(
        /^the current profile is now default, but .* selects local; use the new one with --profile default\n$/,
      ),
    ]);
  });

  test('a login to a new profile says that it is the current one, and what overrides it', async () => {
    const { run, read } = placed();
    const ended = await run(`${login} --profile team`, { ...key, env: { DTP_PROFILE: 'local' } });
    expect(read().current).toBe('team');
    expect(ended.stderr).toContain(
      'the current profile is now team, but DTP_PROFILE selects local; use the new one with --profile team\n',
    );
  });

  test('a login without a URL suggests both ways', async () => {
    const { run, asked } = placed(inLocal);
    const ended = await run('auth login --base-url local: --with-token', key);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('try: dtp auth login --base-url URL\n');
    expect(asked).toEqual([]);
  });

  test.each([undefined, 'default', 'prod'])(
    'a credential for another service is not replaced unless its profile is named (current: %s)',
    async (current) => {
      const name = current ?? 'default';
      const stored = { [name]: { ...staging, base_url: other, credential_origin: other } };
      const { run, read, asked } = placed({ ...(current && { current }), profiles: stored });
      const refused = await run(login, key);
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain(`profile "${name}" already has a credential for ${other}`);
      expect(refused.stderr).toContain(`try: dtp auth login --base-url ${url} --profile NAME`);
      expect([read().profiles, asked]).toEqual([stored, []]);
      expect((await run(`${login} --profile ${name}`, key)).code).toBe(0);
      expect(read().profiles[name]).toMatchObject({ base_url: url, credential: 'k-2' });
    },
  );

  test('the command suggested without a credential works', async () => {
    const { run, read } = placed(inLocal);
    const ended = await run(`ws list --base-url ${url}`);
    expect(ended.code).toBe(4);
    const [, line = ''] = /try: dtp (.*)/.exec(ended.stderr) ?? [];
    expect(line).toBe(`auth login --base-url ${url}`);
    expect((await run(`${line} --with-token`, key)).code).toBe(0);
    expect(read().profiles).not.toHaveProperty('local');
  });
});

test('a login to another than the current profile says how to use it', async () => {
  const { run, read } = placed({ current: 'staging', profiles: { staging } });
  const ended = await run(`${login} --profile team`, key);
  expect(read().current).toBe('staging');
  expect(ended.stderr).toContain(
    'the current profile is still staging; use the new one with --profile team, or make it the current one: dtp config use team\n',
  );
});

describe('a stored entry with this name', () => {
  const planted: Stored = {
    current: 'local',
    profiles: { local: { base_url: 'https://planted.example.test', credential: 'k-9' }, staging },
  };
  const ignored = 'the stored profile "local" is ignored because local is built in';

  test('is not used, and a command says once how to delete it', async () => {
    const { run, asked } = placed(planted);
    const ended = await run('ws list');
    expect(ended.code).toBe(0);
    expect(ended.stderr.match(new RegExp(ignored, 'g'))).toHaveLength(1);
    expect(ended.stderr).toContain('Delete it with: dtp config delete local\n');
    expect(asked).toEqual([]);
  });

  test.each(['config list', 'auth logout'])('%s says so', async (line) => {
    const ended = await placed(planted).run(line);
    expect(ended.stderr).toContain(ignored);
    expect(ended.stdout).not.toContain('planted');
  });

  test('doctor says so once, and how to delete it', async () => {
    const { run } = placed(planted);
    const checks = JSON.parse((await run('doctor -o json')).stdout) as { check: string; mend?: string }[];
    const reported = checks.filter((one) => JSON.stringify(one).includes('is ignored because'));
    expect(reported).toMatchObject([{ check: 'configuration', status: 'warn', mend: 'dtp config delete local' }]);
  });

  test('completions offer the built-in profile', async () => {
    const { stdout } = await placed(planted).run('__complete profiles');
    expect(stdout.split('\n').filter((line) => line.startsWith('local'))).toEqual(['local\tlocal:']);
  });

  test('config delete removes it, and the built-in one remains', async () => {
    const { run, read } = placed(planted);
    const ended = await run('config delete local --yes');
    expect(ended).toMatchObject({ code: 0, stdout: '' });
    expect(ended.stderr).toContain('the built-in profile local remains');
    expect(read()).toEqual({ current: 'local', profiles: { staging } });
    expect((await run('ws list')).stderr).toBe('');
    expect(await run('config delete local --yes')).toMatchObject({ code: 2 });
  });
});

describe('config delete', () => {
  const two: Stored = { current: 'staging', profiles: { staging, other: { workspace: 'w_2' } } };

  test('deletes a profile and says that its credential is still valid', async () => {
    const { run, read } = placed({ ...two, current: 'other' });
    const ended = await run('config delete staging --yes');
    expect(ended).toEqual({
      code: 0,
      stdout: '',
      stderr: `deleted profile staging. Its credential is still valid at ${url}\n`,
    });
    expect(read()).toEqual({ current: 'other', profiles: { other: { workspace: 'w_2' } } });
  });

  test('of the current profile: the default profile becomes current', async () => {
    const { run, read } = placed(two);
    const ended = await run('config delete staging --yes -o json');
    expect(JSON.parse(ended.stdout)).toEqual({ ok: true, command: 'config delete' });
    expect(ended.stderr).toContain('the current profile is now default\n');
    expect(read()).toEqual({ profiles: { other: { workspace: 'w_2' } } });
  });

  test('without a credential, its validity is not mentioned', async () => {
    expect((await placed(two).run('config delete other --yes')).stderr).toBe('deleted profile other\n');
  });

  test.each<[why: string, line: string, code: number, says: string]>([
    ['nobody can confirm', 'config delete staging', 2, 'pass --yes'],
    ['it does not exist', 'config delete nope --yes', 2, 'profile "nope" does not exist'],
    ['it is misspelt', 'config delete stagin --yes', 2, 'try: dtp config delete staging\n'],
    ['it is a dry run', 'config delete staging --dry-run', 2, '--dry-run'],
    ['the name is a JavaScript property', 'config delete constructor --yes', 2, 'profile "constructor" does not exist'],
  ])('nothing is deleted if %s', async (_, line, code, says) => {
    const { run, read } = placed(two);
    const ended = await run(line);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(ended.stderr).toContain(says);
    expect(read()).toEqual(two);
  });

  describe.skipIf(!hasScript)('on a terminal', () => {
    const { folder, remove } = processHome();
    afterAll(remove);

    test.each([
      ['n', 15, ['staging']],
      ['y', 0, []],
    ])('%s', async (answer, code, left) => {
      mkdirSync(join(folder, 'config'), { recursive: true, mode: 0o700 });
      const file = join(folder, 'config', 'config.json');
      writeFileSync(file, JSON.stringify({ profiles: { staging } }), { mode: 0o600 });
      const ended = await terminal(folder, 'config delete staging', {
        typed: [['Delete profile "staging" and its credential? (y/N)', `${answer}\r`]],
      });
      expect(ended.code).toBe(code);
      expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')).profiles)).toEqual(left);
    });
  });
});
