/** What each status means for events: the number of attempts, the waits, whether events are queued, and the exit code. */
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { DtpError } from '../../../src/errors.ts';
import { deliver } from '../../../src/flows/deliver.ts';
import { temporaryFolder } from '../../support/context.ts';
import { events, type FakeStatus, ndjson, receiver, refusal } from '../../support/event-service.ts';
import { onDisk } from '../../support/spool-world.ts';

/** How a post of one batch ends if every response is the same. Written by hand from api.md (Limits 1) and the contract. */
interface Row {
  readonly name: string;
  readonly said: FakeStatus;
  readonly state: 'pending' | 'rejected';
  readonly code: number;
  /** The number of requests until the declared budget of 60 s is used up, or 1 for statuses without a retry. */
  readonly sent: number;
}

const asks = (status: number) => ({ status, headers: { 'retry-after': '9' } });
const rejected = (said: number, code = 7): Row => ({
  ...{ name: String(said), said, state: 'rejected', code, sent: 1 },
});
const pending = (said: FakeStatus, sent: number, code = 75): Row => ({
  name: typeof said === 'number' ? String(said) : `${said.status} with Retry-After: 9`,
  ...{ said, state: 'pending', code, sent },
});

/** Waits of 125 ms, growing by half up to 1.67 s: the 41st attempt is the last within 60 s. */
const CURVE = 41;
/** Waits of 9 s: attempts at 0, 9, … 54 s. */
const ASKED = 7;

const rows: readonly Row[] = [
  rejected(400),
  pending(401, 1, 4),
  rejected(402),
  pending(403, 1, 5),
  rejected(404, 6),
  rejected(405),
  pending(408, CURVE),
  rejected(409),
  rejected(410, 6),
  rejected(413),
  rejected(422),
  rejected(425),
  pending(429, 1),
  pending(asks(429), ASKED),
  rejected(451),
  rejected(499),
  pending(500, CURVE),
  pending(501, 1),
  pending(502, CURVE),
  pending(503, CURVE),
  pending(asks(503), ASKED),
  pending(504, 1),
  pending(asks(504), 1),
  pending(505, 1),
  pending(507, 1),
  pending(511, 1),
  pending(599, 1),
];
const table = rows.map((row) => [row.name, row] as const);

/** Time advances only while somebody waits. Deadlines of 10 s and more are never reached. */
function waiting() {
  let now = Date.UTC(2026, 0, 31, 12);
  const waits: number[] = [];
  const sleep = async (ms: number, signal?: AbortSignal) => {
    if (ms >= 10_000) return new Promise<void>((_, over) => signal?.addEventListener('abort', over));
    waits.push(ms);
    now += ms;
    await new Promise((done) => setImmediate(done));
  };
  const clock: Clock = { now: () => now, sleep };
  return { clock, waited: () => waits.reduce((sum, ms) => sum + ms, 0) };
}

const one = ['post', '--no-fill', '--body', '{"id":"e_1"}', '-o', 'json'];
const statesIn = (home: string) => onDisk(join(home, 'state')).map(({ state }) => state);

describe('the answer to a post is', () => {
  test.each(table)('%s', async (_, { said, state, code, sent }) => {
    const home = temporaryFolder();
    const { clock, waited } = waiting();
    const service = receiver(() => said);
    const ended = await events(one, { home, clock, openSend: service.openSend });
    expect([service.bodies.length, statesIn(home), ended.code, ended.stdout]).toEqual([sent, [state], code, '']);
    if (sent === 1) expect(waited()).toBe(0);
    else expect(waited()).toBeLessThanOrEqual(60_000);
  });

  test.each(table)('%s, and nothing is queued', async (_, { said, sent }) => {
    const { clock } = waiting();
    const home = temporaryFolder();
    const service = receiver(() => said);
    const ended = await events([...one, '--no-queue'], { home, clock, openSend: service.openSend });
    expect([service.bodies.length, statesIn(home), ended.code === 0]).toEqual([sent, [], false]);
  });

  test.each(table)('503, then %s', async (_, { said, state, code, sent }) => {
    const home = temporaryFolder();
    const { clock } = waiting();
    const service = receiver((__, call) => (call === 1 ? 503 : said));
    const ended = await events(one, { home, clock, openSend: service.openSend });
    // The wait after the 503 is on the curve. Then there is still room for as many attempts 9 s apart as before.
    const due = sent === CURVE ? CURVE : 1 + sent;
    expect([service.bodies.length, statesIn(home), ended.code]).toEqual([due, [state], code]);
  });
});

test.each(table)('the answer to a flush is %s', async (_, { said, state, code, sent }) => {
  const home = temporaryFolder();
  const away = receiver(() => 504);
  expect((await events(one, { home, openSend: away.openSend })).code).toBe(75);
  const { clock, waited } = waiting();
  const service = receiver(() => said);
  const ended = await events(['queue', 'flush', '-o', 'json'], { home, clock, openSend: service.openSend });
  expect([service.bodies.length, statesIn(home), ended.code, ended.stdout]).toEqual([sent, [state], code, '']);
  if (sent === 1) expect(waited()).toBe(0);
});

test.each(table)('the answer to the queued events of an earlier post is %s', async (_, { said, state, sent }) => {
  const home = temporaryFolder();
  await events(one, { home, openSend: receiver(() => 504).openSend });
  const { clock } = waiting();
  const service = receiver((body) => (body.includes('e_1') ? said : 200));
  const later = ['post', '--no-fill', '--body', '{"id":"e_2"}'];
  const ended = await events(later, { home, clock, openSend: service.openSend });
  // The limit of 10 s for this is a deadline, which is never reached here.
  const earlier = service.bodies.filter((body) => body.includes('e_1')).length;
  expect([earlier, service.bodies.length - earlier, ended.code, statesIn(home)]).toEqual([sent, 1, 0, [state]]);
});

/**
 * During an outage, one batch is tried every 1.67 s, or as the service asks, for 60 s: at 1.67, 3.33, … 60 s, and at
 * 1.67, 10.67, … 55.67 s.
 */
const tries: Readonly<Record<number, number>> = { [CURVE]: 36, [ASKED]: 7, 1: 1 };

test.each(table)('the answer to an attempt during an outage is %s', async (_, { said, state, sent }) => {
  const { clock } = waiting();
  const { status, waitMs } = typeof said === 'number' ? { status: said } : { status: said.status, waitMs: 9000 };
  const code = status === 401 ? 'auth' : status === 403 ? 'forbidden' : status >= 500 ? 'server' : 'rejected';
  const retryable = [408, 429, 500, 502, 503, 504].includes(status);
  const said503 = new DtpError('server', 'away', { status: 503, retryable: true });
  const failure = new DtpError(status === 429 ? 'rate_limited' : code, 'no', {
    ...{ status, retryable },
    ...(waitMs !== undefined && { waitMs }),
  });
  const again: boolean[] = [];
  const { tally } = await deliver(inputOf(1), {
    ...optionsWith(clock),
    send: async (__, isDeclared) => {
      again.push(isDeclared);
      throw again.length === 1 ? said503 : failure;
    },
  });
  // Only the first attempt uses the declared retry. The others are attempts during the outage.
  expect(again).toEqual([true, ...Array(tries[sent] ?? 0).fill(false)]);
  expect(tally).toMatchObject({ pending: 0, rejected: 0, [state]: 1, delivered: 0 });
});

test.each([401, 403, 429, 501, 504, 505])('after a %i nothing more is sent, however much is read', async (status) => {
  const home = temporaryFolder();
  const { clock, waited } = waiting();
  const service = receiver((_, call) => (call === 3 ? status : 200));
  const argv = ['post', '--body', '-', '--batch-size', '10', '-o', 'json'];
  await events(argv, { home, clock, stdin: ndjson(100), openSend: service.openSend });
  expect([service.bodies.length, service.events().length, waited()]).toEqual([3, 20, 0]);
  expect(statesIn(home)).toEqual(Array(8).fill('pending'));
});

test('a success in another lane meanwhile does not resume sending', async () => {
  const { clock } = waiting();
  const sent: string[] = [];
  let acknowledge: (attempts: number) => void = () => undefined;
  const late = new Promise<number>((done) => {
    acknowledge = done;
  });
  // Two executions in different lanes, with two batches each.
  const input = (async function* () {
    for (const id of ['a1', 'b1', 'a2', 'b2'])
      yield [{ bytes: Buffer.from(JSON.stringify(id)), execution: id.charAt(0) }];
  })();
  const { tally } = await deliver(input, {
    ...optionsWith(clock),
    concurrency: 2,
    send: async (body) => {
      sent.push(Buffer.from(body).toString());
      if (sent.length < 2) return late;
      setImmediate(() => acknowledge(1));
      throw new DtpError('server', 'late', { status: 504, retryable: true });
    },
  });
  expect(sent).toEqual(['["a1"]', '["b1"]']);
  expect(tally).toMatchObject({ delivered: 1, pending: 3, attempts: 2 });
});

test('a connection failure is retried like a 503', async () => {
  const { clock } = waiting();
  const service = receiver(() => refusal);
  expect((await events(one, { clock, openSend: service.openSend })).code).toBe(75);
  expect(service.bodies).toHaveLength(CURVE);
});

async function* inputOf(count: number) {
  for (let n = 0; n < count; n++) yield [{ bytes: Buffer.from('{}'), execution: 'x' }];
}

const optionsWith = (clock: Clock) => ({
  keep: async (body: Uint8Array, count: number) => ({
    ...{ id: '', base: '', workspace: '', created_at: '', events: count },
    read: async () => body,
    remove: async () => undefined,
    replace: async () => undefined,
    reject: async () => undefined,
  }),
  ...{ batchSize: 1, batchBytes: 1000, concurrency: 1, clock, random: () => 0.5 },
  signal: new AbortController().signal,
  tell: () => undefined,
});
