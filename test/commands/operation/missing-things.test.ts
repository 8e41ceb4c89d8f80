/** A person is asked about a thing only if it exists, as far as a list of the API says. */
import { expect, test } from 'vitest';
import { dtp } from '../../support/context.ts';
import { service } from '../../support/function-service.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1', TERM: 'dumb' };
const id = 'ea31c0de-0574-45e1-9139-9ef9b8a21958';
const other = '00000000-0574-45e1-9139-9ef9b8a21958';

/** Answers "n" to each question, and returns the questions. */
async function run(line: string, list: readonly [status: number, body?: unknown]) {
  const questions: string[] = [];
  const { asked, openSend } = service(() => list);
  const answers = (prompt: string) => {
    questions.push(prompt);
    return 'n';
  };
  const ended = await dtp(line.split(' '), { env, own: 'w_1', tty: true, columns: 500, openSend, answers });
  return { ...ended, questions, writes: asked.filter((one) => !one.startsWith('GET ')) };
}

const tokens = [{ id, name: 'deploy' }];
const namespaces = { items: [{ name: 'pets' }] };

test.each([
  ['ws tokens delete', 'deploy', 'nope', 'token', tokens, 'dtp ws tokens list'],
  ['ws tokens delete', id, other, 'token', tokens, 'dtp ws tokens list'],
  [
    'publishing-tokens delete',
    'ci',
    'nope',
    'publishing token',
    [{ id, token_name: 'ci' }],
    'dtp publishing-tokens list',
  ],
  [
    'ws team revoke',
    'ann@example.com',
    'nope',
    'member',
    { users: [{ id, email: 'ann@example.com' }] },
    'dtp ws team list',
  ],
  ['artifacts namespaces archive', 'pets', 'nope', 'namespace', namespaces, 'dtp artifacts namespaces list'],
  [
    'artifacts namespaces set-visibility --public',
    'pets',
    'nope',
    'namespace',
    namespaces,
    'dtp artifacts namespaces list',
  ],
])('dtp %s %s', async (command, thing, missing, noun, list, next) => {
  const there = await run(`${command} ${thing}`, [200, list]);
  expect([there.code, there.questions.length, there.writes], there.stderr).toEqual([15, 1, []]);
  const gone = await run(`${command} ${missing}`, [200, list]);
  expect([gone.code, gone.questions, gone.writes]).toEqual([6, [], []]);
  expect(gone.stderr).toContain(`error: ${noun} ${missing} not found\n`);
  expect(gone.stderr).toContain(next);
  const unknown = await run(`${command} ${missing}`, [403, { message: 'no' }]);
  expect([unknown.code, unknown.questions.length, unknown.writes]).toEqual([15, 1, []]);
});
