/** Answers that are nested 100,000 levels deep: shown as they are, or a typed error that says what to do. */
import { describe, expect, test } from 'vitest';
import { formats } from '../../src/render/formats.ts';
import { dtp, temporaryFolder } from '../support/context.ts';
import { service } from '../support/function-service.ts';
import { runUntilCtrlC } from '../support/run-until-ctrl-c.ts';

const lists = '['.repeat(100_000) + ']'.repeat(100_000);
const records = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
const row = (deep: string) => `{"id":"e_1","name":"petstore","created_at":"2026-01-31T12:00:00Z","deep":${deep}}`;

const rows: readonly [command: string, what: string, answer: string][] = [
  ['ws get', 'a field', row(lists)],
  ['ws get', 'the whole answer', lists],
  ['ws list', 'a field of a row', `[${row(lists)}]`],
  ['artifacts revisions list petstore --all', 'a field of a row', `{"items":[${row(records)}],"next_page_token":""}`],
  ['events search', 'a field of a row', `[${row(records)}]`],
  ['events tail', 'a field of an event', `[${row(records)}]`],
  ['api /v1/anything', 'a field', row(records)],
  ['ws get --agent', 'a field', row(lists)],
  ['ws list --agent', 'a field of a row', `[${row(records)}]`],
];

/** Runs a command, and returns how it ended. A tail gets the answer after an empty one, and then Ctrl-C. */
function run(command: string, answer: string, flags: readonly string[]) {
  const argv = [...command.split(' '), ...flags];
  const body = Buffer.from(answer);
  if (command === 'events tail')
    return runUntilCtrlC(argv, [
      [200, []],
      [200, body],
    ]);
  const { openSend } = service(() => [200, body]);
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };
  return dtp(argv, { openSend, own: 'w_1', env, cwd: temporaryFolder() });
}

const ways = ['', '--fields name', '--query @', '--query to_string(@)', '--jq .', '-O out'];

describe.each(rows)('%s, if %s is deep', (command, _, answer) => {
  test.each(ways)('no format ends with an internal error: %j', async (way) => {
    for (const format of ['', ...formats]) {
      const flags = [...(format && ['-o', format]), ...way.split(' ').filter(Boolean)];
      const { code, stderr } = await run(command, answer, flags);
      expect([0, 2, 12], `${command} ${flags.join(' ')}: ${stderr.slice(0, 300)}`).toContain(code);
    }
  });
});

test.each(['ws get', 'ws list', 'events search', 'api /v1/anything'])(
  '%s -o raw prints it unchanged',
  async (command) => {
    const answer = command === 'ws get' || command === 'api /v1/anything' ? row(lists) : `[${row(lists)}]`;
    const { code, stdout } = await run(command, answer, ['-o', 'raw']);
    expect([code, stdout.trimEnd() === answer]).toEqual([0, true]);
  },
);

test('the error says how to get the answer', async () => {
  const { code, stderr } = await run('ws get', row(lists), ['-o', 'yaml']);
  expect(code).toBe(12);
  expect(stderr).toContain('the response is nested too deeply to be shown');
  expect(stderr).toContain('Save it unchanged with -o raw -O FILE.');
});

test('other fields of a deep answer can be selected', async () => {
  for (const flags of [
    ['--fields', 'name', '-o', 'tsv', '--no-headers'],
    ['--query', 'name'],
  ])
    expect(await run('ws get', row(lists), flags)).toMatchObject({ code: 0, stdout: 'petstore\n' });
});
