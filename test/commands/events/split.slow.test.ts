/** A rejected batch is split: the invalid events are found, and all others are delivered in order. */
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DtpError } from '../../../src/errors.ts';
import { settleBatch } from '../../../src/flows/settle.ts';
import { openSpool } from '../../../src/store/spool.ts';
import { dtp, temporaryFolder } from '../../support/context.ts';
import { type Answer, events, ndjson, receiver, refusal } from '../../support/event-service.ts';
import { seed } from '../../support/random.ts';
import { onDisk } from '../../support/spool-world.ts';

/** Requests for a batch in addition to the first one. */
const MOST = 32;

const post = ['post', '--body', '-', '-o', 'json'];
const idsOf = (body: string): string[] => JSON.parse(body).map(({ id }: { id: string }) => id);
const refusing =
  (bad: readonly string[], status: number): Answer =>
  (body) =>
    idsOf(body).some((id) => bad.includes(id)) ? status : 200;
const others = (count: number, bad: readonly string[]) =>
  Array.from({ length: count }, (_, n) => `e_${n}`).filter((id) => !bad.includes(id));
const keptIn = (home: string) => onDisk(join(home, 'state')).map(({ state, ids }) => [state, ids]);

/** Each way to send a batch: what is on the disk before, and the command. */
const ways: Readonly<Record<string, (home: string) => Promise<{ argv: readonly string[]; stdin?: string }>>> = {
  'a post': async () => ({ argv: post, stdin: ndjson(500) }),
  'a post without a queue': async () => ({ argv: [...post, '--no-queue'], stdin: ndjson(500) }),
  'a flush': async (home) => {
    await events(post, { home, stdin: ndjson(500), openSend: receiver(() => 504).openSend });
    return { argv: ['queue', 'flush'] };
  },
  'a flush of what was rejected': async (home) => {
    await events(post, { home, stdin: ndjson(500), openSend: receiver(() => 405).openSend });
    return { argv: ['queue', 'flush', '--rejected'] };
  },
  'the next post': async (home) => {
    await events(post, { home, stdin: ndjson(500), openSend: receiver(() => 504).openSend });
    return { argv: ['post', '--body', '[]'] };
  },
};

describe.each(Object.entries(ways))('%s', (name, prepare) => {
  test.each([400, 409, 413, 422])('one invalid event of 500 is answered with %i: 499 are delivered', async (status) => {
    const home = temporaryFolder();
    const { argv, stdin } = await prepare(home);
    const service = receiver(refusing(['e_321'], status));
    const ended = await events(argv, { home, openSend: service.openSend, ...(stdin && { stdin }) });
    expect(ended.code, ended.stderr).toBe(name === 'the next post' ? 0 : 14);
    expect(service.events().map(({ id }) => id)).toEqual(others(500, ['e_321']));
    expect(service.bodies.length).toBeLessThanOrEqual(1 + MOST);
    expect(keptIn(home)).toEqual(name.includes('without') ? [] : [['rejected', ['e_321']]]);
    if (name.includes('without')) return;
    const [listed] = JSON.parse((await events(['queue', 'list'], { home })).stdout);
    expect(listed).toMatchObject({ state: 'rejected', status, events: 1 });
  });

  test('if all of 500 are invalid, at most 32 requests are made, and every event is stored', async () => {
    const home = temporaryFolder();
    const { argv, stdin } = await prepare(home);
    const service = receiver(() => 422);
    await events(argv, { home, openSend: service.openSend, ...(stdin && { stdin }) });
    expect(service.bodies).toHaveLength(1 + MOST);
    if (!name.includes('without')) expect(keptIn(home)).toEqual([['rejected', others(500, [])]]);
  });

  test.each([401, 404, 405])('a %i splits nothing', async (status) => {
    const home = temporaryFolder();
    const { argv, stdin } = await prepare(home);
    const service = receiver(() => status);
    await events(argv, { home, openSend: service.openSend, ...(stdin && { stdin }) });
    expect(service.bodies).toHaveLength(1);
  });
});

test('an id that is used with other content rejects only its event, which the message names once', async () => {
  const home = temporaryFolder();
  const send = async (success: boolean, ...ids: string[]) => {
    const body = JSON.stringify(ids.map((id) => ({ id, interaction_type: 'LINT', success })));
    return dtp(['events', 'post', '--profile', 'local', '--body', body, '-o', 'json'], { home });
  };
  expect((await send(false, 'used')).code).toBe(0);
  const ended = await send(true, 'new-1', 'used', 'new-2');
  expect([ended.code, ended.stderr]).toEqual([14, expect.stringContaining('1 of 3 events was rejected (2 delivered)')]);
  expect(ended.stderr).toContain('event used: id is already used by an event with different content');
  expect((await send(true, 'used')).code, 'the answer to a batch of one event is final').toBe(7);
});

test('a batch that is too large is delivered in parts', async () => {
  const home = temporaryFolder();
  const service = receiver((body) => (body.length > 10_000 ? 413 : 200));
  const ended = await events(post, { home, stdin: ndjson(500), openSend: service.openSend });
  expect(ended.code, ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ accepted: 500, delivered: 500, batches: 1 });
  expect(service.events().map(({ id }) => id)).toEqual(others(500, []));
  expect(keptIn(home)).toEqual([]);
});

test('if the service goes down meanwhile, delivered events are not queued, and the rest is delivered later', async () => {
  const home = temporaryFolder();
  const away = receiver((body, call) => (call > 6 ? refusal : refusing(['e_9'], 422)(body, call, signal)));
  const ended = await events(post, { home, stdin: ndjson(80), openSend: away.openSend });
  expect(ended.code, ended.stderr).toBe(75);
  const delivered = away.events().map(({ id }) => id);
  expect(delivered.length).toBeGreaterThan(0);
  expect(keptIn(home)).toEqual([['pending', others(80, delivered)]]);
  const back = receiver(refusing(['e_9'], 422));
  expect((await events(['queue', 'flush'], { home, openSend: back.openSend })).code).toBe(14);
  expect([...delivered, ...back.events().map(({ id }) => id)].sort()).toEqual(others(80, ['e_9']).sort());
  expect(keptIn(home)).toEqual([['rejected', ['e_9']]]);
});
const { signal } = new AbortController();

test('a rejected flush says what to do, with commands that work', async () => {
  const home = temporaryFolder();
  const world = { home, openSend: receiver(refusing(['e_1'], 422)).openSend };
  await events(post, { ...world, stdin: ndjson(2) });
  const ended = await events(['queue', 'flush', '--rejected'], world);
  expect(ended.code).toBe(7);
  const commands = [...ended.stderr.matchAll(/try: dtp events (.*)/g)].map(([, words = '']) => words.split(' '));
  expect(commands).toHaveLength(2);
  for (const words of commands) expect((await events([...words, '--yes'], { home })).code, words.join(' ')).toBe(0);
  expect(keptIn(home)).toEqual([]);
});

test(`whatever is bad, and whenever the service goes away, each event is in one place (seed ${seed})`, async () => {
  const folder = join(temporaryFolder(), 'spool');
  mkdirSync(folder);
  const holder = {
    now: () => 0,
    date: () => new Date(0),
    sleep: async () => undefined,
    pid: 1,
    isAlive: () => false,
    beganAt: () => 'x',
  };
  const spool = openSpool(folder, holder);
  const cases = fc.record({
    bad: fc.uniqueArray(fc.integer({ min: 0, max: 99 }), { maxLength: 12 }),
    count: fc.integer({ min: 1, max: 100 }),
    awayAfter: fc.integer({ min: 0, max: 40 }),
  });
  const property = fc.asyncProperty(cases, async ({ bad, count, awayAfter }) => {
    const all = Array.from({ length: count }, (_, n) => n);
    const body = Buffer.from(`[${all.map((n) => `{"n":${n}, "s":"],\\"{"}`)}]`);
    const numbersIn = (bytes: Uint8Array): number[] =>
      JSON.parse(String(Buffer.from(bytes))).map(({ n }: { n: number }) => n);
    const queuedIn = () =>
      onDisk(folder).flatMap(({ path }) => numbersIn(readFileSync(path).subarray(readFileSync(path).indexOf(10) + 1)));
    const delivered: number[] = [];
    let calls = 0;
    const send = async (part: Uint8Array): Promise<number> => {
      const numbers = numbersIn(part);
      // Before each request, acknowledged events are not queued and all others are.
      expect(queuedIn().sort((a, b) => a - b)).toEqual(all.filter((n) => !delivered.includes(n)));
      if (++calls > awayAfter) throw new DtpError('server', 'away', { status: 503, retryable: true });
      if (numbers.some((n) => bad.includes(n))) throw new DtpError('rejected', 'bad', { status: 422 });
      delivered.push(...numbers);
      return 1;
    };
    await spool.open({ base: 'b', workspace: 'w' }, 2 ** 30, async (keep) => {
      const kept = await keep(body, count, async () => false);
      const settled = await settleBatch({ body, events: count, kept }, send);
      expect(calls).toBeLessThanOrEqual(1 + MOST);
      expect(settled.attempts).toBe(calls);
      expect(settled.delivered).toBe(delivered.length);
      expect(delivered).toEqual([...delivered].sort((a, b) => a - b));
      const left = queuedIn();
      expect(left).toEqual(all.filter((n) => !delivered.includes(n)));
      expect(onDisk(folder).map(({ state }) => state)).toEqual(
        left.length === 0 ? [] : [settled.failure ? 'pending' : 'rejected'],
      );
      // One invalid event is always found. Of many, no valid one is rejected unless the requests are used up.
      if (!settled.failure && calls < MOST) expect(left).toEqual(all.filter((n) => bad.includes(n)));
    });
    for (const id of (await spool.list()).map((one) => one.id)) await spool.drop(new Set([id]));
    expect(readdirSync(folder).filter((name) => name !== 'rejected')).toEqual([]);
  });
  await fc.assert(property, { seed, numRuns: 60 });
});
