/** After a temporary failure: the rest is delivered by the same command, which does not call the service before it may. */
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { DtpError } from '../../../src/errors.ts';
import { deliver } from '../../../src/flows/deliver.ts';
import { temporaryFolder } from '../../support/context.ts';
import { events, ndjson, receiver, refusal } from '../../support/event-service.ts';
import { home } from '../../support/process.ts';

const post = ['post', '--body', '-', '--batch-size', '10', '-o', 'json'];

test.each([
  ['503', 503],
  ['429 with Retry-After', { status: 429, headers: { 'retry-after': '5' } }],
])('a %s that passes leaves nothing queued, with one lane too', async (_, failure) => {
  const service = receiver((__, call) => (call === 2 ? failure : 200));
  const ended = await events(post, { stdin: ndjson(100), openSend: service.openSend });
  expect(ended.code, ended.stderr).toBe(0);
  expect(JSON.parse(ended.stdout)).toMatchObject({ accepted: 100, delivered: 100, pending: 0, attempts: 11 });
  expect(service.events().map(({ n }) => n)).toEqual(Array.from({ length: 100 }, (_, n) => n));
});

test('an interrupted response is retried like a missing one', async () => {
  let calls = 0;
  const ended = await events([...post, '--no-queue'], {
    stdin: ndjson(1),
    openSend: async () => ({
      send: async () => ({ status: 200, headers: {}, body: ++calls < 3 ? brokenOff() : whole() }),
      close: async () => undefined,
    }),
  });
  expect([ended.code, calls]).toEqual([0, 3]);
  expect(JSON.parse(ended.stdout).attempts).toBe(3);
});

async function* brokenOff(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{');
  throw refusal;
}

async function* whole(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('{}');
}

/** Time advances with each wait and each reading of the clock. */
function ticking(): { readonly clock: Clock; readonly now: () => number } {
  let now = 0;
  const sleep = async (ms: number) => {
    now += ms;
    await new Promise((done) => setImmediate(done));
  };
  return { clock: { now: () => now++, sleep }, now: () => now };
}

test('a service that asks for a pause of 40 s gets it', async () => {
  const { clock, now } = ticking();
  const sent: number[] = [];
  const failed = new DtpError('server', 'down', { retryable: true, waitMs: 40_000 });
  const input = (async function* () {
    for (let n = 0; n < 20; n++) {
      await clock.sleep(1000);
      yield [{ bytes: Buffer.from('{}'), execution: 'x' }];
    }
  })();
  const kept = async (body: Uint8Array, count: number) => ({
    ...{ id: '', base: '', workspace: '', created_at: '', events: count },
    read: async () => body,
    remove: async () => undefined,
    replace: async () => undefined,
    reject: async () => undefined,
  });
  const delivery = await deliver(input, {
    keep: kept,
    send: async () => {
      sent.push(now());
      if (sent.length === 1) throw failed;
      return 1;
    },
    ...{ batchSize: 1, batchBytes: 1000, concurrency: 1, clock, random: () => 0.5 },
    signal: new AbortController().signal,
    tell: () => undefined,
  });
  expect(delivery.tally).toMatchObject({ accepted: 20, delivered: 20, pending: 0 });
  expect((sent[1] ?? 0) - (sent[0] ?? 0)).toBeGreaterThanOrEqual(40_000);
});

test('after a minute, an outage is final', async () => {
  const { clock, now } = ticking();
  const failed = new DtpError('server', 'down', { retryable: true });
  const input = (async function* () {
    yield [{ bytes: Buffer.from('{}'), execution: 'x' }];
  })();
  const delivery = await deliver(input, {
    keep: async (body, count) => ({
      ...{ id: '', base: '', workspace: '', created_at: '', events: count },
      read: async () => body,
      remove: async () => undefined,
      replace: async () => undefined,
      reject: async () => undefined,
    }),
    send: async () => {
      throw failed;
    },
    ...{ batchSize: 1, batchBytes: 1000, concurrency: 1, clock, random: () => 0.5 },
    signal: new AbortController().signal,
    tell: () => undefined,
  });
  expect(delivery.tally).toMatchObject({ pending: 1, delivered: 0 });
  expect(now()).toBeGreaterThan(57_000);
  expect(now()).toBeLessThan(64_000);
});

test('a line that is not UTF-8 is an invalid line', async () => {
  const service = receiver();
  const stdin = Buffer.concat([
    Buffer.from(ndjson(10)),
    Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d, 0x0a]),
    Buffer.from(ndjson(5)),
  ]);
  const stopped = await events(post, { stdin, openSend: service.openSend });
  expect([stopped.code, service.events().length]).toEqual([2, 10]);
  expect(stopped.stderr).toContain('line 11 is not UTF-8 text. 10 events were accepted, up to line 10');
  const skipped = await events([...post, '--on-error', 'skip'], { stdin, openSend: receiver().openSend });
  expect([skipped.code, skipped.stdout]).toEqual([14, '']);
});

test('the details hold the result and the response of the service', async () => {
  const service = receiver((_, call) => (call < 2 ? 200 : 401));
  const ended = await events([...post, '--error-format', 'json'], {
    stdin: ndjson(30),
    openSend: service.openSend,
  });
  expect(ended.code).toBe(4);
  expect(JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) as string).error.details).toMatchObject({
    message: 'said 401',
    ...{ accepted: 30, delivered: 10, pending: 20, batches: 3, attempts: 2 },
  });
});

test.skipIf(process.getuid?.() === 0)(
  'unreadable batches are not reported as damaged (skipped for root, who may read everything)',
  async () => {
    const folder = temporaryFolder();
    const down = receiver(() => refusal);
    const world = { home: folder, openSend: down.openSend };
    await events(post, { ...world, stdin: ndjson(10) });
    const [run = ''] = readdirSync(join(folder, 'state'));
    const file = join(folder, 'state', run, '0000001.batch');
    chmodSync(file, 0);
    const listed = await events(['queue', 'list', '-o', 'json'], world);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ state: 'pending' }]);
    chmodSync(file, 0o600);
    rmSync(file);
  },
);

test('more batches than a process may open files are listed correctly', async () => {
  const place = home();
  try {
    // A rejected credential leaves all of them queued.
    const posted = await events(['post', '--body', '-', '--batch-size', '1'], {
      home: place.folder,
      stdin: ndjson(300),
      openSend: receiver(() => 401).openSend,
    });
    expect(posted.code, posted.stderr).toBe(4);
    const bin = join(import.meta.dirname, '../../../bin/dtp.cjs');
    const { spawnSync } = await import('node:child_process');
    const script = `ulimit -n 120; exec '${process.execPath}' '${bin}' events queue list -o json`;
    const vars = { PATH: process.env.PATH, HOME: place.folder, DTP_STATE_DIR: join(place.folder, 'state') };
    const listed = spawnSync('sh', ['-c', script], { env: vars, encoding: 'utf8' });
    const states = (JSON.parse(listed.stdout) as { state: string }[]).map(({ state }) => state);
    expect(states).toEqual(Array(300).fill('pending'));
  } finally {
    place.remove();
  }
});
