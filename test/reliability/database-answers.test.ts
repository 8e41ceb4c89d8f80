/** What a client gets from a service whose database fails in one way, and how soon it works again. */
import { execFileSync, spawnSync } from 'node:child_process';
import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openPartition, type Partition } from '../support/partition.ts';
import { type Answered, ask, batchOf } from '../support/poster.ts';
import { home, type Served, serve } from '../support/process.ts';
import { randomOf, seed } from '../support/random.ts';
import { execute, expectClear, LIMIT_MS, untilReady } from '../support/readiness.ts';
import { hasSqld, openSqld, type Sqld } from '../support/sqld.ts';

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;
if (!hasPrlimit) process.stderr.write('skipped: a full disk, because there is no prlimit\n');

let place: ReturnType<typeof home>;
let network: Partition;
let sqld: Sqld;
let service: Served;

beforeAll(async () => {
  if (!hasSqld) return;
  place = home();
  network = await openPartition(randomOf(seed));
  sqld = await openSqld();
  service = await serve(place.folder, ['--database', network.to(sqld.url)]);
});
afterEach(async () => {
  network?.loseAnswerTo();
  network?.fail();
  if (service) await untilReady(200, service);
});
afterAll(async () => {
  await service?.stop();
  await sqld?.remove();
  network?.close();
  place?.remove();
});

const post = (name: string, size = 3, signal?: AbortSignal): Promise<Answered> =>
  ask(`${service.address}/v1/workspace/${service.workspace_id}/events`, {
    method: 'POST',
    key: service.key,
    body: batchOf(name, size),
    ...(signal && { signal }),
  });

/** The ids of the events of a batch that are stored. */
async function stored(name: string): Promise<readonly string[]> {
  const path = `/v1/workspace/${service.workspace_id}/events?execution_id=${name}`;
  const { status, text } = await ask(service.address + path, { key: service.key });
  expect(status, text).toBe(200);
  return (JSON.parse(text) as { id: string }[]).map(({ id }) => id);
}

/** Repeats a post until it is acknowledged. Returns the time, in milliseconds. */
async function untilStored(name: string): Promise<number> {
  const start = performance.now();
  for (let answer = await post(name); answer.status !== 204; answer = await post(name)) {
    expectClear(answer);
    await sleep(100);
  }
  return performance.now() - start;
}

describe.skipIf(!hasSqld)(`a service whose database fails (seed ${seed})`, () => {
  test('if the answer to a COMMIT is lost, the events are stored, and can be sent again', async () => {
    network.loseAnswerTo('COMMIT');
    expectClear(await post('committed'));
    expect(network.lost()).toBe(1);
    network.loseAnswerTo();
    expect(await untilStored('committed')).toBeLessThan(LIMIT_MS);
    expect(await stored('committed')).toHaveLength(3);
    const others = batchOf('committed', 3).map((event) => ({ ...event, filler: 'another' }));
    const path = `/v1/workspace/${service.workspace_id}/events`;
    const answer = await ask(service.address + path, { method: 'POST', key: service.key, body: others });
    expect(answer.status).toBe(409);
  });

  test('if the answer to a BEGIN is lost, others wait only some seconds', async () => {
    network.loseAnswerTo('BEGIN');
    const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => post(`begun-${at}`)));
    for (const answer of answers) if (answer.status !== 204) expectClear(answer);
    expect(network.lost()).toBeGreaterThan(1);
    network.loseAnswerTo();
    expect(await untilStored('begun-0')).toBeLessThan(2 * LIMIT_MS);
  });

  test('a half transaction of a process that has ended blocks others only some seconds', async () => {
    await execute(sqld, 'BEGIN IMMEDIATE', "INSERT INTO meta VALUES ('half', 'half')");
    expect(await untilStored('after-half')).toBeLessThan(LIMIT_MS);
    expect(await stored('after-half')).toHaveLength(3);
  });

  test('300 requests at once each get an answer within seconds, and health stays green', async () => {
    network.fail('drop');
    const many = Array.from({ length: 300 }, (_, at) => post(`crowd-${at}`, 1));
    expect(await untilReady(503, service)).toBeLessThan(LIMIT_MS);
    const answers = await Promise.all(many);
    for (const answer of answers) expectClear(answer);
    // Nothing waits any more.
    expect((await post('crowd-0', 1)).time).toBeLessThan(LIMIT_MS / 3);
    network.fail();
    expect(await untilReady(200, service)).toBeLessThan(LIMIT_MS);
    expect(await untilStored('crowd-1')).toBeLessThan(LIMIT_MS);
  });

  test('the requests of clients that have gone are not executed', async () => {
    await execute(sqld, 'BEGIN IMMEDIATE');
    const gone = new AbortController();
    setMaxListeners(0, gone.signal);
    const many = Array.from({ length: 100 }, (_, at) => post(`gone-${at}`, 1, gone.signal));
    await sleep(1000);
    gone.abort();
    await Promise.all(many);
    await untilStored('stays');
    const found = await Promise.all(many.map((_, at) => stored(`gone-${at}`)));
    // Some had begun before.
    expect(found.flat().length).toBeLessThan(50);
  });

  test('the memory of a service without a database does not grow', async () => {
    const size = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(service.pid)]).toString()) / 1024;
    const round = async () => {
      for (let count = 0; count < 500; count += 20)
        await Promise.all(Array.from({ length: 20 }, (_, at) => post(`memory-${at}`, 10)));
    };
    network.fail('reset');
    await untilReady(503, service);
    await round();
    const before = size();
    for (let count = 0; count < 3; count++) await round();
    const grown = size() - before;
    process.stdout.write(`1500 requests without a database: ${grown.toFixed()} MiB more\n`);
    expect(grown).toBeLessThan(100);
  });

  test.skipIf(!hasPrlimit)('a database whose disk is full loses nothing that it has acknowledged', async () => {
    const names: string[] = [];
    sqld.limit(2_000_000);
    try {
      const refused: Answered[] = [];
      for (let number = 0; refused.length < 5; number++) {
        const answer = await post(`full-${number}`, 100);
        if (answer.status === 204) names.push(`full-${number}`);
        else refused.push(answer);
      }
      for (const answer of refused) expectClear(answer);
      expect(JSON.parse(refused[0]?.text ?? '').message).toContain('cannot be used');
      await expect.poll(service.errors).toContain('a request failed: the database cannot be used: ');
    } finally {
      sqld.limit();
    }
    expect(await untilStored('not-full')).toBeLessThan(LIMIT_MS);
    expect(await untilReady(200, service)).toBeLessThan(LIMIT_MS);
    await sqld.kill();
    await sqld.start();
    await untilReady(200, service);
    for (const name of names) expect(await stored(name)).toHaveLength(100);
  });

  test('a service ends when it is asked to while its database hangs', async () => {
    const own = home();
    const started = await serve(own.folder, ['--database', network.url]);
    const path = `/v1/workspace/${started.workspace_id}/events`;
    await untilReady(200, started);
    network.fail('mute');
    const body = batchOf('end', 1);
    const asked = Array.from({ length: 20 }, () =>
      ask(started.address + path, { method: 'POST', key: service.key, body }),
    );
    await sleep(500);
    // The thread of each request waits for the database, and must not keep the process.
    expect([0, 143]).toContain(await started.stop());
    await Promise.all(asked);
    own.remove();
  });
});
