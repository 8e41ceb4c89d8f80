/**
 * The spool compared with sets, after kills, power cuts, full and damaged disks, lost replies. `DTP_SEED`
 * repeats a run.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import type { EventBytes } from '../../src/flows/body.ts';
import { type Delivery, deliver } from '../../src/flows/deliver.ts';
import { flush } from '../../src/flows/flush.ts';
import { type Fate, freshDisk, startProcess } from '../support/disk.ts';
import { rounds, seed } from '../support/random.ts';
import { destination, onDisk, optionsOf, type Reply, World, windowsOf } from '../support/spool-world.ts';

vi.mock('node:fs/promises', async (original) => {
  const { overDisk } = await import('../support/disk.ts');
  return overDisk(await original());
});

const SEQUENCES = rounds(80, 1000);

interface Post {
  readonly kind: 'post';
  readonly events: number;
  readonly executions: number;
  readonly batchSize: number;
  readonly concurrency: number;
  /** One after another; the last one repeats. */
  readonly replies: readonly Reply[];
  /** Milliseconds between two reads of the clock, which decide how soon an outage is checked again. */
  readonly pace: number;
  readonly fate: Fate | undefined;
}
interface Flush {
  readonly kind: 'flush';
  readonly state: 'pending' | 'rejected';
  readonly replies: readonly Reply[];
  readonly fate: Fate | undefined;
}
interface Damage {
  readonly kind: 'damage';
  /** Which of the queued batches, and the position in it, from 0 to 1. */
  readonly which: number;
  readonly at: number;
  readonly how: 'cut' | 'flip';
}
type Step = Post | Flush | Damage;

const weighted = <T>(values: readonly (readonly [number, T])[]) =>
  fc.oneof(...values.map(([weight, value]) => ({ weight, arbitrary: fc.constant(value) })));
const reply = weighted<Reply>([
  [6, 'accept'],
  [2, 'refuse'],
  [2, 'fail'],
  [2, 'lost'],
  [1, 'shut'],
]);
const replies = fc.array(reply, { minLength: 1, maxLength: 8 });
const share = fc.integer({ min: 0, max: 999 }).map((thousandths) => thousandths / 1000);
const fate = fc.option(
  fc.record({
    what: weighted<Fate['what']>([
      [3, 'kill'],
      [2, 'power'],
      [2, 'full'],
    ]),
    after: fc.integer({ min: 0, max: 110 }),
  }),
  { nil: undefined, freq: 2 },
);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      events: fc.integer({ min: 1, max: 12 }),
      executions: fc.integer({ min: 1, max: 3 }),
      batchSize: fc.integer({ min: 1, max: 4 }),
      concurrency: fc.integer({ min: 1, max: 3 }),
      replies,
      pace: fc.constantFrom(0, 1, 300, 3000),
      fate,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('flush' as const),
      state: weighted<'pending' | 'rejected'>([
        [3, 'pending'],
        [1, 'rejected'],
      ]),
      replies,
      fate,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('damage' as const),
      which: share,
      at: share,
      how: fc.constantFrom('cut' as const, 'flip' as const),
    }),
  },
);

/** A disk fault may end the work of a process, and nothing else may. */
function onlyOfTheDisk(error: unknown): undefined {
  if (!(error instanceof DtpError) || !/no space left/.test(error.message)) throw error;
  return undefined;
}

let posts = 0;

async function post(world: World, step: Post): Promise<ReadonlySet<string>> {
  const number = ++posts;
  const events = Array.from({ length: step.events }, (_, at): EventBytes => {
    const execution = `p${number}e${at % step.executions}`;
    const text = JSON.stringify({ id: `${execution}-${String(at).padStart(2, '0')}`, execution });
    return { bytes: Buffer.from(text), execution };
  });
  for (const { bytes } of events) world.posted.set(JSON.parse(String(bytes)).id, String(bytes));
  const acceptedIds = new Set<string>();
  const answered = new Set<string>();
  const process = startProcess(world.root, step.fate);
  const spool = world.spoolOf(process);
  const ended = await process.run(() =>
    spool
      .open(destination, 2 ** 30, (keep) =>
        deliver(windowsOf(events), {
          ...optionsOf(world, step.pace),
          keep: async (body, count, makeRoom) => {
            const one = await keep(body, count, makeRoom);
            for (const { id } of JSON.parse(Buffer.from(body).toString())) {
              acceptedIds.add(id);
              world.accepted.add(id);
            }
            return one;
          },
          send: world.sendOf(process, step.replies, answered),
          batchSize: step.batchSize,
          concurrency: step.concurrency,
        }),
      )
      .catch(onlyOfTheDisk),
  );
  if (!ended) return new Set();
  if (ended.result) checkReport(world, ended.result, acceptedIds, events.length);
  // On a full disk, part of an acknowledged batch may stay in the batch: it is sent again, and stored once.
  return ended.result && ended.result.ended === undefined ? answered : new Set();
}

/** The printed numbers must match the disk. */
function checkReport(world: World, { tally, ended, left }: Delivery, acceptedIds: ReadonlySet<string>, read: number) {
  if (ended !== undefined) onlyOfTheDisk(ended);
  const files = onDisk(world.folder);
  const count = (state: string) =>
    files
      .filter((file) => file.state === state)
      .flatMap(({ ids }) => ids ?? [])
      .filter((id) => acceptedIds.has(id)).length;
  const [pending, rejected] = [count('pending'), count('rejected')];
  const reported = { accepted: tally.accepted, pending: tally.pending, rejected: tally.rejected, left };
  expect(reported).toEqual({ accepted: acceptedIds.size, pending, rejected, left: expect.any(Number) });
  expect(tally.delivered).toBe(acceptedIds.size - pending - rejected);
  if (ended === undefined) expect([acceptedIds.size, left]).toEqual([read, 0]);
}

async function flushed(world: World, { state, replies, fate }: Flush): Promise<ReadonlySet<string>> {
  const answered = new Set<string>();
  const process = startProcess(world.root, fate);
  const spool = world.spoolOf(process);
  const send = world.sendOf(process, replies, answered);
  const ended = await process.run(() =>
    flush(spool, { state, wanted: () => true, send, isOver: () => false, tell: () => undefined }).catch(onlyOfTheDisk),
  );
  return ended?.result ? answered : new Set();
}

/** Truncates an accepted batch, or changes a bit of it. */
function damage(world: World, { which, at, how }: Damage): void {
  const whole = onDisk(world.folder).filter(({ ids }) => ids?.every((id) => world.accepted.has(id)));
  const file = whole[Math.floor(which * whole.length)];
  if (!file) return;
  const bytes = readFileSync(file.path);
  const place = Math.floor(at * bytes.byteLength);
  bytes[place] = (bytes[place] ?? 0) ^ (1 << (place % 8));
  writeFileSync(file.path, how === 'cut' ? bytes.subarray(0, place) : bytes);
  world.damagedFiles++;
  for (const id of file.ids ?? []) world.damaged.add(id);
}

/** The list must match the disk, and no process is running that could hold a lock. */
async function isListed(world: World): Promise<void> {
  const process = startProcess(world.root);
  const listed = await process.run(() => world.spoolOf(process).list());
  const states = new Map(listed?.result.map(({ id, state }) => [id, state]));
  const files = onDisk(world.folder);
  expect([...states.keys()].sort()).toEqual(files.map(({ id }) => id).sort());
  // A batch with an intact first line is found to be damaged only when it is read.
  for (const { id, state, ids } of files) expect(ids ? [state] : [state, 'corrupt'], id).toContain(states.get(id));
}

async function end(world: World): Promise<void> {
  const good = { kind: 'flush', replies: ['accept'], fate: undefined } as const;
  world.check(await flushed(world, { ...good, state: 'pending' }));
  const states = onDisk(world.folder).map(({ state }) => state);
  expect(states, 'pending after a flush').not.toContain('pending');
  inOrder(world);
  // If only damaged batches are left in the spool, the service must have all the others.
  world.check(await flushed(world, { ...good, state: 'rejected' }));
  expect(onDisk(world.folder).map(({ state }) => state)).toEqual(Array(world.damagedFiles).fill('corrupt'));
  expect(world.names(), 'left in the spool').toEqual([]);
}

/** The service got each execution's events in order, except those that it had rejected. */
function inOrder(world: World): void {
  const last = new Map<string, string>();
  for (const id of world.stored.keys()) {
    if (world.everRejected.has(id)) continue;
    const execution = id.split('-')[0] as string;
    expect(id > (last.get(execution) ?? ''), `${id} after ${last.get(execution)}`).toBe(true);
    last.set(execution, id);
  }
}

test(`nothing is lost in ${SEQUENCES} sequences (seed ${seed})`, async () => {
  const sequence = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
    const world = new World();
    freshDisk();
    try {
      for (const one of steps) {
        if (one.kind === 'damage') damage(world, one);
        const answered =
          one.kind === 'post' ? await post(world, one) : one.kind === 'flush' ? await flushed(world, one) : [];
        world.check(new Set(answered));
        await isListed(world);
      }
      await end(world);
    } finally {
      rmSync(world.root, { recursive: true, force: true });
    }
  });
  await fc.assert(sequence, { seed, numRuns: SEQUENCES });
});
