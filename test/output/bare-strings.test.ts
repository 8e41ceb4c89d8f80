/** A single string has no quotes in a pipe, so that a shell can use it, unless JSON was requested. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Sender } from '../../src/transport/send.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { home } from '../support/process.ts';

const token = 'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.c2ln';
const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', ID: token };

/** Responses by the end of the path: a string or a list of records. */
const openSend = async (): Promise<Sender> => ({
  send: async ({ url }) => ({
    status: 200,
    headers: {},
    body: (async function* () {
      yield Buffer.from(
        url.endsWith('/target') ? 'sdk "ts"' : '[{"id":"w_1","n":7,"on":true,"none":null,"tags":["a","b"]}]',
      );
    })(),
  }),
  close: async () => undefined,
});

/** A home with a profile, and a current folder with settings. */
function placed(file: object, profile: object): World & { readonly home: string } {
  const [at, cwd] = [temporaryFolder(), temporaryFolder()];
  writeFileSync(join(cwd, '.dtp.json'), JSON.stringify(file));
  mkdirSync(join(at, 'config'), { mode: 0o700 });
  writeFileSync(
    join(at, 'config', 'config.json'),
    JSON.stringify({ profiles: { default: { workspace_slug: 'main', ...profile } } }),
    {
      mode: 0o600,
    },
  );
  return { home: at, cwd, openSend };
}

const strings: readonly (readonly [line: string, argv: readonly string[], value: string])[] = [
  ['config get', ['config', 'get', 'workspace_slug'], 'main'],
  ['auth oidc-token', ['auth', 'oidc-token', '--variable', 'ID'], token],
  ['publishing-tokens target', ['publishing-tokens', 'target', 'p_1'], 'sdk "ts"'],
  ['--query', ['ws', 'list', '--query', '[0].id'], 'w_1'],
  ['--query of tags', ['ws', 'list', '--query', '[0].tags[1]'], 'b'],
  ['api', ['api', '/v1/publishing-tokens/p_1/target'], 'sdk "ts"'],
  ['api --query', ['api', '/v1/workspaces', '--query', '[0].id'], 'w_1'],
];

test.each(strings)('%s: bare by default, JSON if requested', async (_, argv, value) => {
  const run = async (flags: readonly string[], more: Record<string, string> = {}, file = {}, profile = {}) => {
    const ended = await dtp([...argv, ...flags], { ...placed(file, profile), env: { ...env, ...more } });
    expect(ended.code, ended.stderr).toBe(0);
    return ended.stdout;
  };
  const quoted = `${JSON.stringify(value)}\n`;
  expect(await run([])).toBe(`${value}\n`);
  expect(await run(['-r'])).toBe(`${value}\n`);
  expect(await run(['-o', 'json'])).toBe(quoted);
  expect(await run(['--json'])).toBe(quoted);
  expect(await run([], { DTP_OUTPUT: 'json' })).toBe(quoted);
  expect(await run([], {}, { output: 'json' })).toBe(quoted);
  expect(await run([], {}, {}, { output: 'json' })).toBe(quoted);
  expect(await run(['-o', 'ndjson'])).toBe(quoted);
});

test('config path', async () => {
  const { home: at } = placed({}, {});
  const file = join(at, 'config', 'config.json');
  expect((await dtp(['config', 'path'], { home: at })).stdout).toBe(`${file}\n`);
  expect((await dtp(['config', 'path', '--json'], { home: at })).stdout).toBe(`${JSON.stringify(file)}\n`);
});

test('a file gets the same as a pipe', async () => {
  const world = placed({}, {});
  await dtp(['ws', 'list', '--query', '[0].id', '-O', 'id'], { ...world, env });
  expect(readFileSync(join(String(world.cwd), 'id'), 'utf8')).toBe('w_1\n');
  const onTerminal = await dtp(['ws', 'list', '--query', '[0].id', '-O', 'id2'], {
    ...world,
    env,
    tty: true,
  });
  expect(onTerminal.code).toBe(0);
  expect(readFileSync(join(String(world.cwd), 'id2'), 'utf8')).toBe('w_1\n');
});

test.each([
  ['[0].n', '7\n'],
  ['[0].on', 'true\n'],
  ['[0].none', 'null\n'],
  ['[0].tags', '[\n  "a",\n  "b"\n]\n'],
  ['[].id', '[\n  "w_1"\n]\n'],
])('--query %s stays JSON', async (query, shown) => {
  const ended = await dtp(['ws', 'list', '--query', query], { ...placed({}, {}), env });
  expect(ended.stdout).toBe(shown);
});

const { folder, remove } = home();
afterAll(remove);

test('a header is built from a token in a shell', () => {
  const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');
  const script = `printf 'authorization: Bearer %s|' "$("$NODE" "$BIN" auth oidc-token --variable ID)"
    cat "$("$NODE" "$BIN" config path)"`;
  mkdirSync(join(folder, 'config'));
  writeFileSync(join(folder, 'config', 'config.json'), '{"profiles":{}}', { mode: 0o600 });
  const { stdout } = spawnSync('sh', ['-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      DTP_CONFIG_DIR: join(folder, 'config'),
      NODE: process.execPath,
      BIN: bin,
      ID: token,
    },
  });
  expect(stdout).toBe(`authorization: Bearer ${token}|{"profiles":{}}`);
});
