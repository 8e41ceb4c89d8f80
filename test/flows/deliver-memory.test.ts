/** The memory of a delivery: buffered bytes and bytes in transit are limited, however many batches there are. */
import { expect, test } from 'vitest';
import type { EventBytes } from '../../src/flows/body.ts';
import { deliver } from '../../src/flows/deliver.ts';
import type { Keep } from '../../src/store/spool.ts';

const MIB = 1024 ** 2;
/** The limit of buffered bytes and of bytes in transit, plus one batch each. */
const BOUND = 2 * 32 * MIB + 2 * 8 * MIB;
const EVENTS = 64;

const turn = () => new Promise((done) => setImmediate(done));
const bytes = Buffer.from(JSON.stringify({ pad: 'x'.repeat(8 * MIB) }));

/** A disk that takes no memory. */
const keep: Keep = async (_, events) => ({
  ...{ id: '', base: '', workspace: '', created_at: '', events },
  read: async () => Buffer.concat([Buffer.from('['), bytes, Buffer.from(']')]),
  remove: async () => undefined,
  replace: async () => undefined,
  reject: async () => undefined,
});

async function run(queue: Keep | undefined) {
  let [read, settled, under, most, held] = [0, 0, 0, 0, 0];
  const input = (async function* () {
    for (; read < EVENTS; read++) {
      held = Math.max(held, (read - settled) * bytes.byteLength);
      yield [{ bytes, execution: `x_${read}` } satisfies EventBytes];
    }
  })();
  const { tally } = await deliver(input, {
    keep: queue,
    send: async (body) => {
      under += body.byteLength;
      most = Math.max(most, under);
      for (let count = 0; count < 20; count++) await turn();
      under -= body.byteLength;
      settled++;
      return 1;
    },
    ...{ batchSize: 500, batchBytes: 4 * MIB, concurrency: 64, random: () => 0.5 },
    clock: { now: () => 0, sleep: async () => undefined },
    signal: new AbortController().signal,
    tell: () => undefined,
  });
  return { tally, most, held };
}

test.each([
  ['queued', keep],
  ['not queued', undefined],
])('64 events of 8 MiB in 64 lanes, %s', async (_, queue) => {
  const { tally, most, held } = await run(queue);
  expect(tally).toMatchObject({ accepted: EVENTS, delivered: EVENTS });
  expect(most, 'in transit').toBeLessThanOrEqual(BOUND / 2);
  // The rest of the queued batches is on the disk.
  if (!queue) expect(held, 'read but not delivered').toBeLessThanOrEqual(BOUND);
});

test('the buffers of settled batches are used again, and none changes while it is written or sent', async () => {
  const [batches, batchSize] = [400, 10];
  const buffers = new Set<ArrayBufferLike>();
  const used = new Set<ArrayBufferLike>();
  const seen: number[] = [];
  const numbersIn = (body: Uint8Array) =>
    (JSON.parse(Buffer.from(body).toString()) as { n: number }[]).map(({ n }) => n);
  /** Fails if another batch uses the memory, or changes it before the work ends. */
  const using = async (body: Uint8Array, work: Set<ArrayBufferLike>) => {
    const before = Buffer.from(body);
    buffers.add(body.buffer);
    expect(work.has(body.buffer)).toBe(false);
    work.add(body.buffer);
    for (let count = 0; count < 3; count++) await turn();
    work.delete(body.buffer);
    expect(before.equals(body)).toBe(true);
  };
  const writing = new Set<ArrayBufferLike>();
  const input = (async function* () {
    for (let from = 0; from < batches * batchSize; from += batchSize) {
      const events = Array.from({ length: batchSize }, (_, at) => Buffer.from(JSON.stringify({ n: from + at })));
      yield events.map((bytes) => ({ bytes, execution: `x_${from % 64}` }) satisfies EventBytes);
    }
  })();
  const { tally } = await deliver(input, {
    keep: async (body, events, room) => {
      await using(body, writing);
      return keep(body, events, room);
    },
    send: async (body) => {
      await using(body, used);
      seen.push(...numbersIn(body));
      return 1;
    },
    ...{ batchSize, batchBytes: 4 * MIB, concurrency: 4, random: () => 0.5 },
    clock: { now: () => 0, sleep: async () => undefined },
    signal: new AbortController().signal,
    tell: () => undefined,
  });
  expect(tally).toMatchObject({ accepted: batches * batchSize, delivered: batches * batchSize });
  expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: batches * batchSize }, (_, n) => n));
  // At most 32 batches wait in memory. Each lane may send one more, and fill another.
  expect(buffers.size).toBeLessThanOrEqual(32 + 3 * 4);
});
