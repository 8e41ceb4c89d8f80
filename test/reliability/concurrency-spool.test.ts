/** Many posting and flushing processes on one spool. */
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ended } from '../support/context.ts';
import { dtp, filesInState, home, type Served, serve } from '../support/process.ts';
import { rounds } from '../support/random.ts';

const ROUNDS = rounds(2, 20);
const POSTERS = 10;
const FLUSHERS = 3;
/** These posts have an invalid credential: none of their events are delivered, so the other processes find them. */
const BACKLOG = 3;
const EVENTS = 120;

let place: ReturnType<typeof home>;
let server: Served;
beforeAll(async () => {
  place = home();
  const faults = ['--fail', 'postWorkspaceEvents=503@10%', '--fail', 'postWorkspaceEvents=429@4%'];
  server = await serve(place.folder, ['--data', join(place.folder, 'data'), ...faults]);
});
afterAll(async () => {
  await server?.stop();
  place.remove();
});

const run = (argv: readonly string[], stdin = '', key = server.key): Promise<Ended> =>
  dtp(place.folder, [...argv, '-o', 'json'], {
    env: { DTP_BASE_URL: server.address, DTP_API_KEY: key, DTP_WORKSPACE_ID: server.workspace_id },
    stdin,
  });

const idsOf = (name: string) => Array.from({ length: EVENTS }, (_, at) => `${name}-${at}`);

function post(name: string, key?: string): Promise<Ended> {
  const events = idsOf(name).map((id, at) => JSON.stringify({ id, execution_id: `${name}-${at % 4}` }));
  return run(['events', 'post', '--body', '-', '--batch-size', '10'], events.join('\n'), key);
}

const flush = () => run(['events', 'queue', 'flush']);

/** Notes, and the reason why events are queued at the end. */
const expected = [
  /^delivered \d+ queued events of an earlier command$/,
  /^events of an earlier command are still queued: (429|503) /,
  /^\{"error":\{"code":"kept",/,
  /^$/,
];

interface Summary {
  readonly accepted: number;
  readonly delivered: number;
  /** From earlier posts. */
  readonly caughtUp: number;
}

function summaryOf({ code, stdout, stderr }: Ended): Summary {
  expect([0, 75], stderr).toContain(code);
  const lines = stderr.split('\n');
  expect(lines.filter((line) => !expected.some((one) => one.test(line)))).toEqual([]);
  const result = code === 0 ? JSON.parse(stdout) : JSON.parse(lines.at(-2) as string).error.details;
  const caughtUp = Number(/(\d+) queued events of an earlier/.exec(stderr)?.[1] ?? 0);
  return { accepted: result.accepted, delivered: result.delivered, caughtUp };
}

function storedOf(round: number): readonly string[] {
  const db = new Database(join(place.folder, 'data', 'service.db'));
  try {
    return db.prepare(`SELECT id FROM events WHERE id LIKE 'r${round}-%'`).pluck().all().map(String).sort();
  } finally {
    db.close();
  }
}

test(`${POSTERS} processes that post and ${FLUSHERS} that flush at once, ${ROUNDS} rounds`, async () => {
  const total = { events: 0, caughtUp: 0, flushed: 0, kept: 0 };
  for (let round = 0; round < ROUNDS; round++) {
    const backlog = Array.from({ length: BACKLOG }, (_, at) => `r${round}-b${at}`);
    // Everything is queued: because of the credential, or of an earlier failure.
    for (const ended of await Promise.all(backlog.map((name) => post(name, 'wrong'))))
      expect([4, 75], ended.stderr).toContain(ended.code);

    const names = Array.from({ length: POSTERS }, (_, at) => `r${round}-p${at}`);
    const flushers = Array.from({ length: FLUSHERS }, flush);
    const posts = (await Promise.all(names.map((name) => post(name)))).map(summaryOf);
    const flushes = (await Promise.all(flushers)).map(summaryOf);
    for (let code = 75; code !== 0; ) {
      const ended = await flush();
      code = ended.code;
      flushes.push(summaryOf(ended));
    }

    expect(posts.map(({ accepted }) => accepted)).toEqual(Array(POSTERS).fill(EVENTS));
    const all = [...backlog, ...names].flatMap(idsOf).sort();
    expect(storedOf(round), `round ${round}`).toEqual(all);
    // Each batch was acknowledged to one process, which removed it.
    const sum = (list: readonly Summary[], what: keyof Summary) => list.reduce((all, one) => all + one[what], 0);
    const [delivered, caughtUp] = [sum(posts, 'delivered'), sum(posts, 'caughtUp')];
    const later = sum(flushes, 'delivered');
    expect(delivered + caughtUp + later, `round ${round}: acknowledged`).toBe(all.length);
    expect(filesInState(join(place.folder, 'state')), `round ${round}: left`).toEqual([]);

    total.events += all.length;
    total.caughtUp += caughtUp;
    total.flushed += later;
    total.kept += posts.filter((one) => one.delivered < EVENTS).length;
  }
  process.stdout.write(`spool: ${ROUNDS} rounds, ${JSON.stringify(total)}\n`);
  expect(total.caughtUp + total.flushed).toBeGreaterThan(0);
});
