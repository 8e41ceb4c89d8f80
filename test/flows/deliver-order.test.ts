/** Batches that are queued at the same time: each one on the disk is counted, and one wait is enough for all of them. */
import { expect, test } from 'vitest';
import { DtpError, ExitCode } from '../../src/errors.ts';
import type { EventBytes } from '../../src/flows/body.ts';
import { type DeliverOptions, deliver } from '../../src/flows/deliver.ts';
import type { Keep, Queued } from '../../src/store/spool.ts';

const turn = () => new Promise((done) => setImmediate(done));

/** Posts batches of one event. `keep` queues the batch with this number, from 1. */
function post(
  count: number,
  keep: (number: number, makeRoom: () => Promise<boolean>) => Promise<void>,
  options: Partial<DeliverOptions> = {},
  around = (events: AsyncIterable<readonly EventBytes[]>) => events,
) {
  let number = 0;
  const queue: Keep = async (_, events, makeRoom) => {
    await keep(++number, makeRoom);
    const queued: Queued = {
      ...{ id: '', base: '', workspace: '', created_at: '', events },
      read: async () => Buffer.from('[]'),
      remove: async () => undefined,
      replace: async () => undefined,
      reject: async () => undefined,
    };
    return queued;
  };
  const input = (async function* () {
    const bytes = Buffer.from('{}');
    yield Array.from({ length: count }, (): EventBytes => ({ bytes, execution: 'x_1' }));
  })();
  return deliver(around(input), {
    keep: queue,
    send: async () => 1,
    ...{ batchSize: 1, batchBytes: 1000, concurrency: 1, random: () => 0.5 },
    ...{ clock: { now: () => 0, sleep: async () => undefined }, tell: () => undefined },
    signal: new AbortController().signal,
    ...options,
  });
}

test('a batch that is still being written when a later one fails is waited for and counted', async () => {
  const writes: (() => void)[] = [];
  let hasEnded = false;
  const delivery = post(3, async (number) => {
    if (number === 3) throw new Error('no room');
    if (number === 2) await new Promise<void>((done) => writes.push(done));
  });
  void delivery.then(() => {
    hasEnded = true;
  });
  for (let turns = 0; turns < 20; turns++) await turn();
  expect([hasEnded, writes.length]).toEqual([false, 1]);
  for (const done of writes) done();
  const { tally, ended, left } = await delivery;
  expect([tally.accepted, tally.delivered, left]).toEqual([2, 2, 1]);
  expect(String(ended)).toContain('no room');
});

test('while many batches wait for room during an outage, only one of them sends and waits', async () => {
  let [waits, most, sends] = [0, 0, 0];
  let now = 0;
  const sleep = async (ms: number) => {
    most = Math.max(most, ++waits);
    await turn();
    now += ms;
    waits--;
  };
  const keep = async (number: number, makeRoom: () => Promise<boolean>) => {
    if (number > 1 && !(await makeRoom())) throw new Error('no room');
  };
  const send = async () => {
    if (++sends <= 3) throw new DtpError('network', 'down', { status: 503 });
    return 1;
  };
  const { tally } = await post(20, keep, { clock: { now: () => now, sleep }, send });
  expect(tally).toMatchObject({ accepted: 20, delivered: 20 });
  expect([most, sends]).toEqual([1, 23]);
});

/** Why the delivery ends early, whether sending or reading is what waits meanwhile, and what is reported. */
test.each([
  ['the deadline', new DtpError('timeout', 'no result within 5 s'), false, 'the disk is full'],
  ['the deadline, while the input goes on', new DtpError('timeout', 'no result within 5 s'), true, 'the disk is full'],
  ['an interrupt', new ExitCode(130), false, 'exited with 130'],
  ['an interrupt, while the input goes on', new ExitCode(130), true, 'exited with 130'],
])('%s ends a wait for room on the disk: %s', async (_, reason, isReading, reported) => {
  const end = new AbortController();
  const keep = async (number: number, makeRoom: () => Promise<boolean>) => {
    if (number > 1 && !(await makeRoom())) throw new DtpError('error', 'the disk is full');
  };
  const sleep = async () => end.abort(reason);
  const send = async () => {
    throw new DtpError('network', 'down', { status: 503 });
  };
  const options = { signal: end.signal, clock: { now: () => 0, sleep }, send };
  const input = async function* (events: AsyncIterable<readonly EventBytes[]>) {
    yield* events;
    if (!isReading) return;
    while (!end.signal.aborted) await turn();
    throw reason;
  };
  const { ended, tally, left } = await post(20, keep, options, input);
  expect([(ended as Error).message, tally.accepted, left]).toEqual([reported, 1, 19]);
});

test('a deadline without another reason is reported', async () => {
  const end = new AbortController();
  const late = new DtpError('timeout', 'no result within 5 s');
  const input = async function* (events: AsyncIterable<readonly EventBytes[]>) {
    yield* events;
    end.abort(late);
    throw late;
  };
  const { ended } = await post(0, async () => undefined, { signal: end.signal }, input);
  expect(ended).toBe(late);
});
