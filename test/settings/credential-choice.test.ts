/** Which credential is used: a warning if two variables have one, or if it belongs to another workspace. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { unsettingLine } from '../../src/shell.ts';
import { temporaryFolder, type World } from '../support/context.ts';
import { env as doctorEnv, examined, reaching } from '../support/doctor.ts';
import { connectMcp } from '../support/mcp.ts';
import { twoWorkspaces, validateRequestLine } from '../support/two-workspaces.ts';

const key = { DTP_API_KEY: 'k-1' };
const token = { DTP_TOKEN: 't-2' };
const identifier = { DTP_WORKSPACE_IDENTIFIER: 'an-identifier' };
const values = ['k-1', 't-2', 'an-identifier'];

/** The warnings on stderr, which never contain a credential. */
function warningsIn(stderr: string): readonly string[] {
  for (const value of values) expect(stderr).not.toContain(value);
  return stderr.split('\n').filter((line) => line.startsWith('warning: using the credential from'));
}

const ignores = (used: string, ignored: string) => `warning: using the credential from ${used} and ignoring ${ignored}`;

describe('two variables with a credential', () => {
  test.each<readonly [Record<string, string>, readonly string[]]>([
    [{ ...key, ...token }, [ignores('DTP_API_KEY', 'DTP_TOKEN')]],
    [{ ...key, ...identifier }, [ignores('DTP_API_KEY', 'DTP_WORKSPACE_IDENTIFIER')]],
    [{ ...token, ...identifier, DTP_API_KEY: '' }, [ignores('DTP_TOKEN', 'DTP_WORKSPACE_IDENTIFIER')]],
    [{ ...key, ...token, ...identifier }, [ignores('DTP_API_KEY', 'DTP_TOKEN and DTP_WORKSPACE_IDENTIFIER')]],
    [key, []],
    [{ ...token, DTP_API_KEY: '' }, []],
    [{ ...key, DTP_TOKEN: ' ' }, []],
  ])('%j', async (env, warnings) => {
    const service = await twoWorkspaces(() => [200, '{"items":[]}']);
    for (const argv of [
      ['ws', 'list'],
      ['ws', 'list', '--dry-run'],
      ['ws', 'list', '--curl'],
      ['artifacts', 'namespaces', 'list', '-w', 'w_1'],
      ['artifacts', 'revisions', 'list', 'pets', '--all'],
      ['artifacts', 'manifests', 'get', 'pets', 'v1'],
      ['events', 'post', '--body', '{"id":"e","interaction_type":"CI_EXEC"}', '-w', 'w_1', '--no-queue'],
      ['api', '/v1/user'],
      ['auth', 'status'],
    ]) {
      const { stderr } = await service.run(argv, { home: temporaryFolder(), env });
      expect([argv, warningsIn(stderr)]).toEqual([argv, warnings]);
    }
  });

  test.each([
    ['what needs none', ['auth', 'token', '-w', 'w_1'], {}],
    ['the embedded service', ['ws', 'list', '--profile', 'local'], {}],
    ['a local command', ['config', 'path'], {}],
    ['a completion', ['__complete', 'workspaces', '--fresh'], {}],
  ] as const)('no warning of %s', async (_, argv, env) => {
    const service = await twoWorkspaces();
    const { stderr } = await service.run(argv, {
      home: temporaryFolder(),
      env: { ...key, ...token, ...env },
    });
    expect(warningsIn(stderr)).toEqual([]);
  });

  test('--profile overrides both', async () => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    const login = ['auth', 'login', '--profile', 'mine', '--base-url', service.address, '--with-token'];
    await service.run(login, { home, stdin: 'k-2', env: { DTP_API_KEY: '' } });
    const world = { home, env: { ...key, ...token } };
    const named = await service.run(['auth', 'status', '--profile', 'mine'], world);
    expect(warningsIn(named.stderr)).toEqual([]);
    expect(JSON.parse(named.stdout)).toMatchObject({
      credential_source: 'profile mine',
      ignored_credentials: [],
      workspace_id: 'w_2',
    });
    expect(warningsIn((await service.run(['auth', 'status'], world)).stderr)).toHaveLength(1);
  });

  test('status, config explain and doctor show it', async () => {
    const service = await twoWorkspaces();
    const world = { home: temporaryFolder(), env: { ...key, ...token } };
    const status = await service.run(['auth', 'status'], world);
    expect(JSON.parse(status.stdout)).toMatchObject({
      credential_source: 'DTP_API_KEY',
      ignored_credentials: ['DTP_TOKEN'],
    });
    const explained = await service.run(['config', 'explain'], world);
    expect(JSON.parse(explained.stdout).slice(-2)).toEqual([
      { setting: 'credential', value: '***', source: 'DTP_API_KEY' },
      { setting: 'ignored_credential', value: '***', source: 'DTP_TOKEN' },
    ]);
    const { of, mend } = await examined([], { env: { ...doctorEnv, ...token }, ...reaching().world });
    expect([of('credential-source'), mend('credential-source')]).toEqual([
      'warn: using the credential from DTP_API_KEY and ignoring DTP_TOKEN',
      unsettingLine(['DTP_TOKEN']),
    ]);
  });

  test('dtp mcp warns once', async () => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    const env = { DTP_BASE_URL: service.address, ...key, ...token };
    const server = await connectMcp(home, ['mcp'], { env });
    onTestFinished(server.close);
    // Operations with different time-outs use separate connections.
    await server.call('auth_user', {});
    await server.call('suggest_items', { body: { items: ['a'], prompt: 'p' } });
    expect(service.asked).toEqual(['GET /v1/user', 'POST /v1/suggest/items']);
    expect(warningsIn(server.stderr())).toEqual([ignores('DTP_API_KEY', 'DTP_TOKEN')]);
  });
});

describe('a workspace that the credential does not belong to', () => {
  const differ = 'the credential belongs to workspace "w_1", but DTP_WORKSPACE_ID selects "w_2"';
  const named = { env: { DTP_WORKSPACE_ID: 'w_2' } } satisfies World;

  test('auth status shows both', async () => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    const json = await service.run(['auth', 'status'], { home, ...named });
    expect(json.code).toBe(0);
    expect(JSON.parse(json.stdout)).toMatchObject({
      workspace_id: 'w_1',
      named_workspace_id: 'w_2',
      named_workspace_source: 'DTP_WORKSPACE_ID',
      workspaces_differ: true,
    });
    expect(json.stderr).toContain(`warning: ${differ}`);
    const table = await service.run(['auth', 'status', '-o', 'table'], { home, ...named });
    for (const line of [/^workspace_id +w_1$/m, /^named_workspace_id +w_2$/m, /^workspaces_differ +yes$/m])
      expect(table.stdout).toMatch(line);
    expect(service.asked).toEqual([validateRequestLine, validateRequestLine]);

    for (const [argv, id] of [
      [['-w', 'w_1'], 'w_1'],
      [[], null],
    ] as const) {
      const same = await service.run(['auth', 'status', ...argv], { home });
      expect(JSON.parse(same.stdout)).toMatchObject({ named_workspace_id: id, workspaces_differ: false });
      expect(same.stderr).toBe('');
    }
  });

  test('doctor reports it with a fix and skips the access check', async () => {
    const answers = { '/v1/auth/validate': [200, { workspace_id: 'w_1' }] } as const;
    const { world, sent } = reaching(answers);
    const other = await examined([], { env: { ...doctorEnv, DTP_WORKSPACE_ID: 'w_2' }, ...world });
    expect([other.code, other.of('workspace'), other.mend('workspace')]).toEqual([
      0,
      `warn: ${differ}, so commands that use the credential's workspace exit with 2. Others, such as dtp events post, act on "w_2"`,
      'Unset DTP_WORKSPACE_ID, or use a profile for "w_2": dtp auth login --profile NAME --base-url https://api.example.test',
    ]);
    expect(other.of('access')).toMatch(/^skip: /);
    expect(sent).toHaveLength(1);

    const unset =
      'warn: no workspace is set, which commands such as dtp events post need; the credential belongs to w_1';
    const rows: readonly [readonly string[], Record<string, string>, string, string?][] = [
      [[], { DTP_WORKSPACE_ID: 'w_1' }, 'ok: w_1, which matches the credential (DTP_WORKSPACE_ID)'],
      [['-w', ''], {}, 'ok: w_1, from the credential'],
      [[], {}, unset, 'dtp config set workspace w_1'],
      [[], { CI: '1' }, unset, 'Set DTP_WORKSPACE_ID to w_1.'],
    ];
    for (const [argv, more, row, fix] of rows) {
      const found = await examined(argv, { env: { ...doctorEnv, ...more }, ...world });
      expect([found.of('workspace'), found.mend('workspace')]).toEqual([row, fix]);
      expect(found.of('access'), 'it needs no selected workspace').toMatch(/^(ok|warn|fail): /);
    }
    const silent = reaching().world;
    const unknown = await examined([], { env: { ...doctorEnv, DTP_WORKSPACE_ID: 'w_2' }, ...silent });
    expect(unknown.of('workspace')).toMatch(/^skip: /);
  });

  test('a login works and warns about it', async () => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    const login = ['auth', 'login', '--base-url', service.address, '--with-token'];
    const run = (argv: readonly string[], env = {}) =>
      service.run([...login, ...argv], { home, stdin: 'k-1', env: { DTP_API_KEY: '', ...env } });
    const stored = () => JSON.parse(readFileSync(join(home, 'config/config.json'), 'utf8')).profiles.default;
    const flagged = await run(['-w', 'w_2']);
    expect(flagged.code).toBe(0);
    expect(flagged.stderr).toContain('but -w selects "w_2"');
    expect(stored()).toMatchObject({ workspace: 'w_2', credential_workspace: 'w_1' });
    const again = await run([]);
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining('warning')]);
    expect(stored()).toMatchObject({ workspace: 'w_1', credential_workspace: 'w_1' });
    const exported = await run([], named.env);
    expect(exported.stderr).toContain(`warning: ${differ}`);
    writeFileSync(join(home, '.dtp.json'), '{"workspace":"w_2"}');
    expect((await run([])).stderr).toContain(`${join(home, '.dtp.json')} selects "w_2"`);
  });
});
