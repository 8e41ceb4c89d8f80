/** Names in prompts, dry runs, tools of agents and local commands. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../support/context.ts';
import { rememberAll } from '../support/known-workspaces.ts';
import { connectMcp } from '../support/mcp.ts';
import { ids, inOwn, namedService } from '../support/named-service.ts';
import { hasScript, terminal } from '../support/terminal.ts';

const service = namedService();
const { run } = service;

test('without a terminal, a deletion asks for --yes before it lists anything', async () => {
  const { code, asked } = await run(['ws', 'tokens', 'delete', 'deploy'], inOwn);
  expect([code, asked]).toEqual([2, []]);
});

describe.skipIf(!hasScript)('on a terminal', () => {
  const onTerminal = async (line: string, typed: readonly (readonly [string, string])[]) => {
    const folder = temporaryFolder();
    const env = { DTP_BASE_URL: service.address(), DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: ids.own };
    await rememberAll(join(folder, 'state'), env, ids.own);
    const options = { env: { ...env, NO_COLOR: '1' }, typed, columns: 120 };
    return service.during(() => terminal(folder, line, options));
  };

  test('the question names the thing, and no is not an error', async () => {
    const { code, screen, asked } = await onTerminal('ws tokens delete deploy', [['(y/N)', 'n\r']]);
    expect([code, asked]).toEqual([15, [`GET /v1/workspace/${ids.own}/tokens`]]);
    expect(screen).toMatch(/Delete token "deploy" \(\w{8}\)\? Programs that use it lose access at once\./);
    expect(screen).toContain('This cannot be undone. (y/N)');
    expect(screen).toMatch(/Cancelled\. Nothing was changed\.\n$/);
    expect(screen).not.toContain('error');
  });

  test('yes acts on the thing that was named', async () => {
    const { code, asked } = await onTerminal('ws tokens delete deploy', [['(y/N)', 'y\r']]);
    expect([code, asked]).toEqual([
      0,
      [`GET /v1/workspace/${ids.own}/tokens`, `DELETE /v1/workspace/${ids.own}/tokens/${ids.petstore}`],
    ]);
  });

  test('the question names what was chosen from a list', async () => {
    const { screen } = await onTerminal('ws tokens delete', [
      ['Which token?', '\r'],
      ['(y/N)', 'n\r'],
    ]);
    expect(screen).toContain(`Delete token "deploy" (${ids.petstore.slice(0, 8)})?`);
  });

  test.each([
    ['webhooks', 0],
    ['orgs add-ons', 15],
    ['y', 15],
  ])('what costs money is confirmed by its name: %s', async (typed, code) => {
    const ended = await onTerminal('orgs add-ons delete webhooks', [['to confirm', `${typed}\r`]]);
    expect([ended.code, ended.asked.length]).toEqual([code, code === 0 ? 1 : 0]);
    expect(ended.screen).toContain('Cancel add-on "webhooks"? This cannot be undone.');
    expect(ended.screen.includes(`Cancelled.\n  "${typed}" is not "webhooks".\n`)).toBe(code !== 0);
  });

  test('a purchase for the organization is confirmed by its slug', async () => {
    const ended = await onTerminal('orgs free-trial create', [['to confirm', 'acme\r']]);
    expect([ended.code, ended.asked.at(-1)]).toEqual([0, 'POST /v1/organization/free_trial']);
    expect(ended.screen).toContain('Start the free trial of organization "acme"?');
  });

  test('without a known organization, it is confirmed by the host of the service', async () => {
    service.break('/v1/auth/validate', 500);
    const { host } = new URL(service.address());
    const ended = await onTerminal('orgs free-trial create', [['confirm:', `${host}\r`]]);
    expect([ended.code, ended.asked.at(-1)]).toEqual([0, 'POST /v1/organization/free_trial']);
    expect(ended.screen).toContain(`Start the free trial of the organization at ${host}?`);
  });
});

test('--dry-run and --curl send nothing, and say what would be looked up', async () => {
  const argv = ['ws', 'tokens', 'delete', 'deploy', '-w', 'petstore'];
  const dry = await run([...argv, '--dry-run', '-o', 'json']);
  expect([dry.code, dry.asked]).toEqual([0, []]);
  expect(JSON.parse(dry.stdout).url).toBe(`${service.address()}/v1/workspace/petstore/tokens/deploy`);
  const curl = await run([...argv, '--curl']);
  expect([curl.code, curl.asked]).toEqual([0, []]);
  for (const { stderr } of [dry, curl]) {
    expect(stderr).toContain('"petstore" as given. To send it, dtp would first look up this name, with dtp ws list\n');
    expect(stderr).toContain(
      '"deploy" as given. To send it, dtp would first look up this name, with dtp ws tokens list\n',
    );
  }
  const plain = await run(['ws', 'tokens', 'delete', 'tok_4f9a', '-w', ids.own, '--dry-run']);
  expect(plain.stderr).toBe('');
});

test('no error shows the key of a token in a list', async () => {
  for (const name of ['ci', 'deplyo', '333333'])
    expect((await run(['ws', 'tokens', 'delete', name, '--yes'], inOwn)).stderr).not.toContain('s3cret');
});

test('a tool of an agent accepts a name, and looks it up again in each call', async () => {
  const folder = temporaryFolder();
  const env = { DTP_BASE_URL: service.address(), DTP_API_KEY: 'k-1', DTP_WORKSPACE_ID: ids.own };
  await rememberAll(join(folder, 'state'), env, ids.own);
  const server = await connectMcp(folder, ['mcp', '--allow-writes'], { cwd: folder, env });
  try {
    const before = service.requests().length;
    const get = () => server.call('publishing_tokens_get', { tokenID: 'ci' });
    expect([(await get()).isError, (await get()).isError]).toEqual([false, false]);
    await server.call('ws_get', { workspace_id: 'petstore' });
    await server.call('ws_get', { workspace_id: 'petstore' });
    const removed = await server.call('ws_tokens_delete', { tokenID: 'deploy', confirm: 'deploy' });
    expect(removed.isError).toBe(false);
    const one = ['GET /v1/publishing-tokens', `GET /v1/publishing-tokens/${ids.twin}`];
    const workspace = ['GET /v1/workspaces', `GET /v1/workspace/${ids.petstore}`];
    const asked = service.requests().slice(before);
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      ...one,
      ...one,
      ...workspace,
      ...workspace,
      `GET /v1/workspace/${ids.own}/tokens`,
      `DELETE /v1/workspace/${ids.own}/tokens/${ids.petstore}`,
    ]);
    const sent = async (tool: string, input: Record<string, unknown>) => {
      await server.call(tool, input);
      const { path = '', body = '' } = service.requests().at(-1) ?? {};
      return decodeURIComponent(path) + body;
    };
    // What nothing has as its name is sent as it was passed, also the beginning of an id, and also in a body.
    for (const id of ['acme-id', 'user@host', '33333333', 'x'.repeat(200)])
      for (const status of [200, 403, 500]) {
        if (status !== 200) service.break('/v1/publishing-tokens', status);
        expect(await sent('publishing_tokens_get', { tokenID: id })).toBe(`/v1/publishing-tokens/${id}`);
      }
    const created = { name: 'n', slug: 'n' };
    expect(await sent('ws_create', { body: { ...created, organization_id: 'acme' } })).toContain(
      '"organization_id":"acme"',
    );
    expect(await sent('ws_create', { ...created, organization_id: 'acme' })).toContain(
      `"organization_id":"${ids.other}"`,
    );
    expect(await sent('events_list', { target_id: '33333333' })).toMatch(/\/targets\/33333333\/events$/);
    const unsure = await server.call('ws_tokens_delete', { tokenID: 'ci', confirm: 'ci' });
    expect(unsure.value).toMatchObject({ code: 'usage', message: '"ci" matches 2 tokens' });
  } finally {
    await server.close();
  }
});

test('ws use stores the id', async () => {
  const home = temporaryFolder();
  const env = { DTP_CONFIG_DIR: join(home, 'config') };
  const stored = () => JSON.parse(readFileSync(join(home, 'config', 'config.json'), 'utf8')).profiles.default;
  const named = await run(['ws', 'use', 'petstore'], { home, env });
  expect([named.code, named.asked, stored()]).toEqual([0, ['GET /v1/workspaces'], { workspace: ids.petstore }]);
  expect(named.stderr).toContain('the workspace of profile default is now petstore (22222222)\n');
  expect(named.stderr).toContain(`warning: the credential is for workspace ${ids.own.slice(0, 8)}. Commands that`);
  const id = randomUUID();
  const given = await run(['ws', 'use', id], { home, env });
  expect([given.code, given.asked, stored()]).toEqual([0, [], { workspace: id }]);
  service.break('/v1/workspace/petstor', 404);
  const unknown = await run(['ws', 'use', 'petstor'], { home, env });
  expect([unknown.code, stored()]).toEqual([6, { workspace: id }]);
  expect(unknown.stderr).toContain('try: dtp ws use petstore\n  try: dtp ws list\n');
  service.break('/v1/workspace/acme-prod', 403);
  const unlisted = await run(['ws', 'use', 'acme-prod'], { home, env });
  expect([unlisted.code, stored()]).toEqual([0, { workspace: 'acme-prod' }]);
});

test('ws use on the profile local says to pass -w, which works', async () => {
  const home = temporaryFolder();
  const refused = await dtp(['--profile', 'local', 'ws', 'use', 'default'], { home });
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('Pass -w default to each command instead.'),
  ]);
  for (const command of [
    ['ws', 'get'],
    ['ws', 'current'],
  ])
    expect((await dtp(['--profile', 'local', ...command, '-w', 'default'], { home })).code).toBe(0);
});

describe('the selected workspace is compared as commands do', () => {
  const selections: readonly (readonly [string[], Record<string, string>, boolean])[] = [
    [['-w', 'own'], {}, false],
    [['-w', 'Own'], {}, false],
    [['-w', ids.own], {}, false],
    [['-w', 'Pet Store'], {}, true],
    [['-w', 'twice'], {}, true],
    [['-w', 'unknown'], {}, true],
    [['-w', ids.petstore], {}, true],
    [[], { DTP_WORKSPACE_ID: ids.own }, false],
    [[], { DTP_WORKSPACE_ID: 'own' }, true],
    [[], { DTP_WORKSPACE_ID: 'Own' }, true],
  ];

  test.each(selections)('%j %j: it differs: %s', async (argv, env, differs) => {
    expect((await run(['ws', 'current', ...argv], { env })).code).toBe(differs ? 2 : 0);
    const status = await run(['auth', 'status', ...argv, '-o', 'json'], { env });
    expect(JSON.parse(status.stdout)).toMatchObject({ workspaces_differ: differs });
    const warns = (stderr: string) => stderr.includes("credential's workspace exit with 2");
    expect(warns(status.stderr), status.stderr).toBe(differs);
    const doctor = await run(['doctor', ...argv, '-o', 'json'], { env });
    const checks: readonly { check: string; status: string }[] = JSON.parse(doctor.stdout);
    expect(checks.find(({ check }) => check === 'workspace')?.status === 'ok').toBe(!differs);
    const home = temporaryFolder();
    const login = ['auth', 'login', '--with-token', ...argv];
    const { code, stderr } = await run(login, { home, stdin: 'k-1', env: { DTP_API_KEY: '', ...env } });
    expect([code, warns(stderr)], stderr).toEqual([0, differs]);
    const stored = JSON.parse(readFileSync(join(home, 'config', 'config.json'), 'utf8')).profiles.default;
    expect(stored.workspace).toBe(differs && argv[1] !== undefined ? argv[1] : ids.own);
  });
});

describe('ws use without an argument', () => {
  test.each([{}, { tty: true, env: { CI: '1' } }])('is an error if nobody can answer: %j', async (world) => {
    const { code, asked, stderr } = await run(['ws', 'use'], { ...world, home: temporaryFolder() });
    expect([code, asked]).toEqual([2, []]);
    expect(stderr).toMatch(/missing argument: WORKSPACE\n.*\n.*try: .*dtp ws list/);
  });

  test.skipIf(!hasScript)('offers the workspaces on a terminal, and starts at the current one', async () => {
    const home = temporaryFolder();
    const env = { DTP_BASE_URL: service.address(), DTP_API_KEY: 'k-1', NO_COLOR: '1' };
    const use = (term: string, answer: string) =>
      terminal(home, 'ws use', { env: { ...env, TERM: term }, typed: [['Which workspace?', answer]] });
    const file = join(home, 'config', 'config.json');
    const stored = () => JSON.parse(readFileSync(file, 'utf8')).profiles.default.workspace;
    const numbered = await use('dumb', '2\r');
    expect([numbered.code, stored()]).toEqual([0, ids.petstore]);
    expect(numbered.screen).toContain(`2. Pet Store (${ids.petstore})\n`);
    expect(numbered.screen).toContain(`Running: dtp ws use ${ids.petstore}\n`);
    expect(numbered.screen).toMatch(/^ok: The workspace of profile default is now Pet Store \(2{8}\)$/m);
    const again = await use('dumb', 'Own\r');
    expect(again.screen).toContain(`2. Pet Store (${ids.petstore}, current)\n`);
    expect(stored()).toBe(ids.own);
    const picked = await use('xterm-256color', '\u001b[B\r');
    expect(picked.screen).toContain('Own (current)');
    expect(stored()).toBe(ids.petstore);
    const kept = await use('xterm-256color', '\r');
    expect([kept.code, stored()]).toEqual([0, ids.petstore]);
  });
});
