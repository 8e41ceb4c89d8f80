/** A surplus argument that is a file leads to the flag that takes it, and any other is never shown. */
import { expect, test } from 'vitest';
import { dtp } from '../support/context.ts';

test.each([
  ['events post x.ndjson', 'dtp events post --body @x.ndjson'],
  ['events post x.ndjson -w w_1', 'dtp events post -w w_1 --body @x.ndjson'],
  ['ws create @dir/ws.yaml -o json', 'dtp ws create -o json --body @dir/ws.yaml'],
  ['artifacts tags add pets tags.json', 'dtp artifacts tags add pets --body @tags.json'],
  // The flag is there, or the command takes no file, or it is not clear which file is meant.
  ['reports upload x.html lint.html --type linting', 'dtp reports upload --help'],
  ['code-samples preview a.yaml b.yaml --language go', 'dtp code-samples preview --help'],
  ['ws list --json id,name', 'dtp ws list --json --fields id,name'],
  ['ws list x.json', 'dtp ws list --help'],
  ['ws create a.json b.json', 'dtp ws create --help'],
  // Anything else may be the workspace, or a secret.
  ['events post hello', 'dtp events post --help'],
  ['ws list --json hunter22', 'dtp ws list --help'],
  ['events post key.hunter22', 'dtp events post --help'],
  ['ws get key.hunter22', 'dtp ws get -w ID'],
])('dtp %s', async (line, next) => {
  const ended = await dtp(line.split(' '), { env: { DTP_ERROR_FORMAT: 'json' } });
  expect(ended.code).toBe(2);
  const { error } = JSON.parse(ended.stderr);
  expect(error.message).toMatch(/^too many arguments for dtp /);
  expect(error.next).toEqual([{ command: next }]);
  expect(ended.stderr).not.toContain('hunter22');
});
