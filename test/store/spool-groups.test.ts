/** Batches that are queued at the same time: they become visible in order, in groups, and none without those before it. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCommits } from '../../src/store/spool-commits.ts';
import { openKeep } from '../../src/store/spool-keep.ts';
import { temporaryFolder } from '../support/context.ts';

const turn = () => new Promise((done) => setImmediate(done));
const settled = (all: readonly Promise<unknown>[]) =>
  Promise.allSettled(all).then((ends) => ends.map(({ status }) => status === 'fulfilled'));

/** A disk that notes what happens. A draft is written when its number is passed to `write`. */
function disk(faults: { readonly draft?: number; readonly show?: number; readonly sync?: number } = {}) {
  const log: string[] = [];
  const writes = new Map<number, () => void>();
  let syncs = 0;
  const commit = openCommits(async () => {
    log.push('sync');
    await turn();
    if (++syncs === faults.sync) throw new Error('sync');
  });
  const add = (number: number, onFail: () => void = () => undefined) => {
    const written = new Promise<void>((done) => writes.set(number, done));
    return commit(
      written.then(() => {
        if (faults.draft === number) throw new Error('draft');
        const show = async () => {
          if (faults.show === number) throw new Error('show');
          log.push(`show ${number}`);
        };
        const drop = async () => {
          log.push(`drop ${number}`);
          await turn();
        };
        return { show, drop };
      }),
      onFail,
    );
  };
  const write = (...numbers: number[]) => {
    for (const one of numbers) writes.get(one)?.();
  };
  return { log, add, write };
}

test('batches that are written in any order become visible in order, with one sync', async () => {
  const { log, add, write } = disk();
  const all = [1, 2, 3].map((number) => add(number));
  write(3, 2);
  await turn();
  expect(log).toEqual([]);
  write(1);
  expect(await settled(all)).toEqual([true, true, true]);
  expect(log).toEqual(['show 1', 'show 2', 'show 3', 'sync']);
});

test('batches that are written during a sync are in the next one', async () => {
  const { log, add, write } = disk();
  const first = add(1);
  write(1);
  while (!log.includes('sync')) await Promise.resolve();
  const others = [2, 3].map((number) => add(number));
  write(2, 3);
  expect(await settled([first, ...others])).toEqual([true, true, true]);
  expect(log).toEqual(['show 1', 'sync', 'show 2', 'show 3', 'sync']);
});

test.each([
  ['cannot be written', { draft: 2 }, [true, false, false], ['show 1', 'sync', 'drop 3']],
  ['cannot be renamed', { show: 2 }, [true, false, false], ['show 1', 'sync', 'drop 3', 'drop 2']],
  [
    'cannot be synced',
    { sync: 1 },
    [false, false, false],
    ['show 1', 'show 2', 'show 3', 'sync', 'drop 3', 'drop 2', 'drop 1'],
  ],
])('if a batch %s, none after it is queued, and those before it are', async (_, faults, ends, expected) => {
  const { log, add, write } = disk(faults);
  const all = [1, 2, 3].map((number) => add(number));
  write(1, 2, 3);
  expect(await settled(all)).toEqual(ends);
  expect(log).toEqual(expected);
  // The next batches are queued again.
  log.length = 0;
  const next = add(4);
  write(4);
  await next;
  expect(log).toEqual(['show 4', 'sync']);
});

test('a batch that is added while those before it are dropped fails as well, and each knows it before the first error', async () => {
  const { log, add, write } = disk({ draft: 1 });
  const failed: number[] = [];
  const fail = (number: number) => add(number, () => failed.push(number));
  const first = [1, 2].map(fail);
  let seen: readonly number[] = [];
  first[0]?.catch(() => {
    seen = [...failed];
  });
  write(1, 2);
  while (!log.includes('drop 2')) await Promise.resolve();
  const late = fail(3);
  write(3);
  expect(await settled([...first, late])).toEqual([false, false, false]);
  expect(log).toEqual(['drop 2', 'drop 3']);
  expect(seen).toEqual([1, 2, 3]);
});

function keepIn(folder: string, limit: number) {
  const run = join(folder, 'run');
  const keep = openKeep({
    folder,
    size: 0,
    limit,
    pathOf: (number) => join(run, `${number}.batch`),
    keptAt: (_, number, head) => ({
      ...{ ...head, id: String(number), read: async () => undefined, replace: async () => undefined },
      ...{ remove: async () => undefined, reject: async () => undefined },
    }),
    makeFolder: async () => {
      const { mkdir } = await import('node:fs/promises');
      await mkdir(run, { recursive: true });
    },
    headOf: (events) => ({ base: 'b', workspace: 'w', events, created_at: '2026-01-31T12:00:00Z' }),
  });
  return { keep, names: () => readdirSync(run).sort() };
}

test('a batch that fits waits while one before it waits for room', async () => {
  const { keep, names } = keepIn(temporaryFolder(), 100);
  const body = (length: number) => Buffer.alloc(length, 'x');
  const first = await keep(body(60), 1, async () => false);
  const rooms: (() => void)[] = [];
  const makeRoom = () =>
    new Promise<boolean>((done) => {
      rooms.push(() => done(true));
    });
  const large = keep(body(50), 1, makeRoom);
  const small = keep(body(10), 1, makeRoom);
  for (let turns = 0; turns < 20; turns++) await turn();
  expect([names(), rooms.length]).toEqual([['1.batch'], 2]);
  await first.remove();
  // The small one is woken first, and waits again.
  rooms[1]?.();
  for (let turns = 0; turns < 20; turns++) await turn();
  expect([names(), rooms.length]).toEqual([['1.batch'], 3]);
  rooms[0]?.();
  expect((await large).id).toBe('2');
  rooms[2]?.();
  expect((await small).id).toBe('3');
  expect(names()).toEqual(['1.batch', '2.batch', '3.batch']);
});

test('if a batch gets no room, nothing after it is queued', async () => {
  const { keep, names } = keepIn(temporaryFolder(), 100);
  await keep(Buffer.alloc(60), 1, async () => false);
  const ends = [50, 10].map((length) => keep(Buffer.alloc(length), 1, async () => false));
  expect(await settled(ends)).toEqual([false, false]);
  await expect(keep(Buffer.alloc(1), 1, async () => true)).rejects.toThrow('the queue is full');
  expect(names()).toEqual(['1.batch']);
});

test('a batch that waited behind another one is queued after it, even if nothing more can be sent', async () => {
  const { keep, names } = keepIn(temporaryFolder(), 100);
  const first = await keep(Buffer.alloc(60), 1, async () => false);
  const rooms: ((isThere: boolean) => void)[] = [];
  const makeRoom = () => new Promise<boolean>((done) => rooms.push(done));
  const others = [50, 10].map((length) => keep(Buffer.alloc(length), 1, makeRoom));
  await turn();
  await first.remove();
  rooms[0]?.(true);
  // It still fits, so that nobody had to make room for it.
  rooms[1]?.(false);
  expect(await settled(others)).toEqual([true, true]);
  expect(names()).toEqual(['1.batch', '2.batch', '3.batch']);
});
