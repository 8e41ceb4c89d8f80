/** Prompts for missing values, on a terminal only. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { choiceOf } from '../../src/commands/operation/pick.ts';
import { resources, valuesToPick } from '../../src/operations/resources.ts';
import { shellWord } from '../../src/shell.ts';
import { dtp } from '../support/context.ts';
import { home } from '../support/process.ts';
import { hasScript, terminal } from '../support/terminal.ts';

const { folder, remove } = home();
let address = '';
const requests: string[] = [];
const answers: Readonly<Record<string, unknown>> = {
  '/v1/workspaces': [
    { id: 'w_1', name: 'Pets' },
    { id: 'w_2', name: 'Shop \u001b[2J' },
  ],
  '/v1/workspace/w_2/tokens': [
    { id: 't_1', name: 'ci' },
    { id: 't_2', name: 'release' },
  ],
  '/v1/artifacts/namespaces': {
    items: [{ id: 'n_1', name: 'my pets', updated_at: '2026-01-31T12:00:00Z' }],
  },
  '/v1/artifacts/namespaces/my%20pets/revisions': {
    items: [
      { id: 'r_2', digest: `sha256:${'b'.repeat(64)}`, tags: [], created_at: '2026-01-31T12:00:00Z' },
      { id: 'r_1', digest: `sha256:${'a'.repeat(64)}`, tags: ['v1', 'main'] },
    ],
  },
  '/v1/artifacts/namespaces/my%20pets/tags': {
    items: [{ id: 'g_1', name: 'v1', revision_digest: 'sha256:1' }],
  },
  '/v1/artifacts/preflight': { auth_token: 't-1' },
  '/v1/organization': [],
};

const bodies: string[] = [];
const server = http.createServer(async (request, response) => {
  requests.push(`${request.method} ${request.url}`);
  let body = '';
  for await (const chunk of request) body += chunk;
  if (body !== '') bodies.push(body);
  response.end(JSON.stringify(answers[request.url ?? ''] ?? { id: 'x' }));
});
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => {
  requests.length = 0;
  bodies.length = 0;
});
afterAll(() => {
  server.close();
  remove();
});

const [enter, down, ctrlC, leave] = ['\r', '\u001b[B', '\u0003', '\u001b'];
const ask = (line: string, ...typed: readonly (readonly [string, string])[]) =>
  terminal(folder, line, { env: { DTP_BASE_URL: address, DTP_API_KEY: 'k-1' }, typed });

test.skipIf(!hasScript)('pick a workspace and then a token, with the arrow keys and by typing', async () => {
  const { code, screen } = await ask(
    'ws tokens delete',
    ['Which workspace?', down],
    ['Shop', enter],
    ['Which token?', 'rel'],
    ['(1 match)', enter],
    ['(y/N)', `y${enter}`],
  );
  expect(requests).toEqual([
    'GET /v1/workspaces',
    'GET /v1/workspace/w_2/tokens',
    // Before the confirmation: it still exists.
    'GET /v1/workspace/w_2/tokens',
    'DELETE /v1/workspace/w_2/tokens/t_2',
  ]);
  expect(code).toBe(0);
  expect(screen).toContain('Running: dtp ws tokens delete -w w_2 t_2');
  expect(screen).toContain('Shop \\u001b[2J');
});

test.skipIf(!hasScript)('earlier path parameters are known, and choices have names', async () => {
  const { code } = await ask(
    'artifacts manifests get --organization-slug o --workspace-slug w -o json',
    ['Which namespace?', enter],
    ['Which tag or revision?', enter],
  );
  expect(code).toBe(0);
  expect(requests.slice(0, 2)).toEqual(['GET /v1/artifacts/namespaces', 'GET /v1/artifacts/namespaces/my%20pets/tags']);
  expect(requests.at(-1)).toBe('GET /v1/oci/v2/o/w/my%20pets/manifests/v1');
});

test.skipIf(!hasScript)('a value without a list is typed', async () => {
  const { code } = await ask('ws team grant -w w_1', ['Email:', `a@example.test${enter}`]);
  expect([code, requests]).toEqual([0, ['PUT /v1/workspace/w_1/team/email/a%40example.test']]);
});

test.skipIf(!hasScript)(
  'tags add: a namespace by its name, a revision by its tags, and the tags are typed',
  async () => {
    const { code, screen } = await ask(
      'artifacts tags add',
      ['Which namespace?', enter],
      ['Which revision?', down],
      ['v1, main', enter],
      ['separated by spaces):', `v2 latest${enter}`],
    );
    expect(code, screen).toBe(0);
    expect(requests).toEqual([
      'GET /v1/artifacts/namespaces',
      'GET /v1/artifacts/namespaces/my%20pets/revisions',
      'POST /v1/artifacts/namespaces/my%20pets/tags',
    ]);
    expect(bodies.at(-1)).toBe(JSON.stringify({ revision_digest: `sha256:${'a'.repeat(64)}`, tags: ['v2', 'latest'] }));
    expect(screen.replace(/\s+/g, ' ')).toContain(
      `dtp artifacts tags add 'my pets' --revision sha256:${'a'.repeat(64)} --tag v2 --tag latest`,
    );
  },
);

test.skipIf(!hasScript)('there is no prompt for a body that was passed', async () => {
  const { code } = await ask("artifacts tags add ns --body '{}'");
  expect([code, requests, bodies]).toEqual([0, ['POST /v1/artifacts/namespaces/ns/tags'], ['{}']]);
});

test.skipIf(!hasScript)('preflight prompts for the namespace', async () => {
  const { code } = await ask('artifacts preflight -o json', ['Which namespace?', enter]);
  expect([code, bodies]).toEqual([0, ['{"namespace_name":"my pets"}']]);
});

test.skipIf(!hasScript)('pull without a reference: a namespace, then a tag or a digest of it', async () => {
  const { screen } = await ask(
    'artifacts pull --organization-slug o --workspace-slug w',
    ['Which namespace?', enter],
    ['Which tag or revision?', enter],
  );
  expect(requests.slice(0, 2)).toEqual(['GET /v1/artifacts/namespaces', 'GET /v1/artifacts/namespaces/my%20pets/tags']);
  expect(screen).toContain("dtp artifacts pull --organization-slug o --workspace-slug w 'my pets:v1'");
});

test('pull without a reference reports the missing argument if prompts are disabled', async () => {
  const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_ERROR_FORMAT: 'json' };
  for (const more of [{}, { tty: true, env: { ...env, CI: 'true' } }]) {
    const ended = await dtp(['artifacts', 'pull', '-o', 'json'], { env, ...more });
    expect(ended.code).toBe(2);
    expect(JSON.parse(ended.stderr).error).toMatchObject({
      message: 'missing argument: REF',
      next: [{ command: 'dtp artifacts pull -o json REF' }],
    });
  }
});

const date = '2026-01-31T12:00:00Z';
const digest = `sha256:${'a'.repeat(64)}`;
/** A row of each list, the value it stands for, and what a person sees: the name first. */
test.each([
  ['workspaces', { id: 'w_1', name: 'Pets', created_at: date }, [['w_1', 'Pets', 'w_1']]],
  ['organizations', { id: 'o_1', name: 'Acme', created_at: date }, [['o_1', 'Acme', 'o_1']]],
  ['members', { id: 'u_1', email: 'a@example.test', created_at: date }, [['u_1', 'a@example.test', 'u_1']]],
  ['targets', { generate_gen_lock_id: 'l_1', generate_target: 'go' }, [['l_1', 'go', 'l_1']]],
  ['namespaces', { id: 'n_1', name: 'pets', updated_at: date }, [['pets', 'pets', date]]],
  ['tags', { name: 'v1', revision_digest: digest }, [['v1', 'v1', 'sha256:aaaaaaaaaaaa…']]],
  ['digests', { digest, tags: ['v1', 'main'] }, [[digest, 'v1, main', 'sha256:aaaaaaaaaaaa…']]],
  ['digests', { digest, tags: [], created_at: date }, [[digest, 'sha256:aaaaaaaaaaaa…', '']]],
  [
    'revisions',
    { name: 'v1', revision_digest: digest },
    [
      ['v1', 'v1', 'sha256:aaaaaaaaaaaa…'],
      [digest, 'sha256:aaaaaaaaaaaa…', 'v1'],
    ],
  ],
  ['workspace-tokens', { id: 't_1', name: 'ci', created_at: date }, [['t_1', 'ci', 't_1']]],
  ['publishing-tokens', { id: 't_1', token_name: 'ci', valid_until: date }, [['t_1', 'ci', 't_1']]],
  // Items without a name are shown by id.
  ['workspaces', { id: 'w_1', name: '' }, [['w_1', 'w_1', '']]],
] as const)('a choice of %s is shown by name: %j', (name, row, expected) => {
  const resource = resources.find(({ kind }) => kind === name);
  const { values = [] } = (resource && valuesToPick(resource)) ?? {};
  const choices = values.flatMap((names) => choiceOf(row, names));
  expect(choices.map(({ value, label, hint }) => [value, label, hint])).toEqual(expected);
  for (const { label } of choices) expect(label).not.toMatch(/^\d{4}-\d\d-\d\d/);
});

test('every list is in that table', () => {
  expect(resources.filter(valuesToPick)).toHaveLength(10);
});

test.skipIf(!hasScript)('nothing is sent after declining or an interrupt', async () => {
  const pick = (keys: string) => ask('ws tokens list', ['Which workspace?', keys]);
  expect((await pick(leave)).code).toBe(15);
  expect((await pick(ctrlC)).code).toBe(130);
  expect(new Set(requests)).toEqual(new Set(['GET /v1/workspaces']));
});

test.skipIf(!hasScript)('input without a match is not accepted, and the end of input declines', async () => {
  const list = 'ws tokens list';
  const none = await ask(list, ['Which workspace?', 'zzz'], ['No matches', enter], ['Choose an item', ctrlC]);
  expect([none.code, none.screen.includes('undefined')]).toEqual([130, false]);
  const ended = await ask(list, ['Which workspace?', '\u0004']);
  expect([ended.code, ended.screen]).toEqual([15, expect.stringContaining('Cancelled.')]);
  // The cursor is visible again.
  expect(ended.screen.lastIndexOf('\u001b[?25h')).toBeGreaterThan(ended.screen.lastIndexOf('\u001b[?25l'));
  expect(new Set(requests)).toEqual(new Set(['GET /v1/workspaces']));
});

test.skipIf(!hasScript)('an empty list is reported', async () => {
  const { code, screen } = await ask('orgs get');
  expect([code, screen]).toEqual([2, expect.stringContaining('no organizations found')]);
});

test.each([
  [{ CI: 'true' }, []],
  [{ DTP_NO_INPUT: '1' }, []],
  [{}, ['--no-input']],
  [{}, ['--dry-run']],
])('there is no prompt with %j %j', async (env, argv) => {
  const ended = await dtp(['ws', 'tokens', 'delete', ...argv], {
    tty: true,
    env: { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', NO_COLOR: '1', ...env },
  });
  expect([ended.code, ended.stdout]).toEqual([2, '']);
  expect(ended.stderr).toContain('missing argument: TOKEN-ID');
  expect(ended.stderr).toContain(`try: dtp ws tokens delete ${[...argv, 'TOKEN-ID'].join(' ')}`);
});

test.each([
  [['reports', 'upload'], 'dtp reports upload --type linting FILE'],
  [['ws', 'tokens', 'create'], 'dtp ws tokens create --name NAME'],
  [['artifacts', 'namespaces', 'set-visibility'], 'dtp artifacts namespaces set-visibility NAMESPACE --no-public'],
  [
    ['publishing-tokens', 'create', '--token-name', 'a b'],
    `dtp publishing-tokens create --token-name ${shellWord('a b')}`,
  ],
])('%j suggests a complete command', async (argv, command) => {
  const ended = await dtp(argv, {
    env: { DTP_BASE_URL: 'https://api.example.test', DTP_WORKSPACE_ID: 'w_1' },
  });
  expect(ended.code).toBe(2);
  expect(ended.stderr).toContain(`try: ${command}`);
});

test.skipIf(!hasScript)('a namespace becomes public only after a confirmation', async () => {
  const line = 'artifacts namespaces set-visibility "my pets" --public';
  const no = await ask(line, ['Make namespace "my pets" public? Everyone will be able to read it.', enter]);
  expect(no.code, no.screen).toBe(15);
  expect(requests.filter((one) => one.startsWith('POST'))).toEqual([]);
  const yes = await ask(line, ['(y/N)', `y${enter}`]);
  expect(yes.code, yes.screen).toBe(0);
  expect(requests).toContain('POST /v1/artifacts/namespaces/my%20pets/visibility');
});

test('in CI there is no confirmation prompt, even on a terminal: the error asks for --yes', async () => {
  const ended = await dtp(['ws', 'tokens', 'delete', 't 1'], {
    own: 'w_1',
    tty: true,
    env: {
      DTP_BASE_URL: 'https://api.example.test',
      DTP_API_KEY: 'a-key-of-12',
      DTP_WORKSPACE_ID: 'w_1',
      CI: 'true',
      NO_COLOR: '1',
    },
  });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(/needs confirmation; pass\s+--yes\n$/);
});
