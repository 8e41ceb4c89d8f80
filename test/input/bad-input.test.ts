/** Invalid input is reported before anything is sent: with the exit code, the field and the fix. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { operations } from '../../src/operations/index.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { argumentsOf } from '../../src/tree/operation-flags.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ERROR_FORMAT: 'text',
};

/** Runs a command that must exit with `code`, print nothing to stdout and send nothing. */
async function refused(argv: readonly string[], code: number, world: World = {}): Promise<string> {
  const sent: string[] = [];
  const ended = await dtp(argv, {
    ...world,
    env: { ...env, ...world.env },
    openSend: async () => ({
      send: async (request) => {
        sent.push(request.url);
        throw new Error('sent');
      },
      close: async () => undefined,
    }),
  });
  expect({ code: ended.code, stdout: ended.stdout, sent }, ended.stderr).toEqual({
    code,
    stdout: '',
    sent: [],
  });
  return ended.stderr;
}

test.each([
  [['auth', 'token', '-w', ' '], '--workspace'],
  [['code-samples', 'get'], 'missing flag: --registry-url'],
  [['codehost', 'setup', 'get', '--org', 'o', '--repo', 'r'], 'missing flag: --lock-id'],
  [['events', 'search', '--limit', 'many'], '--limit must be a whole number'],
  [['events', 'search', '--limit', '1.5'], '--limit must be a whole number'],
  [['events', 'search', '--limit', ''], '--limit must be a whole number'],
  [['events', 'search', '--limit', '99999999999999999999'], '--limit must be a whole number'],
  [['events', 'search', '--limit', '--success'], 'needs a value'],
  [['events', 'search', '--limit'], 'needs a value'],
  [['events', 'list', 't', '--after-created-at', '1x'], '--since must be a time such as 1h'],
  [['events', 'list', 't', '--after-created-at', '2026-02-30T00:00:00Z'], '--since must be a time such as 1h'],
  [['events', 'list', 't', '--after-created-at', '01/02/2027'], '--since must be a time such as 1h'],
  [['events', 'post'], 'missing flag: --type'],
  [['events', 'post', '--body', '{"a":'], '--body is not valid JSON'],
  [['events', 'post', '--body', 'hello'], '--body is not valid JSON or YAML'],
  [['events', 'post', '--body', ''], '--body is empty'],
  [['events', 'post', '--body', '{"a": tru}'], '--body is not valid JSON'],
  [
    ['ws', 'create', '--body', '{"a":"1234567890123456789","n":12345678901234567890}'],
    '12345678901234567890 cannot be represented exactly',
  ],
  [['events', 'post', '--body', '[{"id":"e_1"},2]'], '--body: element 2 (line 1) is 2, not a JSON object'],
  [['ws', 'create', '--body', '[1]'], '--body must be a JSON object'],
  [['ws', 'create', '--body', '5'], '--body must be a JSON object'],
  [['ws', 'list', '-O', 'no/such/folder/file'], 'its folder does not exist'],
  [['ws', 'list', '-O', '.'], 'it is a folder'],
  [['auth', 'login', '--token=hunter22'], 'dtp auth login has no flag --token'],
  [['ws', 'list', '--proxy', 'socks5://proxy.test'], '--proxy must be an http: or https: URL'],
  [['events', 'post', '--body', '@nowhere.json'], '--body: file not found: nowhere.json'],
  [['events', 'post', '--body', '@.'], '--body: . is a folder'],
  [['publishing-tokens', 'create', '--target-id', 't'], 'missing flags: --target-resource, --valid-until and --name'],
  [['publishing-tokens', 'update', 't', '--valid-until', 'soon'], '--valid-until must be a time such as 90d'],
  [['publishing-tokens', 'update', 't', '--body', '{"valid_until":5}'], '--valid-until must be a date and time'],
  [['publishing-tokens', 'update', 't', '--body', '[1]'], '--body must be a JSON object'],
  [['reports', 'upload', '--type', 'linting'], 'missing argument: FILE'],
  [['reports', 'upload', '--type', 'linting', '--file', 'gone.html'], 'FILE: file not found: gone.html'],
  [['reports', 'upload', '--file', 'gone.html'], 'FILE: file not found: gone.html'],
  [['code-samples', 'preview'], 'missing: FILE and --language'],
  [['code-samples', 'preview', '--body', '{"color":"red"}'], 'no field "color"'],
  [
    ['schema-store', 'create', '--format', 'toml', '--body', '{"spec":"x","packageName":"p","sdkClassname":"c"}'],
    '--format must be json or yaml',
  ],
  [['artifacts', 'namespaces', 'set-visibility', 'n'], 'missing flag: --public'],
  [['ws', 'list', '-o', 'xml'], 'must be table, json, yaml, toon, ndjson'],
  [['ws', 'list', '--timeout', 'soon'], '--timeout must be a time'],
  [['ws', 'lisst'], 'try: dtp ws list'],
  [['ws', 'list', '--worspace', 'x'], 'try: dtp ws list --workspace ID'],
  [['ws'], 'dtp ws needs a command'],
  [['help', 'ws', 'nope'], 'unknown command or topic "ws nope"'],
  [['ws', 'list', 'extra'], 'too many arguments'],
  [['ws', 'team', 'grant'], 'missing argument: EMAIL'],
  [['suggest', 'items', '--items', 'a', '--body', '- x\n- y'], '--body must be a JSON object'],
])('dtp %j', async (argv, words) => {
  expect(await refused(argv, 2)).toContain(words);
});

const withArguments = (Object.values(operations) as readonly Operation[]).filter((one) => argumentsOf(one).length > 0);

describe.each([[''], ['.'], ['..'], ['a\nb']])('the id %j is rejected by', (id) => {
  test.each(withArguments.map((one) => [one.id, one] as const))('%s', async (_, operation) => {
    const flags = Object.entries(operation.input).flatMap(([name, field]) => {
      if (!field.required || field.in === 'path' || field.in === 'header') return [];
      return field.kind === 'boolean' ? [`--${name}`] : [`--${name.replaceAll('_', '-')}`, '2027-01-01T00:00:00Z'];
    });
    const argv = [...operation.command, ...argumentsOf(operation).map(() => id), ...flags, '--yes'];
    await refused(argv, 2, { env: { DTP_ORGANIZATION_SLUG: 'o', DTP_WORKSPACE_SLUG: 'w' } });
  });
});

test('standard input is read once, and not from a terminal', async () => {
  expect(await refused(['reports', 'upload', '--data', '-', '--file', '-'], 2, { stdin: '{}' })).toContain(
    'already read for',
  );
  expect(await refused(['events', 'post', '--body', '-'], 2, { tty: true })).toContain('is a terminal');
  expect(await refused(['ws', 'create', '--body', '-'], 2, { stdin: '' })).toContain('is empty');
  expect(await refused(['events', 'post', '--body', '-'], 2, { stdin: new Uint8Array([0xff, 0xfe]) })).toContain(
    'not UTF-8',
  );
});

test.each([['tokens'], ['secret']])('no base URL: 3, with both solutions (%s)', async () => {
  const words = await refused(['ws', 'list'], 3, { env: { DTP_BASE_URL: '' } });
  expect(words).toContain('dtp auth login --base-url');
  expect(words).toContain('dtp init --local');
});

test.each([
  ['ftp://x.example.test', 'must be a URL such as'],
  ['http://x.example.test', 'plain http'],
  ['https://user:hunter22@x.example.test', 'without user name'],
  ['https://x.example.test?a=1', 'query'],
  ['nonsense', 'must be a URL such as'],
  ['local:elsewhere', 'must be a URL such as'],
])('the base URL %s: 3', async (base, words) => {
  const told = await refused(['ws', 'list'], 3, { env: { DTP_BASE_URL: base } });
  expect(told).toContain(words);
  expect(told).not.toContain('hunter22');
});

test('no credential: 4; no workspace: 3; no such profile: 3', async () => {
  expect(await refused(['ws', 'list'], 4, { env: { DTP_API_KEY: '' } })).toContain(
    'dtp auth login --base-url https://api.example.test',
  );
  expect(await refused(['ws', 'get'], 3, { env: { DTP_WORKSPACE_ID: '' } })).toContain('no workspace');
  expect(await refused(['ws', 'list', '--profile', 'nope'], 3)).toContain('profile "nope" does not exist');
});

test('commands that need confirmation need --yes if prompts are disabled', async () => {
  expect(await refused(['ws', 'tokens', 'delete', 't_1'], 2)).toMatch(/needs confirmation; pass --yes\n$/);
  expect(await refused(['orgs', 'free-trial', 'create'], 2)).toContain('--yes');
  expect(await refused(['ws', 'tokens', 'delete', 't_1', '--no-input'], 2, { tty: true })).toContain('--yes');
  expect(await refused(['ws', 'tokens', 'delete', 't_1'], 2, { tty: true, env: { CI: 'true' } })).toContain('--yes');
});

test('a credential is not sent to the URL in an untrusted .dtp.json', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, '.dtp.json'), '{"base_url":"https://evil.example.test"}');
  const told = await refused(['ws', 'list'], 3, { cwd, env: { DTP_BASE_URL: '' } });
  expect(told).toContain('.dtp.json, which is not trusted');
  writeFileSync(join(cwd, '.dtp.json'), '{"credential":"x"}');
  expect(await refused(['ws', 'list'], 3, { cwd })).toContain('"credential" is not a known setting');
  writeFileSync(join(cwd, '.dtp.json'), '{');
  mkdirSync(join(cwd, 'below'));
  const below = { home: cwd, cwd: join(cwd, 'below') };
  expect(await refused(['ws', 'list'], 3, below)).toContain('.dtp.json is not JSON');
});

test('--json and another format cannot be combined', async () => {
  expect(await refused(['ws', 'list', '--json', '-o', 'csv'], 2)).toContain(
    '--json and -o csv cannot be used together',
  );
});

test('the error for a missing file says where it was searched', async () => {
  expect(await refused(['events', 'post', '--body', '@nofile'], 2)).toContain(
    'Paths are relative to the current folder',
  );
  expect(await refused(['ws', 'create', '-F', 'a=@'], 2)).toContain('@ must be followed by a file path');
});

// Node's mkdir never returns there.
test.skipIf(process.platform !== 'linux')('a folder that cannot be made ends the command', async () => {
  for (const [argv, variable, code] of [
    [['--profile', 'local', 'ws', 'list'], 'DTP_DATA_DIR', 3],
    [['config', 'set', 'output', 'json'], 'DTP_CONFIG_DIR', 3],
    [['help', '--man', '/proc/self/x/y'], 'DTP_DATA_DIR', 2],
  ] as const)
    expect((await dtp(argv, { env: { [variable]: '/proc/self/x/y' } })).code, argv.join(' ')).toBe(code);
});
