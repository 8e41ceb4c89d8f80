/** Without a result, the file of -O is empty, and does not keep the result of an earlier command. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };

test.each([
  ['no body, as a table', ['ws', 'settings', 'update', '--webhook-url', 'https://a.example.test', '-o', 'table'], ''],
  ['no record, as a name', ['ws', 'create', '--name', 'pets', '-o', 'name'], ''],
  ['a command of this machine', ['config', 'set', 'timeout', '9s', '--profile', 'p'], ''],
  ['no body, as JSON', ['ws', 'settings', 'update', '--webhook-url', 'https://a.example.test'], /^\{\s+"ok": true/],
] as const)('%s', async (_, argv, text) => {
  const home = temporaryFolder();
  const file = join(home, 'out');
  writeFileSync(file, 'before\n');
  const { openSend } = service(() => [204]);
  const ended = await dtp([...argv, '-O', 'out', '--force'], { home, openSend, env });
  expect([ended.code, ended.stdout]).toEqual([0, '']);
  expect(readFileSync(file, 'utf8')).toMatch(text === '' ? /^$/ : text);
});
