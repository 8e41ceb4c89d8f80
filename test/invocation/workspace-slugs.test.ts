/** The slugs of a profile are used for its credential and service. For any other credential the service is asked. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { dtp, temporaryFolder } from '../support/context.ts';
import { homeWithDocument, push, twoWorkspaces, validateRequestLine } from '../support/two-workspaces.ts';

const sha = `sha256:${'0'.repeat(64)}`;
const manifest = '/v1/oci/v2/{organization_slug}/{workspace_slug}/pets/manifests/v1';

/** The commands that need slugs. */
const commands: readonly (readonly string[])[] = [
  ['artifacts', 'manifests', 'get', 'pets', 'v1'],
  ['artifacts', 'blobs', 'get', 'pets', sha],
  ['artifacts', 'pull', 'pets:v1'],
  push,
  ['api', manifest],
  ['api', '-X', 'DELETE', manifest],
];

/** Answers requests for namespace tokens only. */
const open = () => twoWorkspaces((line) => [200, line.endsWith('/preflight') ? '{"auth_token":"t-1"}' : '{}']);

/** A home after a login with the key of w_1, which stored the slugs of its workspace. */
async function loggedIn() {
  const service = await open();
  const home = homeWithDocument();
  const env = { DTP_API_KEY: '', DTP_BASE_URL: '' };
  const login = ['auth', 'login', '--base-url', service.address, '--with-token'];
  expect((await service.run(login, { home, env, stdin: 'k-1' })).code).toBe(0);
  service.reset();
  const run = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    service.run(argv, { home, cwd: home, env: { ...env, ...more } });
  return { service, home, run };
}

/** The organization and workspace of each request for a manifest or a blob. */
const slugsIn = (asked: readonly string[]): readonly string[] =>
  asked.flatMap((line) => /\/v1\/oci\/v2\/([^/]+\/[^/]+)\//.exec(line)?.[1] ?? []);

describe.each(commands.map((argv) => [argv.join(' '), argv] as const))('dtp %s', (_, argv) => {
  test.each([
    ['a key, with -w', { DTP_API_KEY: 'k-2' }, ['-w', 'w_2']],
    ["a key, with -w ''", { DTP_API_KEY: 'k-2' }, ['-w', '']],
    ['a token, with -w', { DTP_TOKEN: 't-2' }, ['-w', 'w_2']],
    ['a key, with a variable', { DTP_API_KEY: 'k-2', DTP_WORKSPACE_ID: 'w_2' }, []],
  ])('of w_2 by %s', async (_name, env, more) => {
    const { service, run } = await loggedIn();
    const { stderr } = await run([...argv, ...more], env);
    expect(service.asked[0], stderr).toBe(validateRequestLine);
    expect(new Set(slugsIn(service.asked)), stderr).toEqual(new Set(['acme/slug-of-w_2']));
  });

  test('a key for another service', async () => {
    const { run } = await loggedIn();
    const other = await open();
    await run([...argv, '-w', 'w_2', '--base-url', other.address], { DTP_API_KEY: 'k-2' });
    expect(new Set(slugsIn(other.asked))).toEqual(new Set(['acme/slug-of-w_2']));
  });

  test("the profile's credential needs no request", async () => {
    const { service, run } = await loggedIn();
    await run(argv);
    expect(new Set(slugsIn(service.asked))).toEqual(new Set(['acme/slug-of-w_1']));
    expect(service.asked).not.toContain(validateRequestLine);
  });

  test('--profile overrides the variable, including the slugs', async () => {
    const { service, run } = await loggedIn();
    await run([...argv, '--profile', 'default'], { DTP_API_KEY: 'k-2' });
    expect(new Set(slugsIn(service.asked))).toEqual(new Set(['acme/slug-of-w_1']));
  });

  test('slugs from flags, and from a trusted .dtp.json, apply to any credential', async () => {
    const { service, home, run } = await loggedIn();
    writeFileSync(join(home, '.dtp.json'), '{"organization_slug":"mine"}');
    await run(['config', 'trust', '--yes']);
    await run([...argv, '-w', 'w_2', '--workspace-slug', 'shop'], { DTP_API_KEY: 'k-2' });
    expect(new Set(slugsIn(service.asked))).toEqual(new Set(['mine/shop']));
  });

  test.each([
    ['{"organization_slug":"theirs"}', 'organization_slug'],
    ['{"workspace_slug":"theirs"}', 'workspace_slug'],
    ['{"organization_slug":"theirs","workspace_slug":"theirs"}', 'organization_slug'],
  ])('an untrusted .dtp.json with %s stops the command', async (text, key) => {
    for (const [env, more] of [
      [{}, []],
      [{ DTP_API_KEY: 'k-2' }, ['-w', 'w_2']],
    ] as const) {
      const { service, home, run } = await loggedIn();
      writeFileSync(join(home, '.dtp.json'), text);
      const { code, stderr } = await run([...argv, ...more], env);
      expect([code, slugsIn(service.asked)], stderr).toEqual([3, []]);
      expect(stderr).toContain(`${key} comes from ${join(home, '.dtp.json')}, which is not trusted`);
      expect(stderr).toContain(`--${key.replace('_', '-')}`);
      expect(stderr).toContain('dtp config trust');
    }
  });

  test("an untrusted .dtp.json may repeat the credential's own slugs", async () => {
    const { service, home, run } = await loggedIn();
    writeFileSync(join(home, '.dtp.json'), '{"organization_slug":"acme","workspace_slug":"slug-of-w_2"}');
    await run([...argv, '-w', 'w_2'], { DTP_API_KEY: 'k-2' });
    expect(new Set(slugsIn(service.asked))).toEqual(new Set(['acme/slug-of-w_2']));
  });

  test('slugs that remain after a logout are ignored', async () => {
    const { service, run } = await loggedIn();
    await run(['auth', 'logout']);
    await run([...argv, '-w', 'w_2'], { DTP_API_KEY: 'k-2' });
    expect(new Set(slugsIn(service.asked))).toEqual(new Set(['acme/slug-of-w_2']));
  });
});

test('--dry-run never shows slugs of another workspace', async () => {
  const { service, run } = await loggedIn();
  const shown = await run([...(commands[0] ?? []), '-w', 'w_2', '--dry-run'], { DTP_API_KEY: 'k-2' });
  expect([shown.code, shown.stdout, service.asked]).toEqual([3, '', []]);
  expect(shown.stderr).toContain('Pass --organization-slug and --workspace-slug.');
});

test('the slugs of a profile with a credential_command are used', async () => {
  const service = await open();
  const home = temporaryFolder();
  mkdirSync(join(home, 'config'), { mode: 0o700 });
  const profile = {
    base_url: service.address,
    credential_command: 'vault read',
    organization_slug: 'acme',
    workspace_slug: 'shop',
  };
  writeFileSync(join(home, 'config/config.json'), JSON.stringify({ profiles: { default: profile } }), {
    mode: 0o600,
  });
  const env = { DTP_API_KEY: '', DTP_BASE_URL: '' };
  await service.run(['api', manifest], { home, env, exec: async () => 'k-2\n' });
  expect(slugsIn(service.asked)).toEqual(['acme/shop']);
});

describe('the command of dtp dev', () => {
  const dev = async (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    let seen: Readonly<Record<string, string | undefined>> | undefined;
    const spawn = async (child: { readonly env: NonNullable<typeof seen> }) => {
      seen = child.env;
      return 0;
    };
    const ended = await dtp(['dev', ...argv], { env, spawn });
    return { ...ended, seen };
  };

  test('gets the slugs of its service, whatever is exported', async () => {
    const { code, seen } = await dev(['--ephemeral', '--', 'true'], {
      DTP_WORKSPACE_SLUG: 'shop',
      DTP_ORGANIZATION_SLUG: 'acme',
    });
    expect(code).toBe(0);
    expect(seen).toMatchObject({ DTP_WORKSPACE_SLUG: 'default', DTP_ORGANIZATION_SLUG: 'local' });
  });

  test.each([
    [['x', 'y', '--', 'echo', 'hi'], 'pass the command of dtp dev after --'],
    [['--', 'echo', '--', 'hi'], undefined],
    [['x', '--', 'echo', '--', 'hi'], 'pass the command of dtp dev after --'],
    [['echo', 'hi'], 'pass the command of dtp dev after --'],
    [['--'], 'dtp dev needs a command'],
    [['--base-url', 'https://api.example.test', '--', 'true'], '--base-url has no effect here'],
    [['-w', 'w_1', '--', 'true'], '-w has no effect here'],
    [['-w', '', '--', 'true'], '-w has no effect here'],
    [['--workspace-slug', 'shop', '--', 'true'], '--workspace-slug has no effect here'],
    [['--organization-slug', 'acme', '--', 'true'], '--organization-slug has no effect here'],
    [['--', 'dtp', '-w', 'w_1'], undefined],
  ])('%j', async (argv, refused) => {
    const { code, stderr, seen } = await dev(['--ephemeral', ...argv]);
    expect([code, seen === undefined], stderr).toEqual([refused === undefined ? 0 : 2, refused !== undefined]);
    expect(stderr).toContain(refused ?? '');
  });

  test('dtp serve rejects a workspace too', async () => {
    const { code, stderr } = await dtp(['serve', '--ephemeral', '-w', 'w_1'], {
      signal: AbortSignal.abort(),
    });
    expect([code, stderr]).toEqual([2, expect.stringContaining('-w has no effect here')]);
  });
});
