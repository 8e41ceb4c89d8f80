/** What a newcomer tries first and gets wrong is answered with the next step. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const url = 'https://api.example.test';
const { asked, openSend } = service(() => [200, { workspace_id: 'w_9' }]);
const run = (argv: readonly string[], more: { readonly stdin?: string; readonly home?: string } = {}) =>
  dtp(argv, { home: temporaryFolder(), openSend, ...more, env: { DTP_ERROR_FORMAT: 'text', NO_COLOR: '1' } });

const onlyKey = 'standard input must be only the key: one line, without a name\n';
const next = `  try: dtp auth login --base-url ${url} --with-token < FILE\n`;
test.each([
  ['export DTP_API_KEY=dtp_secret\n', onlyKey],
  ['DTP_API_KEY=dtp_secret', onlyKey],
  ["$env:DTP_API_KEY = 'dtp_secret'\r\n", onlyKey],
  ['dtp_secret\ndtp_other\n', onlyKey],
  ['', 'no credential on standard input\n'],
  [' \n', 'no credential on standard input\n'],
])('a login with %j sends nothing', async (stdin, message) => {
  const ended = await run(['login', '--base-url', url, '--with-token'], { stdin });
  expect(ended).toEqual({ code: 2, stdout: '', stderr: `error: ${message}${next}` });
  expect(asked).toEqual([]);
});

test.each(['dtp_secret', 'ZHRwX3NlY3JldA==', 'a key with spaces', 'DTP_secret'])(
  'a login with %j is a key',
  async (stdin) => expect((await run(['login', '--base-url', url, '--with-token'], { stdin })).code).toBe(0),
);

test.each([
  ['target', true],
  ['credential', true],
  ['queue', true],
  ['lock id', true],
  ['lock-id', true],
  // The page of their commands.
  ['workspace', false],
  ['namespace', false],
  ['revision', false],
  ['concepts', true],
])('help %s shows what the words mean: %s', async (words, isConcept) => {
  const ended = await run(['help', ...words.split(' ')]);
  expect([ended.code, ended.stdout.startsWith('What the words mean.')]).toEqual([0, isConcept]);
  expect(ended.stderr).toBe(isConcept ? '' : 'what the word means: dtp help concepts\n');
});

const logged = { base_url: url };
test.each([
  ['logged out', { profiles: { default: logged } }, 4, `no credential for ${url} (profile default)`],
  ['never logged in', { profiles: {} }, 3, 'no base URL is configured'],
])('whoami says that nobody is logged in: %s', async (_, stored, code, why) => {
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  writeFileSync(join(home, 'config', 'config.json'), JSON.stringify(stored), { mode: 0o600 });
  const ended = await run(['whoami'], { home });
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toContain(`error: not logged in: ${why}\n`);
  expect(ended.stderr).toContain('  try: dtp auth login --base-url ');
});
