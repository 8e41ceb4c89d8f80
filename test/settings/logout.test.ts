/** `dtp auth logout` of a profile that does not exist. */
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
