/** How each response affects a command with --wait: how often it polls, when it stops, and with which error. */
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { DtpError } from '../../src/errors.ts';
import { jumpingClock } from '../support/clocks.ts';
import { dtp } from '../support/context.ts';
import { type Reply, service } from '../support/function-service.ts';

const env = { DTP_BASE_URL: 'https://api.example.test', DTP_API_KEY: 'k-1', DTP_ERROR_FORMAT: 'text' };
const lost = new DtpError('network', 'the host closed the connection', { retryable: true });
const untrusted = new DtpError('network', 'the certificate has expired', { retryable: false });
const started: Reply = [202, { job_id: 'j_1', status: 'queued' }];
const run = (number: number, status: string): Reply => [
  200,
  { run_url: `https://ci.example.test/${number}`, run_status: status },
];

interface Command {
  readonly argv: readonly string[];
  readonly before: readonly Reply[];
  readonly running: Reply;
  readonly done: Reply;
  /** What an error says about a command that is still running. */
  readonly state: string;
}

/** The commands that wait, each with its responses before the polls, for a poll while it runs, and at the end. */
const commands = {
  'jobs get': {
    argv: ['code-samples', 'jobs', 'get', 'j_1'],
    before: [],
    running: [202, { status: 'running' }],
    done: [200, { snippets: [] }],
    state: 'the job is still running',
  },
  'jobs create': {
    argv: ['code-samples', 'jobs', 'create', '--language', 'go'],
    before: [started],
    running: [202, { status: 'running' }],
    done: [200, { snippets: [] }],
    state: 'the job is still running',
  },
  'actions trigger': {
    argv: [...['codehost', 'actions', 'trigger', '--org', 'acme', '--repo-name', 'sdk', '--gen-lock-id', 'l_1']],
    before: [run(1, 'completed'), [204]],
    running: run(2, 'queued'),
    done: run(2, 'completed'),
    state: 'the run is queued',
  },
} as const satisfies Readonly<Record<string, Command>>;
type Answer = Reply | DtpError;

/** Time only advances during the waits between polls. The deadline of a poll is never reached. */
function waiting() {
  let now = 0;
  const waits: number[] = [];
  const { signal: own } = new AbortController();
  const sleep: Clock['sleep'] = async (ms, signal) => {
    if (signal !== own) return new Promise((_, over) => signal?.addEventListener('abort', over));
    waits.push(ms);
    now += ms;
  };
  return { clock: { now: () => now, sleep }, signal: own, waits };
}

/** Waits for a command whose polls get these answers. The last one is repeated. */
async function poll({ argv, before }: Command, answers: readonly Answer[], flags: readonly string[] = []) {
  const { clock, signal, waits } = waiting();
  const all: readonly Answer[] = [...before, ...answers];
  const { asked, openSend } = service((_, call) => all[Math.min(call, all.length) - 1] as Answer);
  const line = [...argv, '--wait', '--wait-timeout', '1m', '--poll-interval', '2s', '-o', 'json', ...flags];
  const { code, stdout, stderr } = await dtp(line, { env, openSend, clock, signal });
  return { code, stdout, stderr, polls: asked.length - before.length, waits, ms: clock.now() };
}

const temporary: readonly (readonly [name: string, answer: Answer, code: number, message: string])[] = [
  ['408', [408, {}], 7, '408 from GET'],
  ['429', [429, {}], 9, '429 from GET'],
  ['500', [500, {}], 10, '500 from GET'],
  ['502', [502, {}], 10, '502 from GET'],
  ['503', [503, {}], 10, '503 from GET'],
  ['504', [504, {}], 10, '504 from GET'],
  ['lost connection', lost, 11, 'the host closed the connection'],
];

const final: readonly (readonly [name: string, answer: Answer, code: number, message: string])[] = [
  ['204', [204], 12, '204 from GET'],
  ['302', [302, {}, { location: 'https://else.example.test' }], 12, '302 from GET'],
  ['400', [400, {}], 7, '400 from GET'],
  ['401', [401, {}], 4, '401 from GET'],
  ['403', [403, {}], 5, '403 from GET'],
  ['410', [410, {}], 6, '410 from GET'],
  ['422', [422, {}], 7, '422 from GET'],
  ['501', [501, {}], 10, '501 from GET'],
  ['505', [505, {}], 10, '505 from GET'],
  ['empty 200', [200], 12, '200 from GET'],
  ['200 with garbage', [200, Buffer.from('{"snip')], 12, '200 from GET'],
  ['200 with a web page', [200, Buffer.from('<html>')], 12, '200 from GET'],
  ['bad certificate', untrusted, 11, 'the certificate has expired'],
];

describe.each(Object.entries(commands))('%s', (name, command) => {
  const { running, done, state } = command;

  test.each(temporary)('a %s for good ends the wait after 30 s', async (_, answer, code, message) => {
    const ended = await poll(command, [running, answer]);
    expect([ended.code, ended.stdout, ended.polls, ended.ms]).toEqual([code, '', 18, 34_000]);
    expect(ended.stderr).toContain(message);
    expect(ended.stderr).not.toContain('not finish');
    // With a long interval, five polls in a row take longer than 30 s.
    const slow = await poll(command, [running, answer], ['--poll-interval', '9s']);
    expect([slow.code, slow.polls, slow.ms]).toEqual([code, 7, 54_000]);
  });

  test.each(temporary)('a %s that passes does not end the wait', async (_, answer) => {
    const five = Array.from({ length: 5 }, () => answer);
    const answers = [...five, running, ...five, done];
    const ended = await poll(command, answers, ['--poll-interval', '10s', '--wait-timeout', '5m']);
    expect([ended.code, ended.polls, ended.ms]).toEqual([0, 12, 110_000]);
  });

  test.each(temporary)('after a %s at the end, the last state is reported', async (_, answer, __, message) => {
    const ended = await poll(command, [running, answer], ['--wait-timeout', '10s']);
    expect([ended.code, ended.stdout, ended.ms]).toEqual([124, '', 9500]);
    expect(ended.stderr).toContain(`did not finish within 10 s: ${state}. The last poll failed: `);
    expect(ended.stderr).toContain(message);
    const unread = await poll(command, [answer], ['--wait-timeout', '10s']);
    expect(unread.stderr).toContain('did not finish within 10 s, and no poll has read its status');
    expect(unread.stderr).not.toContain(state);
  });

  test.each(final)('a %s ends the wait at once', async (_, answer, code, message) => {
    const ended = await poll(command, [running, answer, done]);
    expect([ended.code, ended.stdout, ended.polls, ended.ms]).toEqual([code, '', 2, 2000]);
    expect(ended.stderr).toContain(message);
  });

  test('a 404 ends the wait, unless a repository has no run yet', async () => {
    const ended = await poll(command, [running, [404, {}], done]);
    expect([ended.code, ended.stdout, ended.polls]).toEqual([6, '', 2]);
    const early = await poll(command, [[404, {}], running, done]);
    expect([early.code, early.polls]).toEqual(name === 'actions trigger' ? [0, 3] : [6, 1]);
  });

  test('while it runs, it is polled to the end of the wait, and no longer', async () => {
    const ended = await poll(command, [running]);
    expect([ended.code, ended.stdout, ended.polls, ended.ms]).toEqual([124, '', 31, 59_500]);
    expect(ended.stderr).toContain(`did not finish within 60 s: ${state}`);
    expect(ended.stderr).not.toContain('The last poll failed');
    const rare = await poll(command, [running, done], ['--poll-interval', '5m']);
    expect([rare.code, rare.waits]).toEqual([0, [59_500]]);
    const short = await poll(command, [running], ['--wait-timeout', '100ms']);
    expect([short.code, short.polls, short.ms]).toEqual([124, 2, 90]);
  });

  test.each([408, 429, 500, 502, 503, 504])('after a %i, it waits as long as the service asks', async (status) => {
    const asks = (seconds: string): Reply => [status, {}, { 'retry-after': seconds }];
    expect((await poll(command, [running, asks('7'), done])).waits).toEqual([2000, 7000]);
    expect((await poll(command, [running, asks('1'), done])).waits).toEqual([2000, 2000]);
    const long = await poll(command, [running, asks('3600'), done]);
    expect([long.code === 0, long.polls, long.ms]).toEqual([false, 2, 2000]);
    expect(long.stderr).toContain(`${status} from GET`);
  });
});

/** Commands that do not wait: a read, a write, one with a declared retry, and events without a queue. */
const immediate = {
  'ws list': ['ws', 'list'],
  'ws tokens create': ['ws', 'tokens', 'create', '-w', 'w_1', '--name', 'ci'],
  'auth access': ['auth', 'access'],
  'events post': ['events', 'post', '-w', 'w_1', '--interaction-type', 'LINT', '--no-queue', '--no-check'],
} as const;

describe.each([
  [408, true],
  [429, true],
  [500, true],
  [501, false],
  [502, true],
  [503, true],
  [504, true],
  [505, false],
])('the error for a %i says if the request may succeed later', (status, retryable) => {
  const errorOf = ({ stderr }: { readonly stderr: string }) =>
    JSON.parse(stderr.split('\n').findLast((line) => line.startsWith('{"error"')) ?? '').error;

  test.each(Object.entries(commands))('%s', async (name, command) => {
    const error = errorOf(await poll(command, [command.running, [status, {}]], ['--error-format', 'json']));
    // The others have started a job or a run, and would start another one.
    expect(error).toMatchObject({ status, retryable: retryable && name === 'jobs get' });
  });

  test.each(Object.entries(immediate))('%s', async (name, argv) => {
    const { openSend } = service(() => [status, {}]);
    const ended = await dtp([...argv, '-o', 'json'], {
      env: { ...env, DTP_ERROR_FORMAT: 'json' },
      openSend,
      own: 'w_1',
      clock: jumpingClock(),
    });
    const error = errorOf(ended);
    // A service may have created the token before it failed.
    const isUnsure = name === 'ws tokens create' && [500, 502, 504].includes(status);
    expect(error).toMatchObject({ status, retryable: retryable && !isUnsure });
    // An error that is not retryable does not suggest trying again.
    expect(/^Try again/.test(error.hint ?? '')).toBe(error.retryable && status !== 408);
  });
});

test.each([200, 201, 203, 206])('a %i is the result of a job', async (status) => {
  const ended = await poll(commands['jobs get'], [
    [202, {}],
    [status, { snippets: [] }],
  ]);
  expect([ended.code, JSON.parse(ended.stdout), ended.polls]).toEqual([0, { snippets: [] }, 2]);
});

test.each(['jobs get', 'jobs create'] as const)('%s says how to continue after a failure', async (name) => {
  const ended = await poll(commands[name], [[503, {}]]);
  expect(ended.stderr).toContain('try: dtp code-samples jobs get j_1 --wait');
});
