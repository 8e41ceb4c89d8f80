/** The words that people type first work without a noun. */
import { expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { dtp } from '../support/context.ts';

test.each([
  ['login', 'auth login'],
  ['logout', 'auth logout'],
  ['whoami', 'auth status'],
])('dtp %s is dtp %s', async (short, long) => {
  const run = (line: string, ...more: readonly string[]) => dtp([...line.split(' '), ...more]);
  for (const more of [[], ['--help'], ['-o', 'json'], ['--unknown']]) {
    const [one, other] = [await run(short, ...more), await run(long, ...more)];
    const named = JSON.parse(JSON.stringify(one).replaceAll(`dtp ${short}`, `dtp ${long}`));
    expect(named).toEqual(other);
  }
  expect(await run('help', short)).toEqual(await run('help', ...long.split(' ')));
});

test('dtp version is dtp --version', async () => {
  expect(await dtp(['version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect(await dtp(['version', 'x'])).toMatchObject({ code: 2, stdout: '' });
});

test('the help shows none of them', async () => {
  const { stdout } = await dtp(['--help']);
  expect(stdout).not.toMatch(/^ +(login|logout|whoami|version) /m);
});
