/** Errors are text, unless the command line or a variable asks for JSON. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { trustFolderFile } from '../support/folder-file.ts';
import { service } from '../support/function-service.ts';
import { home } from '../support/process.ts';
import { hasScript, terminal } from '../support/terminal.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  NO_COLOR: '1',
};

/** A 404, a usage error before any setting is read, and one after. */
const failures = [
  { argv: ['ws', 'list'], code: 6 },
  { argv: ['ws', 'lst'], code: 2 },
  { argv: ['events', 'search', '--limit', 'many'], code: 2 },
];

interface Place {
  readonly file?: object | string;
  readonly stored?: object | string;
}

/** A home and a current folder with these files. */
function placed({ file, stored }: Place): World & { readonly home: string; readonly cwd: string } {
  const [at, cwd] = [temporaryFolder(), temporaryFolder()];
  const text = (value: object | string) => (typeof value === 'string' ? value : JSON.stringify(value));
  if (file !== undefined) writeFileSync(join(cwd, '.dtp.json'), text(file));
  if (stored !== undefined) {
    mkdirSync(join(at, 'config'), { mode: 0o700 });
    writeFileSync(join(at, 'config', 'config.json'), text(stored), { mode: 0o600 });
  }
  const { openSend } = service(() => [404, { message: 'gone' }]);
  return { home: at, cwd, openSend };
}

/** The format of each error, which must be on stderr once and alone. */
async function formatOf(place: Place, flags: readonly string[] = [], more: World = {}): Promise<string> {
  const found = new Set<string>();
  for (const { argv, code } of failures) {
    const at = placed(place);
    if (typeof place.file === 'object') await trustFolderFile(at.cwd, at.home);
    const ended = await dtp([...argv, ...flags], {
      ...at,
      ...more,
      env: { ...env, ...more.env },
    });
    expect({ code: ended.code, stdout: ended.stdout }, ended.stderr).toEqual({ code, stdout: '' });
    const json = ended.stderr.split('\n').filter((line) => line.startsWith('{"error":'));
    const text = ended.stderr.split('\n').filter((line) => line.startsWith('error: '));
    expect(json.length + text.length, ended.stderr).toBe(1);
    found.add(json.length === 1 ? 'json' : 'text');
  }
  expect(found.size).toBe(1);
  return [...found].join();
}

const profiles = (output: string) => ({
  current: 'mine',
  profiles: { mine: { output }, other: { output: 'json' } },
});

describe.each(['table', 'yaml', 'csv', 'json', 'ndjson'])('-o %s', (output) => {
  const asked = output === 'json' || output === 'ndjson' ? 'json' : 'text';

  test.each<[source: string, wanted: string, place: Place, flags: readonly string[], env: Record<string, string>]>([
    ['a flag', asked, {}, ['-o', output], {}],
    ['a variable', asked, {}, [], { DTP_OUTPUT: output }],
    ['.dtp.json', 'text', { file: { output } }, [], {}],
    ['the current profile', 'text', { stored: profiles(output) }, [], {}],
    ['a named profile', 'text', { stored: { profiles: { default: {}, mine: { output } } } }, ['--profile', 'mine'], {}],
    ['a profile of .dtp.json', 'text', { file: { profile: 'mine' }, stored: profiles(output) }, [], {}],
  ])('from %s', async (_, wanted, place, flags, more) => {
    expect(await formatOf(place, flags, { env: more })).toBe(wanted);
  });
});

test.each<[why: string, wanted: string, place: Place, flags: readonly string[], env: Record<string, string>]>([
  ['a variable overrides .dtp.json', 'json', { file: { output: 'table' } }, [], { DTP_OUTPUT: 'json' }],
  ['--json overrides a profile', 'json', { stored: profiles('table') }, ['--json'], {}],
  ['.dtp.json overrides a profile', 'text', { file: { output: 'table' }, stored: profiles('json') }, [], {}],
  ['--error-format overrides all', 'json', { file: { output: 'table' } }, ['--error-format', 'json'], {}],
  ['so does its variable', 'text', {}, [], { DTP_ERROR_FORMAT: 'text' }],
  ['a flag overrides a variable', 'text', {}, ['-o', 'table'], { DTP_OUTPUT: 'json' }],
  ['nothing is set', 'text', {}, [], {}],
  ['nothing is set in CI', 'text', {}, [], { CI: 'true' }],
  ['an agent runs the command', 'json', {}, ['--agent'], {}],
])('%s', async (_, wanted, place, flags, more) => {
  expect(await formatOf(place, flags, { env: more })).toBe(wanted);
});

test.each<[streams: string, wanted: string, world: World]>([
  ['stdout and stderr are terminals', 'text', { tty: true }],
  ['stdout is a pipe, stderr a terminal', 'text', { tty: true, piped: true }],
  ['both are pipes', 'text', {}],
])('%s', async (_, wanted, world) => {
  expect(await formatOf({}, [], world)).toBe(wanted);
  // The format of the result does not apply to the error there.
  if (world.tty) expect(await formatOf({}, ['-o', 'json'], world)).toBe('text');
  if (world.tty) expect(await formatOf({}, ['--error-format', 'json'], world)).toBe('json');
});

describe('settings that cannot be read', () => {
  const broken: readonly Place[] = [{ file: '{' }, { stored: '{' }, { file: { output: 'garbage' } }];

  test.each(broken)('%j: flags and variables still count, and the failure is reported once', async (place) => {
    for (const [flags, more, wanted] of [
      [['-o', 'table'], {}, 'text'],
      [[], { DTP_OUTPUT: 'json' }, 'json'],
      [['--error-format', 'json'], {}, 'json'],
      [[], {}, 'text'],
    ] as const) {
      const ended = await dtp(['ws', 'lst', ...flags], { ...placed(place), env: { ...env, ...more } });
      expect(ended.code).toBe(2);
      expect(ended.stderr.startsWith('{"error":') ? 'json' : 'text').toBe(wanted);
      expect(ended.stderr.match(/unknown command/g)).toHaveLength(1);
      expect(ended.stderr).not.toMatch(/warning|garbage|is not JSON/);
    }
  });

  const { folder, remove } = home();
  afterAll(remove);

  test('a deleted current folder', () => {
    const bin = resolve(import.meta.dirname, '../../bin/dtp.cjs');
    const run = (line: string) =>
      spawnSync('sh', ['-c', `mkdir gone && cd gone && rmdir ../gone && exec "$NODE" "$BIN" ${line}`], {
        cwd: folder,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: folder, NODE: process.execPath, BIN: bin },
      }).stderr;
    expect(run('ws list -o json')).toMatch(/^\{"error":\{"code":"config".*\}\n$/);
    expect(run('ws list')).toMatch(/^error: /);
  });
});

test('a file mode is reported once, by the command and not by its error', async () => {
  const world = placed({ stored: { profiles: { default: { output: 'table' } } } });
  chmodSync(join(world.home, 'config', 'config.json'), 0o644);
  const early = await dtp(['ws', 'lst'], { ...world, env });
  expect(early.stderr).not.toContain('warning');
  const ended = await dtp(['ws', 'list'], { ...world, env });
  expect(ended.stderr.match(/warning/g)).toHaveLength(1);
  expect(ended.stderr).toMatch(/^error: /m);
});

test.each([
  [{}, 'error: 500 from GET /v1/workspaces: the service is down\n  (request r-17)\n'],
  [{ tty: true, columns: 80 }, 'error: the service is down\n  (500 from GET /v1/workspaces, request r-17)\n'],
])('text has the id of the request: %j', async (world, text) => {
  const { openSend } = service(() => [500, { message: 'the service is down' }, { 'x-request-id': 'r-17' }]);
  const { code, stderr } = await dtp(['ws', 'list'], { env, openSend, ...world });
  expect([code, stderr.startsWith(text)], stderr).toEqual([10, true]);
});

describe.skipIf(!hasScript)('on a real terminal', () => {
  const { folder, remove } = home();
  afterAll(remove);

  test.each(['ws list | cat', 'ws lst | cat', 'ws list -o json | cat', '-o csv ws list > out'])(
    'dtp %s',
    async (line) => {
      const { screen } = await terminal(folder, line);
      expect(screen).toMatch(/error:.* (no base URL|unknown command)/);
      expect(screen).not.toContain('{"error"');
    },
  );

  test('dtp ws list 2> log: errors are JSON if the result is', async () => {
    const { screen } = await terminal(folder, 'ws list -o json 2> log; cat log');
    expect(screen).toContain('{"error":{"code":"config"');
  });
});
