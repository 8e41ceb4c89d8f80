/** Suggested commands never confirm anything or weaken a connection, and hints fit the failure. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { commandLine, deliberateFlags, sameService } from '../../src/settings/command-line.ts';
import { shellWord } from '../../src/shell.ts';
import { dtp, temporaryFolder, type World } from '../support/context.ts';
import { service } from '../support/function-service.ts';

const env = {
  DTP_ERROR_FORMAT: 'json',
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
};

/** Whether a command line has a flag that a person must add. A quoted word is a value. */
const decides = (line: string): boolean =>
  line
    .replace(/'[^']*'/g, '')
    .split(' ')
    .some((word) => /^(--(yes|force|insecure|allow-http)\b|-[rvi]*y)/.test(word));

describe('commandLine', () => {
  test.each([
    ['ws tokens delete t_1 --yes', 'dtp ws tokens delete t_1'],
    ['ws tokens delete -y t_1', 'dtp ws tokens delete t_1'],
    ['-vy ws list', 'dtp -v ws list'],
    ['-ry ws list --force --insecure --allow-http', 'dtp -r ws list'],
    ['ws list --yes=true', 'dtp ws list'],
    // Values that look like such flags stay.
    ['ws list -oyaml', 'dtp ws list -oyaml'],
    ['ws list -w y', 'dtp ws list -w y'],
    ['ws tokens create -f name=--yes', 'dtp ws tokens create -f name=--yes'],
    ['ws list --no-input', 'dtp ws list --no-input'],
    // The command of another program is complete or left out.
    ['dev -- npm test --silent', 'dtp dev -- npm test --silent'],
    ['dev --yes -- npm install --force', 'dtp dev -- COMMAND'],
    ['dev -- dtp ws tokens delete t_1 -y', 'dtp dev -- COMMAND'],
  ])('%s', (line, shown) => {
    expect(commandLine(line.split(' '))).toBe(shown);
  });

  test('a flag in quotes is a value', () => {
    expect(commandLine(['ws', 'create', '--name', 'say --yes'])).toBe(`dtp ws create --name ${shellWord('say --yes')}`);
  });
});

test('the flags for the same service do not weaken the connection', () => {
  const all = {
    baseUrl: 'https://a.test',
    profile: 'p',
    workspace: 'w',
    proxy: 'http://p.test',
    caCert: 'ca.pem',
    insecure: true,
    allowHttp: true,
    yes: true,
    force: true,
  };
  expect(sameService(all).flat().join(' ')).toBe(
    '--base-url https://a.test --profile p --workspace w --proxy http://p.test --ca-cert ca.pem',
  );
  expect(sameService(all, false).flat()).not.toContain('--workspace');
});

/** Failing command lines, one for each way to build a suggestion from the input. */
const failing: readonly [line: string, world?: World, code?: number][] = [
  ['wss list'],
  ['ws tokns list'],
  ['ws list tokens'],
  ['ws get w_1'],
  ['usage get'],
  ['ws list --worspace x'],
  ['ws list --yess'],
  ['ws list --forc'],
  ['ws list --insecur'],
  ['ws list --allow-htp'],
  ['ws list --al'],
  ['artifacts namespaces list --all'],
  ['--limit 5 events search'],
  ['ws list -o jsn'],
  ['ws list -ojsn'],
  ['ws list --query --json'],
  ['events search --limit'],
  ['events search --success=false'],
  ['ws tokens delete'],
  ['artifacts push spec'],
  ['config set workspace'],
  ['config get base-url'],
  ['config use nope'],
  ['reports upload'],
  ['ws list --profile nope', {}, 3],
  ['ws get', { env: { DTP_WORKSPACE_ID: '' } }, 3],
  ['help tokns'],
  ['schema tokns'],
  ['ws'],
  ['dev --ephemerl -- dtp ws tokens delete t'],
];

const flags = [...deliberateFlags, '-y', '-vy'];

describe.each(flags)('%s is never suggested, even if it was typed', (flag) => {
  test.each(failing)('%s', async (line, world = {}, code = 2) => {
    const [own = '', other] = line.split(' -- ');
    const argv = [...own.split(' '), flag, ...(other === undefined ? [] : ['--', ...other.split(' '), flag])];
    const ended = await dtp(argv, { ...world, env: { ...env, DTP_ERROR_FORMAT: 'json', ...world.env } });
    expect(ended.code, ended.stderr).toBe(code);
    const { hint = '', next = [] } = JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) ?? '').error;
    expect([hint, ...next.map((one: { command: string }) => one.command)].filter(decides)).toEqual([]);
  });
});

test.each([
  ['dtp ws tokens delete --yess t_1', 'dtp ws tokens delete has no flag --yess', 'dtp ws tokens delete --help'],
  [
    'dtp ws tokens delete --yess --timeuot 5s t_1',
    'dtp ws tokens delete has no flag --yess',
    'dtp ws tokens delete --help',
  ],
  [
    'dtp ws tokens delete --timeuot 5s --yess t_1',
    'dtp ws tokens delete has no flag --timeuot',
    'dtp ws tokens delete --timeout TIME TOKEN-ID',
  ],
  [
    'dtp artifacts namespaces list --all',
    'dtp artifacts namespaces list has no flag --all',
    'dtp artifacts namespaces list --help',
  ],
  ['dtp ws list --forse', 'dtp ws list has no flag --forse', 'dtp ws list --help'],
  ['dtp ws list --insecur', 'dtp ws list has no flag --insecur', 'dtp ws list --help'],
  ['dtp ws lst --force --yes', 'unknown command "dtp ws lst"', 'dtp ws list'],
])('%s: flags that a person must add are not guessed', async (line, message, next) => {
  const ended = await dtp(line.split(' ').slice(1), { env });
  expect(JSON.parse(ended.stderr).error).toMatchObject({ message, next: [{ command: next }] });
});

describe('failures of requests', () => {
  const run = async (line: string, status: number, body: unknown = undefined, more: World = {}) => {
    const { openSend } = service(() => [status, body]);
    const ended = await dtp([...line.split(' '), '-o', 'json'], {
      own: 'w_1',
      openSend,
      ...more,
      env: { ...env, ...more.env },
    });
    const { error } = JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) ?? '{}');
    return {
      code: ended.code,
      hint: String(error?.hint ?? ''),
      next: (error?.next ?? []).map((one: { command: string }) => one.command) as string[],
    };
  };

  test.each([
    ['ws tokens delete t_1 --yes --insecure --allow-http', 404],
    ['ws tokens delete t_1 --yes --insecure --allow-http', 401],
    ['ws tokens delete t_1 --yes --insecure --allow-http', 403],
    ['artifacts pull pets -O out --force --insecure', 503],
    ['artifacts pull pets -O out --force --insecure', 404],
    ['code-samples jobs get j_1 --wait --wait-timeout 1ms --insecure --allow-http', 202],
  ])('%s after a %i', async (line, status) => {
    const { code, hint, next } = await run(line, status, { status: 'running' }, { home: temporaryFolder() });
    expect(code).toBeGreaterThan(2);
    expect([hint, ...next].filter(decides)).toEqual([]);
  });

  test.each<[line: string, status: number, says: boolean]>([
    ['ws list', 503, true],
    ['ws list', 500, true],
    ['ws list', 504, true],
    ['ws list', 429, true],
    // It would not be retried.
    ['ws list', 501, false],
    ['ws list', 505, false],
    // It was retried.
    ['ws list --retry 0', 503, false],
    ['auth access --timeout 1s', 503, false],
    // It is not read-only.
    ['ws tokens create --name ci', 503, false],
  ])('%s after a %i: --retry is suggested: %s', async (line, status, says) => {
    expect((await run(line, status)).hint.includes('--retry')).toBe(says);
  });

  test('--retry is not suggested if it was used', async () => {
    // Retries do not wait here, and the deadline is never reached.
    const clock = {
      now: () => 0,
      sleep: (ms: number) => (ms < 60_000 ? Promise.resolve() : new Promise<void>(() => undefined)),
    };
    expect((await run('ws list --retry 3', 503, undefined, { clock })).hint).toBe('Try again later.');
  });

  test('the error asks for a confirmation in words', async () => {
    const ended = await dtp(['ws', 'tokens', 'delete', 't_1', '-o', 'json'], { env });
    expect(JSON.parse(ended.stderr).error).toEqual({
      code: 'usage',
      message: 'dtp ws tokens delete removes data or access and needs confirmation; pass --yes',
      exit_code: 2,
    });
  });
});

describe('a suggestion leads to the same service', () => {
  const next = async (line: string, world: World, code: number): Promise<readonly string[]> => {
    const ended = await dtp(line.split(' '), { ...world, env: { DTP_ERROR_FORMAT: 'json', ...world.env } });
    expect(ended.code, ended.stderr).toBe(code);
    const { error } = JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) ?? '');
    return error.next.map((one: { command: string }) => one.command);
  };
  const base = 'https://other.example.test';

  test('a login without prompts', async () => {
    const line = `auth login --base-url ${base} --profile team --scheme bearer --allow-http`;
    expect(await next(line, {}, 2)).toEqual([
      `dtp auth login --base-url ${base} --profile team --scheme bearer --with-token < FILE`,
    ]);
  });

  test('queued events', async () => {
    const { openSend } = service(() => new DtpError('network', 'away', { retryable: true }));
    const line = `events post --body {"id":"e_1"} -w w_2 --base-url ${base} --insecure --timeout 50ms`;
    expect(await next(line, { openSend, env: { DTP_API_KEY: 'k-1' } }, 75)).toEqual([
      `dtp events queue flush --base-url ${base} --workspace w_2`,
    ]);
  });

  test.each([
    ['ws tokens delete t_1 --yes', 'dtp ws tokens delete TOKEN-ID -w ID'],
    ['events list g_1', 'dtp events list LOCK-ID -w ID'],
    ['ws get', 'dtp ws get -w ID'],
  ])('%s without a workspace', async (line, first) => {
    const home = temporaryFolder();
    mkdirSync(join(home, 'config'), { mode: 0o700 });
    const profiles = { team: { base_url: base, credential: 'k-1' } };
    writeFileSync(join(home, 'config', 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
    expect(await next(`${line} --profile team`, { home }, 3)).toEqual([
      first,
      'dtp config set workspace ID --profile team',
      'dtp ws list --profile team',
    ]);
  });
});

describe('literals', () => {
  const root = resolve(import.meta.dirname, '../../src');
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => name.replaceAll('\\', '/'))
    // Examples in the help show complete commands.
    .filter((name) => !/operations\/examples|^local\/|^describe\/help\/examples|^service\//.test(name));
  /** The strings of a file, without comments. */
  const strings = sources.flatMap((name) => {
    const text = readFileSync(join(root, name), 'utf8').replace(/^\s*(\/\/|\*|\/\*).*$/gm, '');
    return [...text.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(
      ([, single, template]) => [name, single ?? template ?? ''] as const,
    );
  });

  test('the list of strings is not empty', () => {
    expect(strings.length).toBeGreaterThan(2000);
    expect(strings.map(([, text]) => text)).toContain('dtp config explain');
  });

  test('no command in a string has a flag that a person must add', () => {
    expect(strings.filter(([, text]) => /\bdtp [a-z-]/.test(text) && decides(text))).toEqual([]);
  });

  test('a suggestion is a literal, or built by commandLine', () => {
    // These lines of the completion result are not dtp commands.
    const own = sources.filter((name) => name !== 'commands/completion/script.ts');
    const next = own.flatMap((name) =>
      [...readFileSync(join(root, name), 'utf8').matchAll(/\bnext: \[([^\]]*)\]/g)].map(
        ([, inner = '']) => [name, inner] as const,
      ),
    );
    expect(next.length).toBeGreaterThan(20);
    expect(next.filter(([, inner]) => inner.includes('${'))).toEqual([]);
  });
});
