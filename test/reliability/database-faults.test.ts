/**
 * Two services on a database that fails: each request gets an answer, no acknowledged event is lost, and everything
 * works again without a restart. `DTP_SEED` repeats a run's choices.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { networkFaults, openPartition, type Partition } from '../support/partition.ts';
import { ask, batchOf, type Poster, startPosting, wrongEvents } from '../support/poster.ts';
import { dtp, home, start } from '../support/process.ts';
import { randomOf, rounds, seed } from '../support/random.ts';
import { onDisk } from '../support/spool-world.ts';
import { hasTeam, openTeam, type Team } from '../support/team.ts';

/** Events that are posted during the faults. */
const LOAD = { clients: 20, batches: rounds(10, 25), size: rounds(100, 200) };

/** The longest time for an answer, in milliseconds: 5 s, or more on a slow machine. */
const LIMIT_MS = 30_000;

const random = randomOf(seed);
let network: Partition;
let team: Team;
let service: Parameters<typeof startPosting>[0];

beforeAll(async () => {
  if (!hasTeam) return;
  network = await openPartition(random);
  team = await openTeam({ database: ({ url }) => network.to(url) });
  service = { ...team, addresses: team.services.map(({ address }) => address) };
});
afterAll(async () => {
  network?.fail();
  await team?.remove();
  network?.close();
});

/** What `/healthz` and `/readyz` of the services answer. */
const health = (path: string, addresses = service.addresses) =>
  Promise.all(addresses.map(async (address) => (await ask(`${address}${path}`)).status));

/** Waits until all services are ready, or none of them is. Returns the time, in milliseconds. */
async function untilReady(isReady: boolean, addresses = service.addresses): Promise<number> {
  const start = performance.now();
  while (!(await health('/readyz', addresses)).every((status) => status === (isReady ? 200 : 503)))
    expect(await health('/healthz', addresses)).toEqual(addresses.map(() => 200));
  return performance.now() - start;
}

/** Answers that a client cannot use: all but a 503 that says when to try again, and the end of a service. */
const unclear = ({ failed }: Pick<Poster, 'failed'>, isKilled = false) =>
  failed.filter(
    ({ status, retryAfter, text }) =>
      !(status === 503 && Number(retryAfter) > 0 && JSON.parse(text).message) && !(isKilled && status === 0),
  );

describe.skipIf(!hasTeam)(`a database that fails (seed ${seed})`, () => {
  test('no acknowledged event is lost, and none is stored twice', async () => {
    const { services, sqld } = team;
    const kill = services.map((one) => ({ fail: one.kill, mend: one.start }));
    const faults: readonly { name: string; fail: () => unknown; mend: () => unknown; isAway?: boolean }[] = [
      ...kill.map((one, at) => ({ name: `kill -9 of service ${at}`, ...one })),
      { name: 'kill -9 of the database', fail: sqld.kill, mend: sqld.start, isAway: true },
      {
        name: 'kill -9 of everything at once',
        fail: () => Promise.all([sqld, ...services].map((one) => one.kill())),
        mend: async () => {
          await sqld.start();
          await Promise.all(services.map((one) => one.start()));
        },
      },
      ...networkFaults.map((fault) => ({
        name: `network: ${fault}`,
        fail: () => network.fail(fault),
        mend: () => network.fail(),
        isAway: !fault.startsWith('cut'),
      })),
    ];
    const poster = startPosting(service, { ...LOAD, random });
    let isOver = false;
    void poster.done.then(() => {
      isOver = true;
    });
    /** Waits until the clients have stored some batches. Returns the time, in milliseconds. */
    const untilStored = async (count: number) => {
      const [start, before] = [performance.now(), poster.acknowledged.size];
      while (!isOver && poster.acknowledged.size < before + count) await sleep(20);
      return performance.now() - start;
    };
    const shown: string[] = [];
    do
      for (const { name, fail, mend, isAway } of faults) {
        await untilStored(4 + Math.floor(random() * 10));
        await fail();
        const red = isAway ? await untilReady(false) : 0;
        await sleep(500 + random() * 1000);
        await mend();
        const times = [red, await untilReady(true), await untilStored(1)];
        shown.push(`${name}: not ready, ready and storing again after ${times.map(Math.round).join(', ')} ms`);
        expect(Math.max(...times), name).toBeLessThan(LIMIT_MS);
      }
    while (rounds(0, 1) === 1 && !isOver);
    process.stdout.write(`${shown.join('\n')}\n`);
    await poster.done;
    process.stdout.write(`${poster.failed.length} posts repeated, longest answer ${poster.longest().toFixed()} ms\n`);
    expect(unclear(poster, true)).toEqual([]);
    expect(poster.longest()).toBeLessThan(LIMIT_MS);
    expect(poster.acknowledged.size).toBe(LOAD.clients * LOAD.batches);
    expect(
      await wrongEvents({ ...service, addresses: [...service.addresses].reverse() }, poster.acknowledged, LOAD.size),
    ).toEqual([]);
  });

  test('the queue of the tool delivers everything, once', async () => {
    const own = home();
    const [{ sqld, services }, [address = '']] = [team, service.addresses];
    const env = { DTP_BASE_URL: address, DTP_API_KEY: service.key, DTP_WORKSPACE_ID: service.workspace_id };
    const state = join(own.folder, 'state');
    const names = Array.from({ length: rounds(5, 41) }, (_, at) => `queue-${at}`);
    const isQueued = (name: string) =>
      onDisk(state).flatMap(({ ids = [] }) => ids.filter((id) => id.startsWith(`${name}-`))).length === LOAD.size;
    const codes: unknown[] = [];
    for (const [at, name] of names.entries()) {
      const victim = [sqld, services[0]][Math.floor(at / 2) % 2] ?? sqld;
      if (at % 2 === 0) await victim.kill();
      const child = start(own.folder, ['events', 'post', '--no-fill', '--batch-size', '20', '--body', '-'], { env });
      let errors = '';
      child.stderr.on('data', (chunk) => {
        errors += chunk;
      });
      const ended = new Promise((done) => child.on('close', done));
      child.stdin.end(
        batchOf(name, LOAD.size)
          .map((event) => JSON.stringify(event))
          .join('\n'),
      );
      if (at % 2 === 0) {
        // It ends while it tries to deliver what it has queued.
        while (child.exitCode === null && !isQueued(name)) await sleep(20);
        child.kill('SIGTERM');
        await ended;
      } else {
        await sleep(random() * 1500);
        await victim.kill();
        await sleep(random() * 1500);
      }
      await victim.start();
      codes.push(await ended);
      expect([0, 75, 143], errors).toContain(codes.at(-1));
    }
    await untilReady(true);
    const waiting = onDisk(state).flatMap(({ ids = [] }) => ids).length;
    const flushed = await dtp(own.folder, ['events', 'queue', 'flush'], { env });
    process.stdout.write(`the posts ended with ${codes.join(', ')}; then ${waiting} events waited for a flush\n`);
    expect(waiting).toBeGreaterThanOrEqual(LOAD.size);
    expect(flushed).toMatchObject({ code: 0 });
    expect(onDisk(state)).toEqual([]);
    expect(await wrongEvents(service, names, LOAD.size)).toEqual([]);
    own.remove();
  });
});
