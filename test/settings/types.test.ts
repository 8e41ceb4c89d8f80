/** A setting of the wrong type in .dtp.json or a stored profile is an error, and is not converted to a string. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { settingKeys, settingRows } from '../../src/settings/keys.ts';
import { dtp, temporaryFolder } from '../support/context.ts';

const env = { DTP_API_KEY: 'k-1', DTP_ERROR_FORMAT: 'text' };
const wrong: readonly unknown[] = [null, 7, true, false, ['w_1'], { id: 'w_1' }];
/** The settings whose type is not string. */
const right: Readonly<Record<string, string>> = { timeout: 'number', allow_http: 'boolean' };

const rowsOf = (keys: readonly string[]) =>
  keys.flatMap((key) => wrong.filter((value) => typeof value !== right[key]).map((value) => [key, value] as const));
const inFile = settingKeys.filter((key) => settingRows[key].file);
const inProfile = settingKeys.filter((key) => settingRows[key].profile);

/** Any request would exit with another code. */
const show = (home: string, more: Readonly<Record<string, string>> = {}) =>
  dtp(['ws', 'get', '--dry-run'], { home, env: { ...env, ...more } });

test.each(rowsOf(['profile', ...inFile]))('.dtp.json: %s is %j', async (key, value) => {
  const home = temporaryFolder();
  const all = { workspace: 'w_1', base_url: 'https://api.example.test', [key]: value };
  writeFileSync(join(home, '.dtp.json'), JSON.stringify(all));
  const ended = await show(home);
  expect([ended.code, ended.stdout], ended.stderr).toEqual([3, '']);
  expect(ended.stderr).toContain(join(home, '.dtp.json'));
});

test.each(rowsOf(inProfile))('a stored profile: %s is %j', async (key, value) => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  const profile = { workspace: 'w_1', base_url: 'https://api.example.test', [key]: value };
  const file = join(home, 'config/config.json');
  writeFileSync(file, JSON.stringify({ profiles: { default: profile } }), { mode: 0o600 });
  const ended = await show(home);
  expect([ended.code, ended.stdout], ended.stderr).toEqual([3, '']);
  expect(ended.stderr).toContain(`${key} (from profile default) must be`);
});

test('a flag or a variable overrides it', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, '.dtp.json'), '{"workspace":7,"profile":7,"output":7}');
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  writeFileSync(join(home, 'config/config.json'), '{"profiles":{"default":{}}}', { mode: 0o600 });
  const found = await show(home, {
    DTP_BASE_URL: 'https://api.example.test',
    DTP_WORKSPACE_ID: 'w_2',
    DTP_PROFILE: 'default',
    DTP_OUTPUT: 'json',
  });
  expect(found.stdout, found.stderr).toContain('/v1/workspace/w_2');
});

test('a number is a time in seconds', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, '.dtp.json'), '{"workspace":"w_1","timeout":5}');
  expect((await show(home, { DTP_BASE_URL: 'https://api.example.test' })).code).toBe(0);
});

test('commands that show settings work, and show the problem', async () => {
  const home = temporaryFolder();
  writeFileSync(join(home, '.dtp.json'), '{"workspace":7}');
  const ended = await dtp(['config', 'explain'], { home, env });
  expect(ended.code, ended.stderr).toBe(0);
  const doctor = await dtp(['doctor', '-o', 'json'], { home, env });
  expect(doctor.stdout).toContain('must be a string');
});
