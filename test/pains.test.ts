/** What users of such tools suffer from, a test each: none of it here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../src/clock.ts';
import { DtpError } from '../src/errors.ts';
import { type Reply, service } from './support/answering.ts';
import { dtp, temporaryFolder, type World } from './support/context.ts';

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
  dtp(argv, { own: 'w_1', ...world, env: { ...env, ...world.env } });
const none = (): Reply => [204];

describe('output', () => {
  test('stdout is one JSON document, whatever else is said', async () => {
    const { openSend } = service(() => [200, ['b']]);
    const ended = await run(['suggest', 'items', '--items', 'a', '--prompt', 'p', '-o', 'json', '-v'], {
      openSend,
      env: { HTTPS_PROXY: 'http://127.0.0.1:9' },
    });
    expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, ['b']]);
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
    expect(ended.stderr).toContain('Add --yes to this command');
    expect(ended.stderr).toContain("try: dtp ws tokens delete 't 1'\n");
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

  test('a build need not break over an outage, and still does over its own faults', async () => {
    const code = async (status: number) => {
      const { openSend } = service(() => [status, {}]);
      const ended = await run(['ws', 'list', '--allow-failure', '--error-format', 'text'], { openSend });
      return [ended.code, ended.stderr.includes('THE COMMAND FAILED')];
    };
    for (const status of [429, 500, 503]) expect(await code(status)).toEqual([0, true]);
    for (const status of [401, 403, 404, 422]) expect((await code(status))[0]).not.toBe(0);
  });

  test('a job has a token of its own, and needs no key that lives for ever', async () => {
    const { code, stdout } = await dtp(['auth', 'oidc-token', '--variable', 'ID', '-r'], {
      env: { ID: 'eyJ.eyJ.x' },
    });
    expect([code, stdout]).toEqual([0, 'eyJ.eyJ.x\n']);
  });

  test('programs can ask what there is', async () => {
    const { stdout } = await dtp(['schema', 'ws', 'tokens', 'delete']);
    expect(JSON.parse(stdout)).toMatchObject({
      schema_version: 1,
      command: 'ws tokens delete',
      method: 'DELETE',
      effect: 'destroy',
      arguments: [{ name: 'token-id' }],
    });
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
