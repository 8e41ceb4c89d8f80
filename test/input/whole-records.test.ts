/** Of a whole record, any field is enough. Of the body of a request, all required fields are asked for. */
import { expect, test } from 'vitest';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const env = {
  DTP_ERROR_FORMAT: 'json',
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  TERM: 'dumb',
};

async function run(line: string, keys?: Pick<World, 'typed' | 'answers'>) {
  const sent: unknown[] = [];
  const { openSend } = service(({ method, body }) => {
    if (method === 'GET') return [200, []];
    sent.push(JSON.parse(String(body)));
    return [200, {}];
  });
  const world = { home: temporaryFolder(), env, own: 'w_1', openSend, ...(keys && { tty: true, ...keys }) };
  return { ...(await dtp(line.split(' '), world)), sent };
}

test.each([
  ['ws create', 'pass at least one of --name, --organization-id or --slug'],
  ['ws update', 'pass at least one of --name, --organization-id or --slug'],
  ['orgs create --yes', 'pass at least one of --name, --slug or --account-type'],
  ['ws tokens create', 'missing flag: --name'],
  ['artifacts tags add pets', 'missing flags: --revision and --tag'],
])('dtp %s in a pipe', async (line, message) => {
  const { code, stderr, sent } = await run(line);
  expect([code, sent, JSON.parse(stderr).error.message]).toEqual([2, [], message]);
});

test('on a terminal, what follows the first answer may be empty', async () => {
  const asked: string[] = [];
  const answers = (prompt: string) => {
    asked.push(prompt);
    return prompt.includes('Name (display name):') ? 'Staging' : '';
  };
  expect(await run('ws create', { answers })).toMatchObject({ code: 0, sent: [{ name: 'Staging' }] });
  expect(asked.map((prompt) => /may\s+be\s+empty/.test(prompt))).toEqual([false, true, true]);
});

test.each<[string, [string, string][], unknown]>([
  ['pets:v1', [['Tag', 'new']], { revision_digest: 'v1', tags: ['new'] }],
  ['pets --revision v1', [['Tag', 'new']], { revision_digest: 'v1', tags: ['new'] }],
  ['pets --tag new', [['evision', 'v1']], { revision_digest: 'v1', tags: ['new'] }],
])('on a terminal, dtp artifacts tags add %s asks for the other part', async (line, typed, body) => {
  const { code, sent, stderr } = await run(`artifacts tags add ${line}`, { typed });
  expect([code, sent], stderr).toEqual([0, [body]]);
});
