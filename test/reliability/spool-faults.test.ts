/**
 * Each disk call of a post and of a flush fails in turn: each event is acknowledged, queued, or reported as not
 * read.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/context.ts';
import { filesUnder } from '../support/disk.ts';
import { eachFault, type FaultCase, isRemoval } from '../support/disk-faults.ts';
import { events, ndjson, receiver } from '../support/event-service.ts';
import { onDisk } from '../support/spool-world.ts';

const printCount = (what: string, count: string) => process.stdout.write(`faults: ${count}: ${what}\n`);

type Reply = 200 | 422 | 504;

/** Ten events in two batches, each with its answer. */
const post = async (home: string, replies: readonly Reply[]) => {
  const service = receiver((_, call) => replies[Math.min(call, replies.length) - 1] as Reply);
  const argv = ['post', '--no-fill', '--body', '-', '--batch-size', '5', '--concurrency', '1', '-o', 'json'];
  const ended = await events(argv, { home, stdin: ndjson(10), openSend: service.openSend });
  return { ended, delivered: service.events().map(({ id }) => id) };
};

const flush = async (home: string, ...flags: string[]) => {
  const service = receiver();
  const ended = await events(['queue', 'flush', ...flags], { home, openSend: service.openSend });
  return { ended, delivered: service.events().map(({ id }) => id) };
};

/** The ids of the events on the disk by state; incomplete batches count as empty. */
function keptIn(home: string): readonly string[] {
  return onDisk(join(home, 'state')).flatMap(({ ids }) => ids ?? []);
}

const posted = Array.from({ length: 10 }, (_, n) => `e_${n}`);
const duplicatesIn = (ids: readonly string[]) => ids.filter((id, at) => ids.indexOf(id) !== at);

test.each<[string, readonly Reply[]]>([
  ['delivered', [200]],
  ['refused', [422]],
  ['delivered and rejected', [200, 422]],
  ['kept', [504]],
])('a post whose batches are %s', async (name, replies) => {
  const home = temporaryFolder();
  const state = join(home, 'state');
  const check = async ({ result, what, call }: FaultCase<Awaited<ReturnType<typeof post>>>) => {
    const { ended, delivered } = result;
    const queuedIds = keptIn(home);
    const both = [...queuedIds, ...delivered];
    // A batch that could not be removed is sent twice, and stored once.
    if (!isRemoval(call)) expect(duplicatesIn(both), what).toEqual([]);
    const taken = /(\d+) events were accepted/.exec(ended.stderr)?.[1];
    const lost = posted.filter((id) => !both.includes(id));
    if (ended.code === 0) expect(new Set(delivered), what).toEqual(new Set(posted));
    else if ([1, 3].includes(ended.code)) {
      expect(ended.stderr, what).toContain(state);
      expect(posted.length - lost.length, `${what}: ${ended.stderr}`).toBeGreaterThanOrEqual(Number(taken ?? 0));
    } else expect(lost, `${what}: ${ended.stderr}`).toEqual([]);
    expect(ended.stderr, what).not.toMatch(/^ {4}at |\b(EIO|ENOSPC|EACCES)\b|undefined/m);
    const beside = existsSync(state) ? filesUnder(state) : [];
    const odd = beside.filter((path) => !/\.batch$|rejected\/.*\.why$/.test(path));
    if (!isRemoval(call)) expect(odd, what).toEqual([]);
    if (odd.some((path) => path.endsWith('.lock'))) return;
    // The next runs deliver the rest.
    const flushes = [await flush(home), await flush(home, '--rejected')];
    expect(
      flushes.map((one) => one.ended.code),
      what,
    ).toEqual([0, 0]);
    const all = [...delivered, ...flushes.flatMap((one) => one.delivered)];
    expect(
      queuedIds.filter((id) => !all.includes(id)),
      what,
    ).toEqual([]);
    expect(keptIn(home), what).toEqual([]);
  };
  const fresh = () => rmSync(state, { recursive: true, force: true });
  printCount(`a post that is ${name}`, await eachFault(state, fresh, () => post(home, replies), check));
});

test.each<[string, readonly Reply[], readonly string[]]>([
  ['queued events', [504], []],
  ['rejected events', [422], ['--rejected']],
])('a flush of %s', async (name, replies, flags) => {
  const home = temporaryFolder();
  const state = join(home, 'state');
  const fresh = async () => {
    rmSync(state, { recursive: true, force: true });
    await post(home, replies);
  };
  const check = async ({ result, what, call }: FaultCase<Awaited<ReturnType<typeof flush>>>) => {
    const { ended, delivered } = result;
    const both = [...keptIn(home), ...delivered];
    expect(
      posted.filter((id) => !both.includes(id)),
      what,
    ).toEqual([]);
    if (!isRemoval(call)) expect(duplicatesIn(both), what).toEqual([]);
    if (![0, 14].includes(ended.code)) expect(ended.stderr, what).toContain(state);
    expect(ended.stderr, what).not.toMatch(/^ {4}at |\b(EIO|ENOSPC|EACCES)\b|undefined/m);
    if (filesUnder(state).some((path) => path.endsWith('.lock'))) return;
    const again = await flush(home, ...flags);
    expect(again.ended.code, what).toBe(0);
    expect(keptIn(home), what).toEqual([]);
  };
  printCount(`a flush of ${name}`, await eachFault(state, fresh, () => flush(home, ...flags), check));
});
