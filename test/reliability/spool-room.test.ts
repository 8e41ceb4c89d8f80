/** A spool with little space: a post larger than its limit continues as its batches are acknowledged. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ExitCode } from '../../src/errors.ts';
import { temporaryFolder } from '../support/context.ts';
import { filesUnder } from '../support/disk.ts';
import { events, ndjson, receiver } from '../support/event-service.ts';
import { until } from '../support/stubborn-processes.ts';

const LIMIT = 700;
const EVENTS = 200;
const env = { DTP_QUEUE_MAX_BYTES: String(LIMIT) };
const argv = ['post', '--no-fill', '--body', '-', '--batch-size', '5', '-o', 'json'];
const stdin = ndjson(EVENTS, 9);
const batchesIn = (home: string) => filesUnder(join(home, 'state')).filter((path) => path.endsWith('.batch'));
/** In bytes, without the first line. */
const bodyOf = (path: string) => {
  const bytes = readFileSync(path);
  return bytes.byteLength - bytes.indexOf('\n') - 1;
};
const pause = () => new Promise((done) => setImmediate(done));

test('more events than the limit are delivered, and the disk never exceeds it', async () => {
  const home = temporaryFolder();
  let most = 0;
  const service = receiver(async () => {
    const batches = batchesIn(home);
    most = Math.max(
      most,
      batches.reduce((sum, path) => sum + bodyOf(path), 0),
    );
    expect(batches.length).toBeGreaterThan(0);
    await pause();
    return 200;
  });
  const ended = await events(argv, { home, env, stdin, openSend: service.openSend });
  expect([ended.code, ended.stderr]).toEqual([0, '']);
  expect(JSON.parse(ended.stdout)).toMatchObject({ accepted: EVENTS, delivered: EVENTS, pending: 0 });
  expect(
    service
      .events()
      .map(({ id }) => id)
      .sort(),
  ).toEqual(Array.from({ length: EVENTS }, (_, n) => `e_${n}`).sort());
  for (let lane = 0; lane < 9; lane++) {
    const numbers = service
      .events()
      .filter(({ execution_id }) => execution_id === `x_${lane}`)
      .map(({ n }) => n);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
  }
  expect(most).toBeLessThanOrEqual(LIMIT);
  expect(readdirSync(join(home, 'state'))).toEqual([]);
});

test('a post waits for an outage to end', async () => {
  const home = temporaryFolder();
  const service = receiver((_, call) => (call > 20 && call < 35 ? 503 : 200));
  const ended = await events(argv, { home, env, stdin, openSend: service.openSend });
  expect([ended.code, ended.stderr]).toEqual([0, 'the service responded with status 503; trying again\n']);
  expect(new Set(service.events().map(({ id }) => id)).size).toBe(EVENTS);
  expect(service.events()).toHaveLength(EVENTS);
});

test('rejected batches free no space, and if nothing moves, the tool reports what is queued', async () => {
  const home = temporaryFolder();
  const service = receiver(() => 422);
  const ended = await events(argv, { home, env, stdin, openSend: service.openSend });
  expect([ended.code, ended.stdout]).toEqual([1, '']);
  expect(ended.stderr).toContain(`the queue is full: its limit is ${LIMIT} bytes. 15 events were accepted`);
  expect(batchesIn(home)).toHaveLength(3);
});

test('an interrupt while it waits for space keeps the queue', async () => {
  const home = temporaryFolder();
  const interrupt = new AbortController();
  const service = receiver(
    (_, __, signal) =>
      new Promise((_done, failed) => {
        signal.addEventListener('abort', () => failed(signal.reason));
        // With three batches, every lane is waiting: for its answer, or for space. Each request looks, and the
        // first that sees them ends the others: later, the folder is gone.
        until(() => signal.aborted || batchesIn(home).length === 3).then(() => interrupt.abort(new ExitCode(130)));
      }),
  );
  const ended = await events(argv, {
    home,
    env,
    stdin,
    signal: interrupt.signal,
    openSend: service.openSend,
  });
  expect([ended.code, ended.stdout]).toEqual([130, '']);
  expect(ended.stderr).toMatch(/^interrupted: 0 events delivered, 15 queued/);
  expect(batchesIn(home)).toHaveLength(3);
});
