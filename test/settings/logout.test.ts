/** `dtp auth logout` of a profile that does not exist, or whose base URL has changed. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../support/context.ts';

test.each(['--profile', 'DTP_PROFILE'])('logout of an unknown profile from %s lists the profiles', async (way) => {
  const home = temporaryFolder();
  const isFlag = way === '--profile';
  const argv = ['auth', 'logout', ...(isFlag ? ['--profile', 'nope'] : [])];
  const { code, stderr } = await dtp(argv, {
    home,
    env: { DTP_ERROR_FORMAT: 'text', ...(!isFlag && { [way]: 'nope' }) },
  });
  expect([code, stderr]).toEqual([2, expect.stringContaining('profile "nope" does not exist. Available: ')]);
  expect(stderr).toContain('dtp config list');
  // The default profile does not have to exist, and a built-in profile has no credential.
  for (const more of [[], ['--profile', 'local']])
    expect(await dtp(['auth', 'logout', ...more], { home })).toMatchObject({ code: 0 });
});

test.each([
  ['auth logout', undefined],
  ['auth logout', 'https://other.example.test'],
  ['config delete staging --yes', undefined],
  ['config delete staging --yes', 'https://other.example.test'],
])('dtp %s says where the credential is valid if the base URL is now %s', async (command, base_url) => {
  const home = temporaryFolder();
  const folder = join(home, 'config');
  const staging = { base_url, credential: 'k-1', credential_origin: 'https://api.example.test' };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ profiles: { staging } }), { mode: 0o600 });
  const { code, stderr } = await dtp([...command.split(' '), '--profile', 'staging'], { home });
  expect([code, stderr]).toEqual([0, expect.stringContaining('still valid at https://api.example.test\n')]);
});
