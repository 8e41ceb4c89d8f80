/** What a person at a terminal reads after a command that changed something, and that scripts see nothing of it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { allOperations, operations } from '../../src/operations/index.ts';
import { effectOf, type Input } from '../../src/operations/operation.ts';
import { doneOf } from '../../src/output/done.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const id = 'ea31c0de-0574-45e1-9139-9ef9b8a21958';
const digest = `sha256:${'4f0c91a2b7de'.repeat(6).slice(0, 64)}`;

describe('the sentence', () => {
  const rows: readonly (readonly [
    operation: keyof typeof operations,
    input: Input,
    value: unknown,
    text: string,
    next: string | undefined,
  ])[] = [
    [
      'createWorkspaceToken',
      { body: { name: 'deploy' } },
      { id },
      'Created token deploy (ea31c0de)',
      'ws tokens list -o json',
    ],
    ['createWorkspaceToken', { body: { name: 'deploy' } }, {}, 'Created token deploy', 'ws tokens list -o json'],
    ['deleteWorkspaceToken', { tokenID: id }, undefined, 'Deleted token ea31c0de', undefined],
    ['createWorkspace', {}, { id, name: 'pets' }, 'Created workspace pets (ea31c0de)', `ws get -w ${id}`],
    ['createWorkspace', {}, { id: null, name: '' }, 'Created workspace', undefined],
    [
      'createBillingAddOns',
      {},
      { add_ons: ['webhooks', 'sdk_testing'] },
      'Bought add-ons: webhooks, sdk_testing',
      'orgs add-ons list',
    ],
    [
      'archiveNamespace',
      { namespace_name: 'petstore' },
      undefined,
      'Archived namespace petstore',
      'artifacts namespaces list',
    ],
    [
      'archiveNamespace',
      { namespace_name: 'petstore', archived: false },
      undefined,
      'Restored namespace petstore',
      'artifacts namespaces list',
    ],
    [
      'setVisibility',
      { namespace_name: 'petstore', public: false },
      undefined,
      'Made namespace petstore private',
      undefined,
    ],
    [
      'postTags',
      { namespace_name: 'petstore', body: { revision_digest: digest, tags: ['v1', 'v2'] } },
      undefined,
      'Tagged petstore sha256:4f0c91a2b7de as v1, v2',
      'artifacts tags list petstore',
    ],
    ['codehostTriggerAction', { body: { org: 'acme' } }, undefined, 'Triggered the workflow action', undefined],
  ];

  it.each<(typeof rows)[number]>(rows)('%s of %j', (operation, input, value, text, next) => {
    const done = doneOf(operations[operation], input, value);
    expect([done?.text, done?.next?.flat().join(' ')]).toEqual([text, next]);
  });

  it.each([
    ['deleteWorkspaceToken', 'tokenID', 'Deleted token deploy (ea31c0de)'],
    ['deletePublishingToken', 'tokenID', 'Deleted publishing token deploy (ea31c0de)'],
    ['updatePublishingTokenExpiration', 'tokenID', 'Updated publishing token deploy (ea31c0de)'],
    ['revokeUserAccessToWorkspace', 'userId', 'Revoked the access of user deploy (ea31c0de)'],
  ] as const)('%s calls what was looked up by its name', (operation, field, text) => {
    const names = { [field]: { id, name: 'deploy' } };
    const done = doneOf(operations[operation], { [field]: id }, undefined, names);
    expect(done?.text).toBe(text);
    expect(done?.next?.join(' ') ?? id).not.toContain('deploy');
    const nameless = doneOf(operations[operation], { [field]: id }, undefined, { [field]: { id, name: id } });
    expect(nameless?.text).toBe(text.replace('deploy (ea31c0de)', 'ea31c0de'));
  });

  it.each([
    ['revokeUserAccessToWorkspace', 'Revoked the access of user u_1 to workspace pets'],
    ['grantUserAccessToWorkspace', 'Granted u_1 access to workspace pets'],
    ['updateWorkspaceSettings', 'Updated the workspace settings of pets'],
    ['setWorkspaceFeatureFlags', 'Set the feature flags of the workspace pets'],
  ] as const)('%s says which workspace the user named', (operation, text) => {
    const input = { userId: 'u_1', email: 'u_1' };
    const names = { workspace: { id: 'pets', name: 'pets' } };
    expect(doneOf(operations[operation], input, undefined, names)?.text).toBe(text);
    expect(doneOf(operations[operation], input)?.text).toBe(text.replace(/( to workspace| of)? pets$/, ''));
  });

  it('a revocation says how many publishing tokens stay', () => {
    const done = doneOf(operations.revokeUserAccessToWorkspace, { userId: 'u_1' }, { publishing_tokens: 2 });
    expect(done?.text).toBe('Revoked the access of user u_1. Publishing tokens of the user that stay valid: 2');
  });

  it('exists exactly for the operations that change something or have no result', () => {
    const all = allOperations.filter(
      (one) => one.flow !== 'spool' && (one.result === 'none' || effectOf(one) !== 'read'),
    );
    const said = allOperations.filter((one) => doneOf(one, {})?.text !== undefined);
    expect(said.map((one) => one.id).sort()).toEqual(all.map((one) => one.id).sort());
  });

  it('has no placeholder and no empty part left, even without any value', () => {
    for (const one of allOperations) {
      const input = Object.fromEntries(Object.keys(one.input).map((name) => [name, 'x']));
      const done = doneOf(one, input, { org: 'x', repo: 'x', repo_name: 'x', namespace_name: 'x' });
      expect(done?.text ?? '').not.toMatch(/[[\]{}]| {2}|\(\)/);
      expect(done?.next?.join(' ') ?? '').not.toMatch(/[{}]/);
    }
  });
});

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: 'w_1' };

/** Runs a command at a terminal, where the credential belongs to the workspace w_1. */
const at = (argv: string, world: World = {}) => dtp(argv.split(' '), { env, own: 'w_1', tty: true, ...world });

describe('at a terminal', () => {
  it('a change is reported on stderr, with the next command of the same profile', async () => {
    const { openSend } = service(() => [200, { id, name: 'pets' }]);
    const ended = await at('ws create --name pets --slug pets --base-url https://api.example.test', {
      openSend,
    });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining(id) });
    expect(ended.stderr).toBe(
      [
        '\u001b[32m✔\u001b[39m Created workspace pets (ea31c0de)',
        `\u001b[2m  next: dtp ws get -w ${id} --base-url https://api.example.test\u001b[22m`,
        '',
      ].join('\n'),
    );
  });

  it.each([
    [{ NO_COLOR: '1' }, '✔ Deleted token t_1\n'],
    [{ CI: 'true' }, '✔ Deleted token t_1\n'],
    [{ TERM: 'dumb' }, 'ok: Deleted token t_1\n'],
  ])('%j', async (more, text) => {
    const { openSend } = service(() => [204]);
    const ended = await at('ws tokens delete t_1 --yes', { openSend, env: { ...env, ...more } });
    expect(ended).toEqual({ code: 0, stdout: '', stderr: text });
  });

  it('a file is reported with its size', async () => {
    const { openSend } = service(() => [200, [{ id, text: 'x'.repeat(2000) }]]);
    const cwd = temporaryFolder();
    const ended = await at('ws list -O all.json', { openSend, cwd });
    expect(ended).toEqual({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('Wrote all.json (2.1 kB)'),
    });
    expect(readFileSync(join(cwd, 'all.json'), 'utf8')).toContain(id);
  });

  it('a failure reports nothing', async () => {
    const { openSend } = service(() => [403, { message: 'no' }]);
    const cwd = temporaryFolder();
    for (const line of ['ws tokens delete t_1 --yes', 'ws list -O all.json']) {
      const ended = await at(line, { openSend, cwd });
      expect(ended.code).toBe(5);
      expect(ended.stderr).not.toContain('✔');
    }
    expect(existsSync(join(cwd, 'all.json'))).toBe(false);
  });
});

test.each<readonly [string, World, Partial<Record<'stdout' | 'stderr', string>>]>([
  ['ws tokens delete t_1 --yes', { tty: false }, { stderr: '' }],
  ['ws tokens delete t_1 --yes -o table', { tty: false }, { stdout: '', stderr: 'ok: ws tokens delete\n' }],
  ['ws tokens delete t_1 --yes', { piped: true }, { stderr: '' }],
  ['ws tokens delete t_1 --yes -o json', {}, { stderr: '' }],
])('scripts see nothing of it: %s %j', async (line, world, expected) => {
  const { openSend } = service(() => [204]);
  expect(await at(line, { openSend, ...world })).toMatchObject({ code: 0, ...expected });
});

test('a sentence of another command is not written to a pipe either', async () => {
  const { openSend } = service(() => [204]);
  const post = (world: World) =>
    at('events post --interaction-type LINT --success -o table --color never', { openSend, ...world });
  expect(await post({ tty: false })).toMatchObject({ code: 0, stderr: '' });
  expect((await post({})).stderr).toMatch(/✔ Delivered 1 event {2}249 bytes, [\d.]+ m?s\n/);
});
