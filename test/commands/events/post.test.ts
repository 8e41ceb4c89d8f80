/** `dtp events post` with its queue: in order, through outages and rejections, and without losing an event. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ExitCode } from '../../../src/errors.ts';
import { jumpingClock } from '../../support/clocks.ts';
import { temporaryFolder } from '../../support/context.ts';
import { events, ndjson, type Receiver, receiver, refusal } from '../../support/event-service.ts';
import { home as homeFolder, start } from '../../support/process.ts';
import { until, writePreload } from '../../support/stubborn-processes.ts';

/** The queued batches: the state and the number of events of each. */
async function kept(home: string): Promise<readonly (readonly [state: string, events: number])[]> {
  const { stdout } = await events(['queue', 'list', '-o', 'json'], { home });
  return JSON.parse(stdout).map((one: { state: string; events: number }) => [one.state, one.events]);
}

const numbers = (service: Receiver, execution?: string) =>
  service
    .events()
    .filter((event) => execution === undefined || event.execution_id === execution)
    .map(({ n }) => n);

const upTo = (count: number, from = 0) => Array.from({ length: count }, (_, n) => n + from);

/** A random generator with a seed. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

test.each([1, 2, 3, 4, 5])('the order of each execution is preserved, whatever fails (seed %i)', async (seed) => {
  const random = chance(seed);
  const wait = () => new Promise((done) => setTimeout(done, random() * 4));
  const service = receiver(async () => {
    await wait();
    if (random() < 0.2) throw refusal;
    return random() < 0.2 ? 503 : 200;
  });
  const ended = await events(['post', '--body', '-', '--batch-size', '7', '--concurrency', '4', '-o', 'json'], {
    stdin: ndjson(400, 13),
    openSend: service.openSend,
    random,
  });
  // Which requests fail depends on their order. Only one that fails several times in a row is reported.
  const others = ended.stderr.replaceAll(
    /^the (service responded with status 503|host refused the connection); trying again\n/gm,
    '',
  );
  expect([ended.code, others]).toEqual([0, '']);
  expect(JSON.parse(ended.stdout)).toMatchObject({
    accepted: 400,
    delivered: 400,
    pending: 0,
    rejected: 0,
  });
  expect(service.events()).toHaveLength(400);
  for (const at of upTo(13)) {
    const own = numbers(service, `x_${at}`);
    expect(own, `x_${at}`).toEqual(own.toSorted((a, b) => a - b));
  }
  // A retried batch has the same bytes, so there are no more bodies than batches.
  expect(new Set(service.bodies).size).toBe(JSON.parse(ended.stdout).batches);
});

test('as many requests are in progress as requested, but one at a time for each execution', async () => {
  for (const [executions, most] of [
    [50, 3],
    [1, 1],
  ] as const) {
    let [under, peak] = [0, 0];
    const service = receiver(async () => {
      peak = Math.max(peak, ++under);
      await new Promise((done) => setTimeout(done, 2));
      under--;
      return 200;
    });
    const argv = ['post', '--body', '-', '--batch-size', '5', '--concurrency', '3'];
    const { code } = await events(argv, { stdin: ndjson(200, executions), openSend: service.openSend });
    expect([code, peak]).toEqual([0, most]);
  }
});

test('an outage in the middle: all events read are queued, and sent before those that are posted later', async () => {
  const home = temporaryFolder();
  const out = receiver((_, call) => (call <= 3 ? 200 : refusal));
  const argv = ['post', '--body', '-', '--batch-size', '10', '-o', 'json'];
  const ended = await events(argv, { home, stdin: ndjson(100), openSend: out.openSend });
  expect([ended.code, ended.stdout]).toEqual([75, '']);
  expect(ended.stderr).toContain('70 of 100 events could not be delivered: the host refused the connection');
  expect(ended.stderr).toContain('try: dtp events queue flush');
  expect(numbers(out)).toEqual(upTo(30));
  expect(await kept(home)).toEqual(Array.from({ length: 7 }, () => ['pending', 10]));

  const back = receiver();
  const later = await events(argv, { home, stdin: ndjson(5, 1, 'later'), openSend: back.openSend });
  expect(later.code).toBe(0);
  expect(later.stderr).toBe('delivered 70 queued events of an earlier command\n');
  expect(JSON.parse(later.stdout)).toMatchObject({ accepted: 5, delivered: 5 });
  expect(numbers(back)).toEqual([...upTo(70, 30), ...upTo(5)]);
  expect(await kept(home)).toEqual([]);
});

test('the end of an outage is noticed, and the events queued meanwhile are delivered in order', async () => {
  const clock = jumpingClock(50);
  // Longer than the declared retry, and over before the input ends.
  const end = clock.now() + 65_000;
  const service = receiver(() => (clock.now() < end ? refusal : 200));
  const home = temporaryFolder();
  const argv = ['post', '--body', '-', '--batch-size', '5', '-o', 'json'];
  const ended = await events(argv, { home, stdin: ndjson(200), clock, openSend: service.openSend });
  expect([ended.code, numbers(service)]).toEqual([0, upTo(200)]);
  expect(await kept(home)).toEqual([]);
});

test('events queued for another workspace or another service stay queued', async () => {
  const home = temporaryFolder();
  const out = receiver(() => refusal);
  const one = ['post', '--body', '{"id":"a"}'];
  for (const env of [{ DTP_WORKSPACE_ID: 'w_2' }, { DTP_BASE_URL: 'https://other.example.test' }])
    expect((await events(one, { home, env, openSend: out.openSend })).code).toBe(75);
  const back = receiver();
  expect((await events(one, { home, openSend: back.openSend })).code).toBe(0);
  expect([back.bodies.length, (await kept(home)).length]).toEqual([1, 2]);
});

test('a wrong credential: all events are queued, the exit code is 4, and one request is enough', async () => {
  const home = temporaryFolder();
  const service = receiver(() => 401);
  const ended = await events(['post', '--body', '-', '--batch-size', '10'], {
    home,
    stdin: ndjson(50),
    openSend: service.openSend,
  });
  expect([ended.code, ended.stdout, service.bodies.length]).toEqual([4, '', 1]);
  expect(ended.stderr).toContain('50 events are queued; send them with: dtp events queue flush');
  expect(ended.stderr).toContain('The credential came from DTP_API_KEY (profile default). Set DTP_API_KEY to');
  expect(ended.stderr).not.toContain('auth login');
  expect(await kept(home)).toEqual(Array.from({ length: 5 }, () => ['pending', 10]));
});

test.each([
  [() => 422, 7, [0, 30], 'said 422'],
  [(body: string) => (body.includes('"e_1"') ? 422 : 200), 14, [29, 1], '1 of 30 events was rejected'],
  [(body: string) => (body.includes('"e_1"') ? 404 : 200), 14, [20, 10], '10 of 30 events were rejected'],
])('rejected events are stored separately, with the status: %#', async (answer, code, [taken, apart], words) => {
  const home = temporaryFolder();
  const service = receiver(answer);
  const world = { home, stdin: ndjson(30), openSend: service.openSend };
  const ended = await events(['post', '--body', '-', '--batch-size', '10'], world);
  expect([ended.code, ended.stdout, service.events().length]).toEqual([code, '', taken]);
  expect(ended.stderr).toContain(words);
  expect(ended.stderr).toContain('try: dtp events queue list');
  const list = JSON.parse((await events(['queue', 'list'], { home })).stdout);
  expect(list.reduce((sum: number, one: { events: number }) => sum + one.events, 0)).toBe(apart);
  const status = answer('"e_1"');
  for (const one of list)
    expect(one).toMatchObject({
      state: 'rejected',
      status,
      reason: expect.stringContaining(`said ${status}`),
    });
});

test('with --no-queue, nothing is written to disk, and a failure is an error', async () => {
  const home = temporaryFolder();
  const service = receiver((_, call) => (call === 1 ? 200 : refusal));
  const world = { home, stdin: ndjson(30), openSend: service.openSend };
  const ended = await events(['post', '--body', '-', '--batch-size', '10', '--no-queue'], world);
  expect([ended.code, ended.stdout]).toEqual([11, '']);
  expect(ended.stderr).toContain('10 events were accepted, 20 more were read but not accepted');
  expect(numbers(service)).toEqual(upTo(10));
  expect(existsSync(join(home, 'state'))).toBe(false);
});

test('a full queue stops the command, which reports how far it got and loses nothing', async () => {
  const home = temporaryFolder();
  const out = receiver(() => refusal);
  const env = { DTP_QUEUE_MAX_BYTES: '700' };
  const argv = ['post', '--no-fill', '--body', '-', '--batch-size', '5'];
  const ended = await events(argv, { home, env, stdin: ndjson(30), openSend: out.openSend });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain('the queue is full: its limit is 700 bytes. 15 events were accepted');
  expect(ended.stderr).toMatch(/\d+ more were read but not accepted/);
  expect(await kept(home)).toEqual(Array.from({ length: 3 }, () => ['pending', 5]));
});

test('an invalid event: nothing of its batch is accepted, and the error says how far it got', async () => {
  const stdin = `${ndjson(25)}xx\n${ndjson(5)}`;
  const argv = ['post', '--body', '-', '--batch-size', '10'];
  const stopped = receiver();
  const ended = await events(argv, { stdin, openSend: stopped.openSend });
  expect([ended.code, ended.stdout, numbers(stopped)]).toEqual([2, '', upTo(20)]);
  expect(ended.stderr).toContain('--body: line 26 is not JSON');
  expect(ended.stderr).toContain('20 events were accepted, up to line 20. The rest was not read');
  expect(ended.stderr).toContain('--on-error skip');
  const going = receiver();
  const skipped = await events([...argv, '--on-error', 'skip'], { stdin, openSend: going.openSend });
  expect([skipped.code, numbers(going)]).toEqual([14, [...upTo(25), ...upTo(5)]]);
  expect(skipped.stderr).toContain('warning: skipped: --body: line 26 is not JSON');
  expect(skipped.stderr).not.toContain('--on-error');
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((done) => setImmediate(done));
}

test.each([
  [['--body', '-'], ndjson(40), 40],
  [['--body', '{"id":"a"}'], undefined, 1],
])(
  'an interrupt while a request hangs: all events read are queued, and the output says so (%j)',
  async (body, stdin, count) => {
    const home = temporaryFolder();
    const interrupt = new AbortController();
    const service = receiver(
      (_, __, signal) =>
        new Promise((_done, failed) => {
          signal.addEventListener('abort', () => failed(signal.reason));
          // If there was time to read on, batches in memory are read in turns of any length.
          turns(1000).then(() => interrupt.abort(new ExitCode(130)));
        }),
    );
    const world = { home, signal: interrupt.signal, openSend: service.openSend, ...(stdin && { stdin }) };
    const ended = await events(['post', ...body, '--batch-size', '10'], world);
    expect([ended.code, ended.stdout]).toEqual([130, '']);
    expect(ended.stderr).toContain(`interrupted: 0 events delivered, ${count} queued`);
    expect((await kept(home)).reduce((sum, [, events]) => sum + events, 0)).toBe(count);
  },
);

test.skipIf(process.platform === 'win32')('SIGINT while a pipe is read ends by itself', async () => {
  const { folder, remove } = homeFolder();
  onTestFinished(remove);
  // In the current folder, a pipe is refused.
  const fifo = join(temporaryFolder(), 'fifo');
  execFileSync('mkfifo', [fifo]);
  const address = { DTP_BASE_URL: 'http://127.0.0.1:1', DTP_API_KEY: 'k', DTP_WORKSPACE_ID: 'w' };
  const env = { ...address, ...writePreload(folder).env };
  const child = start(folder, ['events', 'post', '--body', `@${fifo}`, '--batch-size', '2', '-v'], { env });
  let told = '';
  child.stderr.on('data', (chunk) => {
    told += chunk;
  });
  // Opens when the tool has opened its end.
  const writer = await open(fifo, 'w');
  await writer.write(ndjson(5));
  // It waits for the next attempt, and meanwhile queues all three batches, the last one because the pipe pauses.
  const queued = () =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.batch'));
  await until(() => told.includes('attempt 2 failed') && queued().length === 3);
  child.kill('SIGINT');
  const ended = await new Promise((done) => child.on('close', (code, by) => done([code, by])));
  await writer.close();
  expect(ended, told).toEqual([130, null]);
  expect(told).toContain('interrupted: 0 events delivered, 5 queued (send them with: dtp events queue flush)');
  expect(told).toContain('5 events were accepted, up to line 5');
});
