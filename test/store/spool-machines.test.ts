/** One folder of the queue for two machines, whose processes cannot see each other: each takes the other's locks. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import type { EventBytes } from '../../src/flows/body.ts';
import { deliver } from '../../src/flows/deliver.ts';
import { flush } from '../../src/flows/flush.ts';
import { openSpool, type Spool } from '../../src/store/spool.ts';
import { temporaryFolder } from '../support/context.ts';
import { randomOf, seed } from '../support/random.ts';

const destination = { base: 'https://service.example', workspace: 'w' };
const EVENTS = 300;

/** The queue as a process of this machine sees it. The number means nothing on the other machine. */
const machine = (folder: string, pid: number): Spool =>
  openSpool(folder, {
    now: () => performance.now(),
    date: () => new Date(),
    sleep: (ms) => sleep(ms),
    pid,
    isAlive: (other) => other === pid,
    beganAt: () => undefined,
  });

async function* input() {
  for (let at = 0; at < EVENTS; at += 10)
    yield Array.from({ length: 10 }, (_, index): EventBytes => {
      const event = { id: `e${at + index}` };
      return { bytes: Buffer.from(JSON.stringify(event)), execution: `run-${(at + index) % 7}` };
    });
}

test.each(Array.from({ length: 10 }, (_, round) => round))('no accepted event is lost, round %i', async (round) => {
  const folder = `${temporaryFolder()}/spool`;
  const random = randomOf(seed + round);
  const arrivals: string[] = [];
  const send = async (body: Uint8Array): Promise<number> => {
    await sleep(random() * 5);
    for (const { id } of JSON.parse(Buffer.from(body).toString())) arrivals.push(id);
    return 1;
  };
  const flushed = (spool: Spool) =>
    flush(spool, { state: 'pending', wanted: () => true, send, isOver: () => false, tell: () => undefined });
  let isOver = false;
  const one = machine(folder, 1).open(destination, 1e9, (keep) =>
    deliver(input(), {
      ...{ keep, send, batchSize: 5, batchBytes: 1000, concurrency: 2, random, tell: () => undefined },
      clock: { now: () => performance.now(), sleep: (ms) => sleep(ms) },
      signal: new AbortController().signal,
    }),
  );
  const other = (async () => {
    while (!isOver) {
      await flushed(machine(folder, 2));
      await sleep(1);
    }
  })();
  // The other machine also deletes files that this one is writing. The post then fails, and says so.
  const outcome = await one
    .catch((error: unknown) => error)
    .finally(() => {
      isOver = true;
    });
  await other;
  await flushed(machine(folder, 2));
  expect(await machine(folder, 1).list()).toEqual([]);
  if (outcome instanceof DtpError) return;
  const { tally, ended } = outcome as Awaited<typeof one>;
  if (ended === undefined) expect(tally.accepted).toBe(EVENTS);
  else expect(ended).toBeInstanceOf(DtpError);
  expect(new Set(arrivals).size).toBeGreaterThanOrEqual(tally.accepted);
});
