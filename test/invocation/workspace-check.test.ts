/** The sources that select a workspace, and what the error for another workspace suggests, over a real socket. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { twoWorkspaces, validateRequestLine } from '../support/two-workspaces.ts';

const archive = ['artifacts', 'namespaces', 'archive', 'pets', '--yes'];
const flags = ['ws', 'feature-flags', 'set', '--feature-flags', 'webhooks'];
const few = [archive, flags, ['ws', 'current'], ['orgs', 'usage', 'get'], ['artifacts', 'tags', 'list', 'pets']];

/** The sources that select w_2, and their names in errors. */
const sources: readonly (readonly [name: string, world: (home: string) => World, said: (home: string) => string])[] = [
  ['a variable', () => ({ env: { DTP_WORKSPACE_ID: 'w_2' } }), () => 'DTP_WORKSPACE_ID selects "w_2"'],
  [
    '.dtp.json',
    (home) => {
      mkdirSync(join(home, 'repository/sub'), { recursive: true });
      writeFileSync(join(home, 'repository/.dtp.json'), '{"workspace":"w_2"}');
      return { cwd: join(home, 'repository/sub') };
    },
    (home) => `${join(home, 'repository/.dtp.json')} selects "w_2"`,
  ],
  [
    'a profile',
    (home) => {
      mkdirSync(join(home, 'config'), { recursive: true });
      const profiles = { default: { workspace: 'w_2' } };
      writeFileSync(join(home, 'config/config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
      return {};
    },
    () => 'the workspace of profile default is "w_2"',
  ],
];

describe.each(sources)('%s that selects w_2', (_, worldOf, said) => {
  test.each(few.map((argv) => [argv.join(' '), argv] as const))('dtp %s', async (_line, argv) => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    const ended = await service.run(argv, { home, ...worldOf(home) });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(said(home));
    expect(service.asked).toEqual([validateRequestLine]);
  });

  test.each([
    [['ws', 'list'], ['GET /v1/workspaces']],
    [['orgs', 'get', 'org_1'], ['GET /v1/organization/org_1']],
    [['auth', 'user'], ['GET /v1/user']],
    [['ws', 'use', 'w_1'], []],
    [['auth', 'status', '-o', 'json'], [validateRequestLine]],
  ])('dtp %j works', async (argv, requests) => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    const ended = await service.run(argv, { home, ...worldOf(home) });
    expect([ended.code, service.asked], ended.stderr).toEqual([0, requests]);
  });
});

describe('the hint', () => {
  const hintOf = async (world: World, ...argv: string[]) => {
    const service = await twoWorkspaces();
    const env = { DTP_ERROR_FORMAT: 'json', ...world.env };
    const ended = await service.run(['ws', 'current', ...argv], { home: temporaryFolder(), ...world, env });
    const { error } = JSON.parse(ended.stderr.trim().split('\n').at(-1) ?? '');
    const next = (error.next ?? []).map(({ command }: { readonly command: string }) => command);
    return { ...error, next, address: service.address };
  };

  test('suggests a profile or an access token', async () => {
    const { code, exit_code, operation, attempts, hint, next, address } = await hintOf({}, '-w', 'w_2');
    expect([code, exit_code, operation, attempts]).toEqual(['usage', 2, 'getWorkspaceByContext', 0]);
    expect(hint).toBe(
      `This command uses the credential's workspace. Leave out -w to use "w_1". To use "w_2", use a profile for it, or set DTP_TOKEN to an access token for it and unset DTP_API_KEY:`,
    );
    expect(next).toEqual([
      `dtp auth login --profile NAME --base-url ${address}`,
      'dtp auth token -w w_2 -r --query access_token',
    ]);
  });

  test('suggests to unset a variable', async () => {
    const { hint } = await hintOf({ env: { DTP_WORKSPACE_ID: 'w_2' } });
    expect(hint).toContain('Unset DTP_WORKSPACE_ID to use "w_1".');
  });

  test('suggests to change a profile or a file', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'config'));
    const profiles = { default: { workspace: 'w_2' } };
    writeFileSync(join(home, 'config/config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
    const more = ' to use "w_1".';
    expect((await hintOf({ home })).hint).toContain(`Run dtp config unset workspace --profile default${more}`);
    const file = join(home, '.dtp.json');
    writeFileSync(file, '{"workspace":"w_2"}');
    expect((await hintOf({ home })).hint).toContain(`Remove workspace from ${file}${more}`);
  });

  test("-w '' overrides all other workspace settings", async () => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    writeFileSync(join(home, '.dtp.json'), '{"workspace":"w_2"}');
    const ended = await service.run(['ws', 'current', '-w', ''], { home, env: { DTP_WORKSPACE_ID: 'w_2' } });
    expect([ended.code, service.asked], ended.stderr).toEqual([0, ['GET /v1/workspace']]);
  });

  test('the embedded service ignores the workspace of a login', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'config'));
    const profiles = { default: { base_url: 'https://other.example.test', workspace: 'w_2' } };
    writeFileSync(join(home, 'config/config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
    const ended = await dtp(['--base-url', 'local:', 'ws', 'current'], { home });
    expect(ended.code, ended.stderr).toBe(0);
  });

  test('the embedded service has no login', async () => {
    const { hint, next } = await hintOf({}, '--profile', 'local', '-w', 'w_2');
    expect([hint, next]).toEqual([expect.stringMatching(/^This command uses .*Leave out -w to use "[\w-]+"\.$/), []]);
  });

  test('an access token for it is enough', async () => {
    const service = await twoWorkspaces();
    const env = { DTP_API_KEY: '', DTP_TOKEN: 't-2' };
    const ended = await service.run([...archive, '-w', 'w_2'], { home: temporaryFolder(), env });
    expect(ended.code, ended.stderr).toBe(0);
    expect(service.asked).toEqual([validateRequestLine, 'POST /v1/artifacts/namespaces/pets/archive']);
  });
});
