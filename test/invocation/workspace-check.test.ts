/** No operation acts on another workspace than the selected one, tested over a real socket. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { firsts } from '../support/subjects.ts';
import { asking, type Reply, twoWorkspaces } from '../support/two-workspaces.ts';

/** The operations whose path or query has the workspace, from the hand-typed list. */
const naming = new Set(
  readFileSync(new URL('../operations.tsv', import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
    .flatMap(([kind, id = '', ...rest]) => {
      if (kind === 'operation') return rest[1]?.includes('{workspace_id}') ? [id] : [];
      return kind === 'input' && rest[0] === 'workspace_id' && rest[1] === 'query' ? [id] : [];
    }),
);

/** The words of a row, with `-w w_2` instead of its workspace. */
function argvOf(words: readonly string[]): readonly string[] {
  const at = words.indexOf('-w');
  return [...(at < 0 ? words : words.toSpliced(at, 2)), '-w', 'w_2', '--yes', '-o', 'json'];
}

function homeWith(files: Readonly<Record<string, string>> = {}): string {
  const home = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  return home;
}

test('16 of the 77 operations have the workspace in their request', () => {
  expect([Object.keys(operations).length, firsts.length, naming.size]).toEqual([77, 77, 16]);
});

describe('with a key of w_1 and -w w_2', () => {
  test.each(firsts.map((row) => [row.id, row] as const))('%s', async (id, { argv, files = {}, reply }) => {
    const service = await twoWorkspaces((): Reply => [200, reply[1] ?? '{}']);
    const ended = await service.run(argvOf(argv), { home: homeWith(files) });
    if (naming.has(id)) {
      expect(service.asked.length, ended.stderr).toBeGreaterThan(0);
      for (const line of service.asked)
        expect(line).toMatch(/\/workspace\/w_2(\/|\?|$)|[?&]workspace_id=w_2(&|$)/);
      expect(ended.code, ended.stderr).toBe(0);
      return;
    }
    expect(service.asked).toEqual([asking]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('would act on workspace "w_1", not on "w_2" (from -w)');
  });

  test.each(firsts.filter(({ id }) => !naming.has(id)).map((row) => [row.id, row] as const))(
    '%s is sent if the key is of w_2',
    async (_, { argv, files = {}, reply, method, path }) => {
      const isToken = (line: string) => line.endsWith('/preflight') && path !== '/v1/artifacts/preflight';
      const service = await twoWorkspaces((line): Reply => {
        return [200, isToken(line) ? '{"auth_token":"t-1"}' : (reply[1] ?? '{}')];
      });
      const ended = await service.run(argvOf(argv), { home: homeWith(files), env: { DTP_API_KEY: 'k-2' } });
      expect(ended.code, ended.stderr).toBe(0);
      expect(service.asked[0]).toBe(asking);
      expect(service.asked.slice(1).filter((line) => !isToken(line))).toEqual([`${method} ${path}`]);
    },
  );
});

const archive = ['artifacts', 'namespaces', 'archive', 'pets', '--yes'];
const flags = ['ws', 'feature-flags', 'set', '--feature-flags', 'webhooks'];
const few = [archive, flags, ['ws', 'current'], ['auth', 'validate'], ['ws', 'list'], ['orgs', 'list']];

/** The sources that select w_2, and their names in errors. */
const sources: readonly (readonly [
  name: string,
  world: (home: string) => World,
  said: (home: string) => string,
])[] = [
  ['a variable', () => ({ env: { DTP_WORKSPACE_ID: 'w_2' } }), () => '(from DTP_WORKSPACE_ID)'],
  [
    '.dtp.json',
    (home) => {
      mkdirSync(join(home, 'repository/sub'), { recursive: true });
      writeFileSync(join(home, 'repository/.dtp.json'), '{"workspace":"w_2"}');
      return { cwd: join(home, 'repository/sub') };
    },
    (home) => `(from ${join(home, 'repository/.dtp.json')})`,
  ],
  [
    'a profile',
    (home) => {
      mkdirSync(join(home, 'config'), { recursive: true });
      const profiles = { default: { workspace: 'w_2' } };
      writeFileSync(join(home, 'config/config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
      return {};
    },
    () => '(from profile default)',
  ],
];

describe.each(sources)('%s that selects w_2', (_, worldOf, said) => {
  test.each(few.map((argv) => [argv.join(' '), argv] as const))('dtp %s', async (_line, argv) => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    const ended = await service.run(argv, { home, ...worldOf(home) });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(said(home));
    expect(service.asked).toEqual([asking]);
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
      `This command uses the credential's workspace. Leave out -w to act on "w_1". To act on "w_2", use a profile for it, or set DTP_TOKEN to an access token for it and unset DTP_API_KEY:`,
    );
    expect(next).toEqual([
      `dtp auth login --profile NAME --base-url ${address}`,
      'dtp auth token -w w_2 -r --query access_token',
    ]);
  });

  test('suggests to unset a variable', async () => {
    const { hint } = await hintOf({ env: { DTP_WORKSPACE_ID: 'w_2' } });
    expect(hint).toContain('Unset DTP_WORKSPACE_ID to act on "w_1".');
  });

  test('suggests to change a profile or a file', async () => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'config'));
    const profiles = { default: { workspace: 'w_2' } };
    writeFileSync(join(home, 'config/config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
    const more = ' to act on "w_1".';
    expect((await hintOf({ home })).hint).toContain(
      `Run dtp config unset workspace --profile default${more}`,
    );
    const file = join(home, '.dtp.json');
    writeFileSync(file, '{"workspace":"w_2"}');
    expect((await hintOf({ home })).hint).toContain(`Remove workspace from ${file}${more}`);
  });

  test("-w '' overrides all other workspace settings", async () => {
    const service = await twoWorkspaces();
    const home = temporaryFolder();
    writeFileSync(join(home, '.dtp.json'), '{"workspace":"w_2"}');
    const ended = await service.run(['ws', 'list', '-w', ''], { home, env: { DTP_WORKSPACE_ID: 'w_2' } });
    expect([ended.code, service.asked], ended.stderr).toEqual([0, ['GET /v1/workspaces']]);
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
    expect([hint, next]).toEqual([
      expect.stringMatching(/^This command uses .*Leave out -w to act on "[\w-]+"\.$/),
      [],
    ]);
  });

  test('an access token for it is enough', async () => {
    const service = await twoWorkspaces();
    const env = { DTP_API_KEY: '', DTP_TOKEN: 't-2' };
    const ended = await service.run([...archive, '-w', 'w_2'], { home: temporaryFolder(), env });
    expect(ended.code, ended.stderr).toBe(0);
    expect(service.asked).toEqual([asking, 'POST /v1/artifacts/namespaces/pets/archive']);
  });
});
