/** Jobs with --wait, paged lists, and retried reads. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import type { Context } from '../../../src/context.ts';
import { DtpError, ExitCode } from '../../../src/errors.ts';
import type { HttpRequest } from '../../../src/request/http.ts';
import { shellWord } from '../../../src/shell.ts';
import { dtp, temporaryFolder, type World } from '../../support/context.ts';

type Answer = readonly [status: number, value?: unknown] | DtpError;

/** Sends the responses in turn, repeats the last one, and records the requests. */
function service(answer: (request: HttpRequest, call: number, signal: AbortSignal) => Answer | Promise<Answer>) {
  const asked: string[] = [];
  const openSend: Context['openSend'] = async () => ({
    send: async (request, { signal }) => {
      asked.push(`${request.method} ${request.url.replace('https://api.example.test', '')}`);
      const answered = await answer(request, asked.length, signal);
      if (answered instanceof DtpError) throw answered;
      const [status, value] = answered;
      const bytes = value === undefined ? [] : [Buffer.from(JSON.stringify(value))];
      return { status, headers: { 'content-type': 'application/json' }, body: streamOf(bytes) };
    },
    close: async () => undefined,
  });
  return { asked, openSend };
}

async function* streamOf(bytes: readonly Uint8Array[]) {
  yield* bytes;
}

/** Deadlines of a minute and more are never reached. Other waits, or those for an `only` signal, end at once. */
function jumping(only?: AbortSignal): { readonly clock: Clock; readonly waits: number[] } {
  const waits: number[] = [];
  let now = 0;
  const sleep: Clock['sleep'] = async (ms, signal) => {
    if (only ? signal !== only : ms >= 60_000)
      return new Promise<void>((_, failed) => {
        signal?.addEventListener('abort', () => failed(signal.reason));
      });
    waits.push(ms);
    now += ms;
    await new Promise((done) => setImmediate(done));
    signal?.throwIfAborted();
  };
  return { clock: { now: () => now, sleep }, waits };
}

const run = (argv: readonly string[], world: World) =>
  dtp(argv, {
    ...world,
    env: {
      DTP_BASE_URL: 'https://api.example.test',
      DTP_API_KEY: 'k-1',
      DTP_ERROR_FORMAT: 'text',
      ...world.env,
    },
  });

const lost = new DtpError('network', 'the host closed the connection', { retryable: true });
const done = { snippets: [{ operationId: 'a', code: 'x' }] };
const get = ['code-samples', 'jobs', 'get', 'job-1'];

test('a job is polled until its status is 200; lost connections and 5xx responses do not end the wait', async () => {
  const answers: Answer[] = [[202, { status: 'done' }], lost, [503, {}], [202, {}], [200, done]];
  const { asked, openSend } = service((_, call) => answers[call - 1] as Answer);
  const { clock, waits } = jumping();
  const ended = await run([...get, '--wait'], { openSend, clock });
  expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, done]);
  expect(asked).toEqual(Array(5).fill('GET /v1/code_sample/preview/async/job-1'));
  expect(waits).toEqual([2000, 2000, 2000, 2000]);
});

test('without --wait, one poll of a running job exits with 8', async () => {
  const { asked, openSend } = service(() => [202, {}]);
  expect((await run(get, { openSend })).code).toBe(8);
  expect(asked).toHaveLength(1);
});

const hurried = [...get, '--wait', '--wait-timeout', '10s', '--poll-interval', '3s'];

test('the wait times out with 124 after a last poll, and names the command that continues it', async () => {
  const { asked, openSend } = service(() => [202, {}]);
  const { signal } = new AbortController();
  const { clock, waits } = jumping(signal);
  const ended = await run(hurried, { openSend, clock, signal });
  expect([ended.code, ended.stdout, waits]).toEqual([124, '', [3000, 3000, 3000, 500]]);
  expect(asked).toHaveLength(5);
  expect(ended.stderr).toContain('not finish within 10 s');
  expect(ended.stderr).toContain('try: dtp code-samples jobs get job-1 --wait');
});

test('a poll without a response does not block the wait', async () => {
  const { signal: stuck } = new AbortController();
  const { asked, openSend } = service(
    (_, __, signal) => new Promise((__, failed) => signal.addEventListener('abort', () => failed(signal.reason))),
  );
  const waits: number[] = [];
  const clock: Clock = {
    now: () => waits.reduce((sum, one) => sum + one, 0),
    // Every deadline is reached.
    sleep: async (ms) => {
      waits.push(ms);
    },
  };
  const ended = await run(hurried, { openSend, clock, signal: stuck });
  expect([ended.code, asked.length]).toEqual([124, 1]);
  expect(waits).toContain(10_000);
  expect(ended.stderr).toContain('no result within 10 s');
});

test('the command that continues uses the same service', async () => {
  const { openSend } = service(() => [202, {}]);
  const { signal } = new AbortController();
  const env = { DTP_BASE_URL: '' };
  const proxy = 'http://me:hunter2@127.0.0.1:9';
  const flags = ['--base-url', 'https://api.example.test', '-w', 'w_1', '--proxy', proxy];
  const { clock } = jumping(signal);
  const ended = await run([...hurried, ...flags], { openSend, clock, signal, env, own: 'w_1' });
  expect(ended.stderr).toContain(
    `--wait --base-url https://api.example.test --workspace w_1 --proxy ${shellWord('http://***@127.0.0.1:9')}`,
  );
  expect(ended.stderr).not.toContain('hunter2');
});

test.each([
  [[...get, '--wait-timeout', 'banana'], '--wait-timeout'],
  [[...get, '--poll-interval', '0'], '--poll-interval'],
  [[...get, '--retry', '9'], '--retry'],
])('%j is refused before anything is sent', async (argv, name) => {
  const { asked, openSend } = service(() => [200, {}]);
  const ended = await run(argv, { openSend });
  expect([ended.code, asked]).toEqual([2, []]);
  expect(ended.stderr).toContain(name);
});

test.each(['..', 'a\u001b[31m', 'a\u202eb'])('a job with the id %j cannot be waited for', async (id) => {
  const { openSend } = service(({ method }) => (method === 'POST' ? [202, { job_id: id }] : [200, {}]));
  const argv = ['code-samples', 'jobs', 'create', '--language', 'go', '--wait'];
  expect((await run(argv, { openSend })).code).toBe(12);
});

test.each([12345, { a: 1 }, true])('a next page given as %j does not end the list', async (next) => {
  const { openSend } = service(() => [200, { items: [{ id: 1 }], next_page_token: next }]);
  const ended = await run(['artifacts', 'revisions', 'list', 'ns', '--all'], { openSend });
  expect(ended).toMatchObject({ code: 12, stdout: '' });
});

test.each([
  [404, 6],
  [422, 7],
  [401, 4],
])('a %i ends the wait', async (status, code) => {
  const { asked, openSend } = service((_, call) => (call < 3 ? [202, {}] : [status, { message: 'no' }]));
  const ended = await run([...get, '--wait'], { openSend, clock: jumping().clock });
  expect([ended.code, asked.length]).toEqual([code, 3]);
});

test('an interrupt says how to continue', async () => {
  const interrupt = new AbortController();
  const { openSend } = service((_, call) => {
    if (call === 2) interrupt.abort(new ExitCode(130));
    return [202, {}];
  });
  const ended = await run([...get, '--wait'], { openSend, clock: jumping().clock, signal: interrupt.signal });
  expect(ended).toMatchObject({ code: 130, stdout: '' });
  expect(ended.stderr).toContain(
    'job job-1 is still running; wait for it with: dtp code-samples jobs get job-1 --wait',
  );
});

test('one command starts a job, reports its id and waits for it', async () => {
  const home = temporaryFolder();
  const { asked, openSend } = service(({ method }, call) =>
    method === 'POST' ? [202, { job_id: 'job-7' }] : call < 3 ? [202, {}] : [200, done],
  );
  const argv = ['code-samples', 'jobs', 'create', '--language', 'go', '--wait'];
  const ended = await run(argv, { openSend, home, clock: jumping().clock });
  expect([ended.code, JSON.parse(ended.stdout)]).toEqual([0, done]);
  expect(ended.stderr).toContain('started job job-7');
  expect(asked).toEqual([
    'POST /v1/code_sample/preview/async',
    'GET /v1/code_sample/preview/async/job-7',
    'GET /v1/code_sample/preview/async/job-7',
  ]);
  const nameless = service(() => [202, {}]);
  expect((await run(argv, { openSend: nameless.openSend, clock: jumping().clock })).code).toBe(12);
});

test.each([
  [[...get, '--wait', '--poll-interval', 'soon'], '--poll-interval must be a time'],
  [[...get, '--wait', '--wait-timeout', '0'], '--wait-timeout must be a time'],
  [['artifacts', 'revisions', 'list', 'ns', '--limit', '0'], '--limit must be a number above 0'],
  [['artifacts', 'revisions', 'list', 'ns', '--retry', '6'], '--retry must be a number from 0 to 5'],
])('dtp %j is refused before anything is sent', async (argv, words) => {
  const ended = await run(argv, {});
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toContain(words);
});

const list = ['artifacts', 'revisions', 'list', 'ns'];
const path = '/v1/artifacts/namespaces/ns/revisions';
/** Three pages of two rows. */
const paged = () =>
  service(({ url }) => {
    const page = Number(new URL(url).searchParams.get('next_page_token') ?? 1);
    const items = [{ digest: `d${page}a` }, { digest: `d${page}b` }];
    return [200, { items, next_page_token: page < 3 ? String(page + 1) : '', more: 'kept' }];
  });

test('a single page is shown unchanged, and a note says how to get the rest', async () => {
  const { asked, openSend } = paged();
  const ended = await run(list, { openSend });
  expect(JSON.parse(ended.stdout)).toMatchObject({ next_page_token: '2', more: 'kept' });
  expect(ended.stderr).toBe('there are more results: pass --all, or --page-token 2\n');
  expect(asked).toEqual([`GET ${path}`]);
});

test('all pages are one document', async () => {
  const { asked, openSend } = paged();
  const ended = await run([...list, '--all'], { openSend });
  const digests = ['d1a', 'd1b', 'd2a', 'd2b', 'd3a', 'd3b'];
  expect(JSON.parse(ended.stdout)).toEqual({ items: digests.map((digest) => ({ digest })) });
  expect(asked).toEqual([`GET ${path}`, `GET ${path}?next_page_token=2`, `GET ${path}?next_page_token=3`]);
});

test('a limit takes as many pages as it needs, starting at a token', async () => {
  const { asked, openSend } = paged();
  const ended = await run([...list, '--limit', '3', '--page-token', '2', '-o', 'ndjson'], { openSend });
  expect(ended.stdout).toBe('{"digest":"d2a"}\n{"digest":"d2b"}\n{"digest":"d3a"}\n');
  expect(asked).toHaveLength(2);
});

test('lines are written page by page, and stay whole if a later page fails', async () => {
  const { openSend } = service(({ url }) =>
    url.includes('token') ? [500, { message: 'no' }] : [200, { items: [{ digest: 'a' }], next_page_token: 't' }],
  );
  const ended = await run([...list, '--all', '-o', 'ndjson'], { openSend });
  expect(ended).toMatchObject({ code: 10, stdout: '{"digest":"a"}\n' });
  const merged = await run([...list, '--all'], { openSend });
  expect(merged).toMatchObject({ code: 10, stdout: '' });
});

test('lines are written to a file atomically', async () => {
  const home = temporaryFolder();
  const { openSend } = paged();
  const argv = [...list, '--all', '-o', 'ndjson', '-O', 'out.ndjson'];
  expect((await run(argv, { openSend, home })).code).toBe(0);
  expect(readFileSync(join(home, 'out.ndjson'), 'utf8').split('\n')).toHaveLength(7);
});

test('a repeated page is an error instead of an endless list', async () => {
  const { openSend } = service((_, call) => [200, { items: [], next_page_token: call < 3 ? `t${call}` : 't1' }]);
  const ended = await run([...list, '--all'], { openSend });
  expect(ended).toMatchObject({ code: 12, stdout: '' });
  expect(ended.stderr).toContain('the page token t1 twice');
});

test('a response without a list is a bad response', async () => {
  const { openSend } = service(() => [200, { next_page_token: 't' }]);
  expect((await run([...list, '--all'], { openSend })).code).toBe(12);
});

test.each([429, 504, 503, 408])(
  '--retry repeats a read after a %i, up to the given number of times',
  async (status) => {
    const { asked, openSend } = service(() => [status, {}]);
    const ended = await run(['ws', 'list', '--retry', '2'], { openSend, clock: jumping().clock });
    expect([ended.code === 0, asked.length]).toEqual([false, 3]);
    const later = service((_, call) => (call < 3 ? [status, {}] : [200, []]));
    expect((await run(['ws', 'list', '--retry', '2'], { openSend: later.openSend, clock: jumping().clock })).code).toBe(
      0,
    );
  },
);

test('--retry does not repeat writes, and does not change declared retries', async () => {
  const { asked, openSend } = service(() => [503, {}]);
  await run(['ws', 'create', '--body', '{"name":"x"}', '--retry', '5'], { openSend, clock: jumping().clock });
  expect(asked).toHaveLength(1);
  const access = service(() => [429, {}]);
  await run(['auth', 'access', '--retry', '5'], { openSend: access.openSend, clock: jumping().clock });
  expect(access.asked).toHaveLength(1);
});
