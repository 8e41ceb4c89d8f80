/** The system time changes while a command waits: waits, deadlines, retries, locks and durations are not affected. */
import { mkdirSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import { type LockHolder, withFreeLock } from '../../src/store/lock.ts';
import { dtp as run, temporaryFolder, type World } from '../support/context.ts';
import { ndjson, receiver, refusal } from '../support/event-service.ts';
import { dtp, home } from '../support/process.ts';

const SECOND = 1000;
const steps = { 'not at all': 0, 'back by 200 s': -200 * SECOND, 'forward by a day': 86_400 * SECOND };

/** A clock that advances when somebody waits, and a date that moves by `step` with each use. */
function stepping(step: number) {
  const waits: number[] = [];
  let now = 0;
  let wall = Date.UTC(2026, 0, 31);
  const sleep: Clock['sleep'] = async (ms, signal) => {
    signal?.throwIfAborted();
    // A deadline that is not reached.
    if (ms >= 60 * SECOND)
      return new Promise<void>((_, failed) => {
        signal?.addEventListener('abort', () => failed(signal.reason), { once: true });
      });
    waits.push(ms);
    now += ms;
    await new Promise((done) => setImmediate(done));
  };
  const date = () => {
    wall += step;
    return new Date(wall);
  };
  return { clock: { now: () => now, sleep }, date, waits, now: () => now };
}

const env = {
  DTP_BASE_URL: 'https://api.example.test',
  DTP_API_KEY: 'k-1',
  DTP_WORKSPACE_ID: 'w_1',
  DTP_ERROR_FORMAT: 'text',
};

interface Case {
  readonly argv: readonly string[];
  readonly openSend: NonNullable<World['openSend']>;
  readonly stdin?: string;
  readonly code: number;
}

/** The same response each time. */
const always = (status: number, headers: Record<string, string> = {}): Case['openSend'] => {
  const send = async () => ({ status, headers, body: (async function* () {})() });
  return async () => ({ send, close: async () => undefined });
};

const cases: Readonly<Record<string, () => Case>> = {
  'retries with a growing wait': () => ({ argv: ['auth', 'access'], openSend: always(503), code: 10 }),
  'retries that a user asks for': () => ({
    argv: ['ws', 'list', '--retry', '3'],
    openSend: always(503),
    code: 10,
  }),
  'a wait that the service asks for': () => ({
    argv: ['ws', 'list', '--retry', '2'],
    openSend: always(503, { 'retry-after': '9' }),
    code: 10,
  }),
  'a job with --wait': () => ({
    argv: ['code-samples', 'jobs', 'get', 'job-1', '--wait', '--wait-timeout', '90s'],
    openSend: always(202),
    code: 124,
  }),
  'an outage while events are posted': () => ({
    argv: ['events', 'post', '--body', '-', '--batch-size', '1', '-o', 'json'],
    openSend: receiver((_, call) => (call % 40 === 0 ? 200 : refusal)).openSend,
    stdin: ndjson(3),
    code: 0,
  }),
};

describe.each(Object.keys(cases))('%s', (name) => {
  test('takes the same time, whatever the date does', async () => {
    const ended = [];
    for (const step of Object.values(steps)) {
      const { argv, openSend, stdin, code } = (cases[name] as () => Case)();
      const { clock, date, waits, now } = stepping(step);
      const given = stdin === undefined ? {} : { stdin };
      const result = await run(argv, { env, own: 'w_1', openSend, clock, date, ...given });
      expect(result.code, result.stderr).toBe(code);
      expect(waits.length).toBeGreaterThan(1);
      const elapsed = argv.includes('json') ? JSON.parse(result.stdout).elapsed_ms : undefined;
      if (elapsed !== undefined) expect(elapsed).toBe(Math.round(now()));
      ended.push({ waits, elapsed });
    }
    expect(ended[1]).toEqual(ended[0]);
    expect(ended[2]).toEqual(ended[0]);
  });
});

test('a date in Retry-After is compared with the date, but the wait uses the clock', async () => {
  const { clock, waits } = stepping(0);
  const openSend = always(503, { 'retry-after': 'Sat, 31 Jan 2026 00:00:07 GMT' });
  const date = () => new Date('2026-01-31T00:00:00Z');
  await run(['ws', 'list', '--retry', '1'], { env, own: 'w_1', openSend, clock, date });
  expect(waits).toEqual([7 * SECOND]);
});

test('events are stamped with the date, not with the clock', async () => {
  const { clock } = stepping(0);
  const date = () => new Date('2026-01-31T12:00:00Z');
  const service = receiver(() => 200);
  const argv = ['events', 'post', '--body', '{"id":"e_1"}'];
  const posted = await run(argv, { env, own: 'w_1', openSend: service.openSend, clock, date });
  expect(posted.code, posted.stderr).toBe(0);
  expect(service.events()[0]).toMatchObject({ created_at: '2026-01-31T12:00:00.000Z' });
});

test('waiting for a lock uses the clock', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'lock'), '4711');
  const { clock, waits } = stepping(0);
  const holder: LockHolder = { ...clock, pid: 1, isAlive: () => true, beganAt: () => undefined };
  expect(await withFreeLock(join(folder, 'lock'), async () => 1, holder, 10_000)).toBeUndefined();
  expect(waits.reduce((sum, ms) => sum + ms, 0)).toBe(10_000);
});

describe('a whole process', () => {
  const server = http.createServer((request, response) => {
    asked++;
    request.resume();
    response.writeHead(202, { 'content-type': 'application/json' }).end('{}');
  });
  let asked = 0;
  let address = '';
  beforeAll(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  /** Before the tool starts: each use of the date is `step` milliseconds after the previous one. */
  const program = (step: number) => `
    const now = Date.now;
    let shift = 0;
    Date.now = () => now() + (shift += ${step});
  `;

  test.each([
    ['back', -200 * SECOND],
    ['forward', 3600 * SECOND],
  ])('a job is given up after its time limit although the date jumps %s', async (_, step) => {
    const { folder, remove } = home();
    try {
      mkdirSync(join(folder, 'config'), { mode: 0o700 });
      writeFileSync(join(folder, 'step.cjs'), program(step));
      asked = 0;
      const ended = await dtp(
        folder,
        ['code-samples', 'jobs', 'get', 'j', '--wait', '--wait-timeout', '2s', '--poll-interval', '400ms'],
        {
          env: {
            DTP_BASE_URL: address,
            DTP_API_KEY: 'k-1',
            NODE_OPTIONS: `--require ${join(folder, 'step.cjs')}`,
          },
        },
      );
      expect([ended.code, ended.stderr]).toEqual([124, expect.stringContaining('not finish within 2 s')]);
      // With the date moving forward, it would be given up at once, and moving back, never.
      expect(asked).toBeGreaterThan(2);
    } finally {
      remove();
    }
  });
});
