/** What a service sees of retried batches: the same bytes each time, and one batch at a time. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { openSend } from '../../../src/transport/send.ts';
import { dtp, temporaryFolder, type World } from '../../support/context.ts';

interface Seen {
  readonly length: number;
  readonly declared: number;
  readonly sha256: string;
  /** How often this body was sent before. */
  readonly before: number;
  /** Bodies that were retried at the same time, including this one. */
  readonly again: number;
  /** Requests that were in progress when this one was answered. */
  readonly under: number;
}

/**
 * A service that responds after a moment. `statusOf` chooses the status from the number of earlier attempts. The first
 * attempts are answered once `together` of them are in progress.
 */
async function service(statusOf: (before: number) => number, together = 1) {
  const seen: Seen[] = [];
  let gather = () => {};
  const gathered = new Promise<void>((done) => {
    gather = done;
  });
  const times = new Map<string, number>();
  let under = 0;
  let again = 0;
  const server = createServer(async (request, response) => {
    const hash = createHash('sha256');
    let length = 0;
    under++;
    for await (const chunk of request) {
      hash.update(chunk);
      length += chunk.length;
    }
    const sha256 = hash.digest('hex');
    const before = times.get(sha256) ?? 0;
    times.set(sha256, before + 1);
    if (before > 0) again++;
    const declared = Number(request.headers['content-length']);
    if (under === together) gather();
    await (before > 0 ? new Promise((done) => setTimeout(done, 5)) : gathered);
    seen.push({ length, declared, sha256, before, again, under });
    if (before > 0) again--;
    under--;
    response.writeHead(statusOf(before), { 'retry-after': '0', 'content-type': 'application/json' });
    response.end('{}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => void server.close());
  return { seen, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** Time advances only while somebody waits. The deadline of a request is longer than any wait and never reached. */
function quickClock(): Clock {
  let now = Date.parse('2025-01-01T00:00:00Z');
  return {
    now: () => now,
    sleep: (ms, signal) => {
      if (ms < 90_000) {
        now += ms;
        return Promise.resolve();
      }
      return new Promise((_, failed) => signal?.addEventListener('abort', () => failed(signal.reason)));
    },
  };
}

const worldOf = (address: string): World => ({
  env: { DTP_BASE_URL: address, DTP_API_KEY: 'k', DTP_WORKSPACE_ID: 'w' },
  home: temporaryFolder(),
  clock: quickClock(),
  random: () => 0,
  openSend: async (options) => openSend(options),
});

const events = (count: number, executions: number) =>
  Array.from({ length: count }, (_, at) =>
    JSON.stringify({ execution_id: `e${at % executions}`, note: `ü ${at}`, filler: 'x'.repeat(300) }),
  ).join('\n');

test('every attempt of a batch has the same bytes, even in another process', async () => {
  let status = 503;
  const { seen, address } = await service(() => status);
  const world = worldOf(address);
  const posted = await dtp(['events', 'post', '--body', '-'], { ...world, stdin: events(400, 1) });
  expect(posted.code, posted.stderr).toBe(75);
  const attempts = seen.length;
  expect(attempts).toBeGreaterThanOrEqual(40);

  status = 200;
  const flushed = await dtp(['events', 'queue', 'flush', '-o', 'json'], world);
  expect(flushed.code, flushed.stderr).toBe(0);
  expect(JSON.parse(flushed.stdout)).toMatchObject({ delivered: 400, attempts: 1, bytes: seen[0]?.length });
  expect(seen).toHaveLength(attempts + 1);
  expect(new Set(seen.map(({ sha256 }) => sha256)).size).toBe(1);
  for (const { length, declared } of seen) expect([length, declared]).toEqual([seen[0]?.length, length]);
});

test('of four batches that fail at once, only one is retried at a time', async () => {
  const { seen, address } = await service((before) => (before < 6 ? 503 : 200), 4);
  const argv = ['events', 'post', '--body', '-', '--concurrency', '4', '-o', 'json'];
  const { code, stdout, stderr } = await dtp(argv, { ...worldOf(address), stdin: events(400, 40) });
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ delivered: 400, batches: 4, attempts: 28 });
  const firsts = seen.filter(({ before }) => before === 0);
  expect(Math.max(...firsts.map(({ under }) => under))).toBe(4);
  const later = seen.filter(({ before }) => before > 0);
  expect(Math.max(...later.map(({ again }) => again))).toBe(1);
  // Whoever has the turn keeps it until finished.
  const turns = later.filter(({ sha256 }, at) => sha256 !== later[at - 1]?.sha256);
  expect(turns).toHaveLength(4);
});
