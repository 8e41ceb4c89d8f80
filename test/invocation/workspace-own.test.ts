/** `-w ''` selects the credential's workspace. A workspace that may itself be the credential is not shown. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../support/context.ts';
import { twoWorkspaces, validateRequestLine } from '../support/two-workspaces.ts';

const get = 'GET /v1/workspace/w_2';

describe("-w ''", () => {
  /** A home with a login with the key of w_2. */
  const loggedIn = async () => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    const env = { DTP_API_KEY: '', DTP_BASE_URL: '' };
    const login = ['auth', 'login', '--base-url', service.address, '--with-token'];
    await service.run(login, { home, env, stdin: 'k-2' });
    service.reset();
    return { service, home, env };
  };

  test.each([[['ws', 'get']], [['api', '/v1/workspace/{workspace_id}']]])(
    '%j uses the workspace of the stored credential without a request',
    async (argv) => {
      const { service, home, env } = await loggedIn();
      const ended = await service.run([...argv, '-w', ''], {
        home,
        env: { ...env, DTP_WORKSPACE_ID: 'w_1' },
      });
      expect([ended.code, service.asked], ended.stderr).toEqual([0, [get]]);
    },
  );

  test('for a variable, the service is asked once, but not for --dry-run', async () => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    const run = async (...more: string[]) => {
      service.reset();
      const { code } = await service.run(['ws', 'get', '-w', '', ...more], {
        home,
        env: { DTP_API_KEY: 'k-2' },
      });
      return [code, ...service.asked];
    };
    expect(await run('--dry-run')).toEqual([3]);
    expect(await run()).toEqual([0, validateRequestLine, get]);
    expect(await run()).toEqual([0, get]);
    expect(await run('--dry-run')).toEqual([0]);
  });

  test('the error for a response without a workspace says why the service was asked', async () => {
    const service = await twoWorkspaces(undefined, () => [503, '{}']);
    const ended = await service.run(['ws', 'get', '-w', ''], { home: temporaryFolder() });
    expect([ended.code, service.asked]).toEqual([10, [validateRequestLine]]);
    expect(ended.stderr).toContain("With -w '', dtp first asks the service which workspace");
  });

  test('events are posted to it', async () => {
    const { service, home, env } = await loggedIn();
    const ended = await service.run(['events', 'post', '--id', 'e', '-w', ''], { home, env });
    expect([ended.code, service.asked], ended.stderr).toEqual([0, ['POST /v1/workspace/w_2/events']]);
  });

  test('an empty variable counts as unset, and the help does not say otherwise', async () => {
    const { service, home, env } = await loggedIn();
    const ended = await service.run(['ws', 'current'], { home, env: { ...env, DTP_WORKSPACE_ID: '' } });
    expect(ended.code, ended.stderr).toBe(0);
    const help = (await dtp(['help', 'environment'])).stdout;
    expect(help).toContain('An empty variable counts as not set.');
    expect(help.slice(help.indexOf('DTP_BASE_URL'))).not.toContain("''");
    const flags = (await dtp(['ws', 'get', '--help'])).stdout.replace(/\s+/g, ' ');
    expect(flags).toMatch(/id, name or slug; '' for the\s+credential's own workspace/);
  });
});

describe('a workspace identifier that is the id of its workspace', () => {
  const id = '5f1d7a0e-workspace';
  const open = () =>
    twoWorkspaces(undefined, () => [200, JSON.stringify({ workspace_id: id, org_slug: 'a', workspace_slug: 'b' })]);

  test.each(['text', 'json'])('is not shown in an error as %s', async (format) => {
    const service = await open();
    const home = temporaryFolder();
    const env = { DTP_API_KEY: '', DTP_WORKSPACE_IDENTIFIER: id, DTP_ERROR_FORMAT: format };
    for (const argv of [
      ['ws', 'current'],
      ['artifacts', 'namespaces', 'archive', 'pets', '--yes'],
    ]) {
      const ended = await service.run([...argv, '-w', 'w_2'], { home, env });
      expect([ended.code, ended.stdout]).toEqual([2, '']);
      expect(ended.stderr).not.toContain(id);
      expect(ended.stderr).toMatch(/belongs to another workspace, but -w selects \\?"w_2\\?"/);
    }
    expect(existsSync(join(home, 'state/workspaces'))).toBe(false);
  });

  test('is not shown after a login either', async () => {
    const service = await open();
    const home = temporaryFolder();
    const env = { DTP_API_KEY: '', DTP_BASE_URL: '' };
    const login = ['auth', 'login', '--base-url', service.address, '--with-token'];
    await service.run([...login, '--scheme', 'workspace-identifier'], { home, env, stdin: id });
    for (const more of [[], ['--dry-run']]) {
      const ended = await service.run(['ws', 'current', '-w', 'w_2', ...more], { home, env });
      expect([ended.code, ended.stderr.includes(id)], ended.stderr).toEqual([2, false]);
    }
  });
});

test('without a sent request there are no attempts', async () => {
  const service = await twoWorkspaces();
  const home = temporaryFolder();
  const env = { DTP_API_KEY: '', DTP_BASE_URL: '', DTP_ERROR_FORMAT: 'json' };
  await service.run(['auth', 'login', '--base-url', service.address, '--with-token'], {
    home,
    env,
    stdin: 'k-2',
  });
  const other = await twoWorkspaces();
  for (const argv of [
    ['ws', 'list'],
    ['auth', 'access'],
    ['ws', 'list', '--retry', '3'],
  ]) {
    const ended = await service.run([...argv, '--base-url', other.address], { home, env });
    expect(JSON.parse(ended.stderr).error).toMatchObject({ code: 'auth', attempts: 0 });
  }
  expect(other.asked).toEqual([]);
});
