/** What users of such tools suffer from, a test each: none of it here. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../src/clock.ts';
import { DtpError } from '../src/errors.ts';
import type { HttpRequest } from '../src/request/http.ts';
import { dtp, temporaryFolder, type World } from './support/context.ts';

type Reply = readonly [status: number, body?: unknown, headers?: Record<string, string>];

/** Answers, and remembers what it was asked. */
function service(reply: (request: HttpRequest, call: number) => Reply | DtpError) {
  const asked: string[] = [];
  const openSend: World['openSend'] = async () => ({
    send: async (request) => {
      const answered = reply(request, asked.push(`${request.method} ${new URL(request.url).pathname}`));
      if (answered instanceof DtpError) throw answered;
      const [status, body, headers = {}] = answered;
      return { status, headers, body: bytesOf(body) };
    },
    close: async () => undefined,
  });
  return { asked, openSend };
}

async function* bytesOf(body: unknown) {
  if (body !== undefined) yield Buffer.from(JSON.stringify(body));
}

/** Waits are over at once. */
function hurried() {
  const waits: number[] = [];
  const clock: Clock = {
    now: () => waits.reduce((sum, one) => sum + one, 0),
    sleep: async (ms, signal) => {
      if (ms >= 60_000) return new Promise(() => signal?.aborted);
      waits.push(ms);
    },
  };
  return { clock, waits };
}

const base = 'https://api.example.test';
const env = { DTP_BASE_URL: base, DTP_API_KEY: 'a-key-of-12', DTP_WORKSPACE_ID: 'w_1' };
const run = (argv: readonly string[], world: World = {}) =>
  dtp(argv, { ...world, env: { ...env, ...world.env } });
const none = (): Reply => [204];

describe('output', () => {
  test('stdout is one JSON document, whatever else is said', async () => {
    const { openSend } = service(() => [200, '{"x":1}'.length]);
    const ended = await run(['suggest', 'items', '--items', 'a', '--prompt', 'p', '-o', 'json', '-v'], {
      openSend,
      env: { HTTPS_PROXY: 'http://127.0.0.1:9' },
    });
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, 7]);
    expect(ended.stderr).toContain('> POST');
  });

  test('commands that create and delete answer in JSON too', async () => {
    const { openSend } = service(none);
    for (const [argv, operation] of [
      [['ws', 'tokens', 'create', '--name', 'x'], 'createWorkspaceToken'],
      [['ws', 'tokens', 'delete', 't', '--yes'], 'deleteWorkspaceToken'],
    ] as const) {
      const { stdout } = await run([...argv, '-o', 'json'], { openSend });
      expect(JSON.parse(stdout)).toEqual({ ok: true, operation, status: 204 });
    }
  });

  test('a failure is not 0, and stdout is empty', async () => {
    for (const status of [302, 400, 401, 403, 404, 418, 429, 500, 503]) {
      const { openSend } = service(() => [status, { message: 'no' }]);
      const ended = await run(['ws', 'list'], { openSend });
      expect(ended.code).toBeGreaterThan(0);
      expect(ended.stdout).toBe('');
      expect(ended.stderr).not.toBe('');
    }
  });

  test('a query sees all pages as one document', async () => {
    const { openSend } = service((_, call) =>
      call === 1 ? [200, { items: [{ id: 1 }], next_page_token: 't' }] : [200, { items: [{ id: 2 }] }],
    );
    const list = ['artifacts', 'revisions', 'list', 'ns', '--all', '--query', 'items[].id', '-o', 'json'];
    expect(JSON.parse((await run(list, { openSend })).stdout)).toEqual([1, 2]);
  });

  test('a field that nothing has is told', async () => {
    const { openSend } = service(() => [200, [{ id: 1 }]]);
    const fields = async (names: string) =>
      (await run(['ws', 'list', '--fields', names], { openSend })).stderr;
    expect(await fields('id,nmae')).toBe('warning: nothing in the result has nmae\n');
    expect(await fields('id')).toBe('');
  });

  test('there is no pager', async () => {
    const rows = Array.from({ length: 500 }, (_, id) => ({ id: `w_${id}` }));
    const { openSend } = service(() => [200, rows]);
    // Starting any program fails this.
    const { code, stdout } = await run(['ws', 'list'], { openSend, tty: true, env: { PAGER: 'less' } });
    expect([code, stdout.split('\n').length]).toEqual([0, 502]);
  });

  test('an unknown value of an enum is refused, not ignored', async () => {
    for (const argv of [
      ['-o', 'jsn'],
      ['--color', 'maybe'],
      ['--error-format', 'xml'],
    ])
      expect((await run(['ws', 'list', ...argv])).code).toBe(2);
    expect((await run(['ws', 'list'], { env: { DTP_OUTPUT: 'jsn' } })).code).toBe(3);
  });
});

describe('scripts and CI', () => {
  test('nothing prompts in CI, though there seems to be a terminal: the error has the whole command', async () => {
    const ended = await run(['ws', 'tokens', 'delete', 't 1'], {
      tty: true,
      env: { CI: 'true', NO_COLOR: '1' },
    });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain("try: dtp ws tokens delete 't 1' --yes");
  });

  test('--retry sends a GET again, waits as asked, and ends', async () => {
    const { clock, waits } = hurried();
    const { asked, openSend } = service((_, call) =>
      call < 3 ? [429, {}, { 'retry-after': '7' }] : [200, []],
    );
    expect((await run(['ws', 'list', '--retry', '3'], { openSend, clock })).code).toBe(0);
    expect([asked.length, waits]).toEqual([3, [7000, 7000]]);
    const away = service(() => [503, {}]);
    expect((await run(['ws', 'list', '--retry', '2'], { openSend: away.openSend, clock })).code).toBe(10);
    expect(away.asked).toHaveLength(3);
  });

  test('no POST is sent twice, but the one that is declared so', async () => {
    const { clock } = hurried();
    for (const fault of [new DtpError('network', 'reset', { retryable: true }), [503, {}] as const]) {
      const { asked, openSend } = service(() => fault);
      await run(['ws', 'tokens', 'create', '--name', 'x', '--retry', '5'], { openSend, clock });
      expect(asked).toHaveLength(1);
    }
  });

  test('events that cannot be delivered are kept, and delivered later', async () => {
    const home = temporaryFolder();
    const { clock } = hurried();
    const away = service(() => new DtpError('network', 'refused', { retryable: true }));
    const post = await run(['events', 'post', '--interaction-type', 'CI_EXEC'], {
      home,
      clock,
      openSend: away.openSend,
    });
    expect([post.code, post.stderr]).toEqual([75, expect.stringContaining('dtp events spool flush')]);
    const back = service(none);
    expect((await run(['events', 'spool', 'flush'], { home, clock, openSend: back.openSend })).code).toBe(0);
    expect(back.asked).toEqual(['POST /v1/workspace/w_1/events']);
  });

  test('a wait has an end', async () => {
    const { openSend } = service(() => [202, {}]);
    const { signal } = new AbortController();
    const waits: number[] = [];
    const clock: Clock = {
      now: () => waits.reduce((sum, one) => sum + one, 0),
      sleep: async (ms, given) => {
        if (given !== signal) return new Promise(() => undefined);
        waits.push(ms);
      },
    };
    const ended = await run(['code-samples', 'jobs', 'get', 'j', '--wait', '--wait-timeout', '1m'], {
      openSend,
      clock,
      signal,
    });
    expect([ended.code, clock.now()]).toEqual([124, 60_000]);
  });

  test('a path that a Windows shell has rewritten is understood', async () => {
    const { asked, openSend } = service(() => [200, {}]);
    for (const path of ['C:/Program Files/Git/v1/user', 'v1/user', '/v1/user'])
      await run(['api', path], { openSend });
    expect(new Set(asked)).toEqual(new Set(['GET /v1/user']));
  });
});

describe('credentials', () => {
  const key = (request: HttpRequest): Reply => {
    const isGood = request.headers['x-api-key'] === 'a-good-key-1';
    return isGood ? [200, { workspace_id: 'w_9' }] : [401, { message: 'expired' }];
  };
  const login = (home: string, more: readonly string[] = []) =>
    dtp(['auth', 'login', '--base-url', base, '--with-token', ...more], {
      home,
      stdin: 'a-good-key-1\n',
      openSend: service(key).openSend,
    });

  test('a login without a terminal; the file is private, and stays so with each write', async () => {
    const home = temporaryFolder();
    const folder = join(home, 'config');
    const file = join(folder, 'config.json');
    expect((await login(home)).code).toBe(0);
    chmodSync(file, 0o644);
    chmodSync(folder, 0o755);
    expect((await dtp(['config', 'set', 'output', 'yaml'], { home })).code).toBe(0);
    expect([statSync(file).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
  });

  test('the status ends with 0 or 4, and is JSON in every state', async () => {
    const home = temporaryFolder();
    const { openSend } = service(key);
    const status = async (more: Readonly<Record<string, string>>) => {
      const { code, stdout, stderr } = await dtp(['auth', 'status', '-o', 'json'], {
        home,
        openSend,
        env: more,
      });
      return [code, typeof JSON.parse(stdout || stderr)];
    };
    expect(await status({ DTP_BASE_URL: base })).toEqual([4, 'object']);
    await login(home);
    expect(await status({})).toEqual([0, 'object']);
    expect(await status({ DTP_API_KEY: 'an-old-key-1' })).toEqual([4, 'object']);
  });

  test('a profile by flag, variable, folder and choice, in this order, and each is told', async () => {
    const home = temporaryFolder();
    for (const name of ['flag', 'variable', 'folder', 'chosen']) await login(home, ['--profile', name]);
    await dtp(['config', 'use', 'chosen'], { home });
    const explain = async (argv: readonly string[], more: Readonly<Record<string, string>> = {}) => {
      const { stdout } = await dtp(['config', 'explain', '-o', 'json', ...argv], { home, env: more });
      return JSON.parse(stdout).find((one: { setting: string }) => one.setting === 'profile');
    };
    expect(await explain([])).toMatchObject({ value: 'chosen', source: 'dtp config use' });
    mkdirSync(join(home, 'a'));
    writeFileSync(join(home, '.dtp.json'), '{"profile":"folder"}');
    expect(await explain([])).toMatchObject({ value: 'folder', source: join(home, '.dtp.json') });
    const variable = { DTP_PROFILE: 'variable' };
    expect(await explain([], variable)).toMatchObject({ value: 'variable', source: 'DTP_PROFILE' });
    expect(await explain(['--profile', 'flag'], variable)).toMatchObject({
      value: 'flag',
      source: '--profile',
    });
  });

  test('a 401 says whose credential it was and what mends it', async () => {
    const home = temporaryFolder();
    await login(home, ['--profile', 'ci']);
    const { openSend } = service(() => [401, { message: 'expired' }]);
    const ended = await dtp(['ws', 'list', '--profile', 'ci', '--error-format', 'text'], { home, openSend });
    expect([ended.code, ended.stderr]).toEqual([
      4,
      expect.stringMatching(/came from profile ci\..*try: dtp auth login --base-url https:.* --profile ci/s),
    ]);
  });

  test('no secret on the command line, or in what is told of requests', async () => {
    const typed = await run(['auth', 'login', '--token=s3cret-value']);
    expect([typed.code, typed.stderr.includes('s3cret-value')]).toEqual([2, false]);
    const { openSend } = service(() => [
      500,
      { message: 'no key a-key-of-12' },
      { 'set-cookie': 'a-key-of-12' },
    ]);
    const { stderr } = await run(['ws', 'list', '--debug'], { openSend });
    expect(stderr).toContain('set-cookie: ***');
    expect(stderr).not.toContain('a-key-of-12');
  });

  test('nothing is destroyed for want of a name, and a dry run neither asks nor acts', async () => {
    const { asked, openSend } = service(none);
    expect((await run(['ws', 'tokens', 'delete', '--yes'], { openSend })).code).toBe(2);
    expect((await run(['ws', 'tokens', 'delete', 't', '--dry-run'], { openSend })).code).toBe(0);
    expect(asked).toEqual([]);
  });
});

test('nothing is asked of the network that the user did not ask for: the code knows no address of its own', () => {
  const root = join(import.meta.dirname, '../src');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const hosts = files.flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(/https?:\/\/([a-z0-9-]+(\.[a-z0-9-]+)+)/gi)].map(
      ([, host]) => host,
    ),
  );
  // Where something is explained, and what stands for the user's own.
  const shown = /^(jmespath\.org|json-schema\.org|127\.0\.0\.1|([a-z]+\.)?example\.com)$/;
  expect(hosts.filter((host) => !shown.test(host as string))).toEqual([]);
});
