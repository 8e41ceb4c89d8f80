/** A stream that pauses: received items are passed on whether or not more arrive. */
import { expect, test } from 'vitest';
import { windowsOf, withPauses } from '../../../src/commands/events/windows.ts';
import { deliver } from '../../../src/flows/deliver.ts';

test('pauses follow received items until nothing waits, and do not repeat forever', async () => {
  let go: () => void = () => undefined;
  const source = (async function* () {
    yield 1;
    yield 2;
    await new Promise<void>((done) => {
      go = done;
    });
    yield 3;
  })();
  const seen: (number | undefined)[] = [];
  for await (const one of withPauses(source, 1)) {
    seen.push(one);
    // The second pause is the last one.
    if (seen.filter((each) => each === undefined).length === 2 && !seen.includes(3)) setTimeout(() => go(), 50);
  }
  expect(seen.slice(0, 5)).toEqual([1, 2, undefined, undefined, 3]);
});

test('a reader who leaves during a pause does not wait for the next item', async () => {
  const never = (async function* () {
    yield 1;
    await new Promise(() => undefined);
  })();
  for await (const one of withPauses(never, 1)) if (one === undefined) break;
});

test('an error of the stream reaches the reader', async () => {
  const broken = (async function* () {
    yield 1;
    await new Promise((done) => setTimeout(done, 20));
    throw new Error('broken');
  })();
  const read = async () => {
    for await (const _ of withPauses(broken, 1));
  };
  await expect(read()).rejects.toThrow('broken');
});

test('events that wait to fill their batch are queued in a pause, whatever their lane', async () => {
  const queued: string[] = [];
  let isIn = () => false;
  const pieces = (async function* () {
    for (let n = 0; n < 7; n++) {
      const bytes = Buffer.from(`{"id":"e${n}","execution_id":"x${n}"}`);
      yield [{ bytes, line: n + 1 }];
    }
    // More input comes only after all are queued, so this would never end without the pause.
    while (!isIn()) await new Promise((done) => setTimeout(done, 5));
  })();
  isIn = () => queued.length === 7;
  const options = {
    label: '--body',
    size: 500,
    bytes: 1e6,
    filling: undefined,
    fields: undefined,
    skip: undefined,
  };
  const { tally } = await deliver(windowsOf(pieces, { at: '' }, { ...options, check: true }), {
    keep: async (body, events) => {
      queued.push(...JSON.parse(String(Buffer.from(body))).map(({ id }: { id: string }) => id));
      return {
        ...{ id: '', base: '', workspace: '', created_at: '', events },
        read: async () => body,
        remove: async () => undefined,
        replace: async () => undefined,
        reject: async () => undefined,
      };
    },
    send: async () => 1,
    ...{ batchSize: 500, batchBytes: 1e6, concurrency: 4, random: () => 0.5 },
    clock: { now: () => 0, sleep: async () => undefined },
    signal: new AbortController().signal,
    tell: () => undefined,
  });
  expect(tally).toMatchObject({ accepted: 7, delivered: 7 });
});
