/** A killed post loses no event that it read. `DTP_SEED` repeats a run's choices. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Recorder, record } from '../support/event-recorder.ts';
import { dtp, filesInState, home, type Served, serve, start } from '../support/process.ts';
import { randomOf, rounds, seed } from '../support/random.ts';
import { onDisk } from '../support/spool-world.ts';

const KILLS = rounds(8, 200);
const EVENTS = 3000;
const EXECUTIONS = 7;
/** The number of kills per store: a large store takes longer to read than everything else. */
const STORE = 10;

const faults = [
  ...['--fail', 'postWorkspaceEvents=503@20%'],
  ...['--fail', 'postWorkspaceEvents=422@2%'],
  ...['--drop', 'postWorkspaceEvents=after-request@10%'],
];

let place: ReturnType<typeof home>;
beforeAll(() => {
  place = home();
});
afterAll(() => place.remove());

const markOf = (kill: number, at: number) => `k${kill}e${at % EXECUTIONS}-${String(at).padStart(5, '0')}`;
const executionIn = (mark: string) => mark.split('-')[0] as string;

/** NDJSON; every second input has no ids, so that they are filled in. */
function inputOf(kill: number): string {
  const lines = Array.from({ length: EVENTS }, (_, at) => {
    const mark = markOf(kill, at);
    const given = kill % 2 === 0 ? { id: mark } : {};
    return JSON.stringify({ ...given, execution_id: executionIn(mark), mark, filler: 'x'.repeat(150) });
  });
  return lines.join('\n');
}

/** The marks that the service has, with repetitions. */
function storedIn(folder: string, kill: number): readonly string[] {
  const db = new Database(join(folder, 'service.db'));
  try {
    const sql = `SELECT json_extract(record, '$.mark') FROM events WHERE execution_id LIKE 'k${kill}e%'`;
    return db.prepare(sql).pluck().all().map(String).sort();
  } finally {
    db.close();
  }
}

/** Waits until a batch is queued, or the process has exited. */
async function untilKept(state: string, child: ReturnType<typeof start>): Promise<void> {
  while (child.exitCode === null && !(existsSync(state) && filesInState(state).length > 0))
    await new Promise((done) => setTimeout(done, 2));
}

/** The service, and in front of it a recorder: an event that was sent had been accepted. */
type Front = Served & { readonly recorder: Recorder };

async function openFront(data: string): Promise<Front> {
  const server = await serve(place.folder, ['--data', data, ...faults]);
  const recorder = await record(server.address);
  const stop = () => {
    recorder.close();
    return server.stop();
  };
  return { ...server, recorder, stop };
}

const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

/**
 * Posts the input and kills the process: the first time at the first batch, every fourth time at any moment,
 * otherwise during delivery.
 */
async function killedPost(server: Front, kill: number, random: () => number): Promise<void> {
  const file = join(place.folder, 'events.ndjson');
  writeFileSync(file, inputOf(kill));
  const argv = ['events', 'post', '--body', `@${file}`, '--batch-size', '50', '-o', 'json'];
  const child = start(place.folder, argv, { env: envOf(server) });
  const ended = new Promise((done) => child.on('close', done));
  child.stdout.resume();
  child.stderr.resume();
  if (kill % 4 !== 3) await untilKept(join(place.folder, 'state'), child);
  const ms = random() * (kill % 4 === 3 ? 500 : 1200);
  await pause(kill === 0 ? 0 : ms);
  child.kill('SIGKILL');
  await ended;
}

const envOf = (server: Front) => ({
  DTP_BASE_URL: server.recorder.address,
  DTP_API_KEY: server.key,
  DTP_WORKSPACE_ID: server.workspace_id,
});

/** Flushes until everything is delivered. A flush exits with another code if the service rejects it or is down. */
async function flushed(server: Front, argv: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 20; tries++) {
    const { code, stderr } = await dtp(place.folder, ['events', 'queue', 'flush', ...argv], {
      env: envOf(server),
    });
    if (code === 0) return;
    expect([7, 14, 75], stderr).toContain(code);
  }
  throw new Error(`not delivered after 20 flushes ${argv.join(' ')}`);
}

/** The marks that are missing before the last accepted one of each execution: events are read in order, without gaps. */
function gaps(kill: number, marks: ReadonlySet<string>): readonly string[] {
  const missing: string[] = [];
  for (let execution = 0; execution < EXECUTIONS; execution++) {
    const all = Array.from({ length: EVENTS }, (_, at) => at).filter((at) => at % EXECUTIONS === execution);
    const last = all.findLastIndex((at) => marks.has(markOf(kill, at)));
    const before = all.slice(0, last + 1).map((at) => markOf(kill, at));
    missing.push(...before.filter((mark) => !marks.has(mark)));
  }
  return missing;
}

test(`nothing is lost by ${KILLS} kills (seed ${seed})`, async () => {
  const random = randomOf(seed);
  const state = join(place.folder, 'state');
  const total = { accepted: 0, kept: 0, rejected: 0, amid: 0 };
  let server: Front | undefined;
  try {
    // On a busy machine, the first kills may all come before or after the delivery.
    for (let kill = 0; kill < KILLS || (total.amid === 0 && kill < 5 * KILLS); kill++) {
      const data = join(place.folder, `data-${Math.floor(kill / STORE)}`);
      server ??= await openFront(data);
      server.recorder.marks.clear();
      await killedPost(server, kill, random);
      const what = `kill ${kill} of seed ${seed}`;

      const files = onDisk(state);
      expect(files.filter(({ events }) => !events).length, `${what}: incomplete`).toBe(0);
      const queuedMarks = files.flatMap(({ events }) => events?.map(({ mark }) => mark ?? '') ?? []);
      expect(queuedMarks.length, `${what}: queued twice`).toBe(new Set(queuedMarks).size);
      const accepted = new Set([...queuedMarks, ...storedIn(data, kill)]);
      const lost = [...server.recorder.marks].filter((mark) => !accepted.has(mark));
      expect(lost, `${what}: sent and lost`).toEqual([]);
      expect(gaps(kill, accepted), `${what}: skipped`).toEqual([]);

      await flushed(server, []);
      await flushed(server, ['--rejected']);
      expect(storedIn(data, kill), `${what}: at the service`).toEqual([...accepted].sort());
      expect(onDisk(state), `${what}: left`).toEqual([]);

      total.accepted += accepted.size;
      total.kept += queuedMarks.length;
      total.rejected += files.filter((file) => file.state === 'rejected').length;
      if (accepted.size > 0 && accepted.size < EVENTS) total.amid++;
      if (kill % STORE !== STORE - 1) continue;
      await server.stop();
      server = undefined;
      rmSync(data, { recursive: true });
    }
  } finally {
    await server?.stop();
  }
  // A lock that was being broken may leave a file, which is harmless.
  const left = filesInState(state).filter((name) => !/^rejected$|\.lock\.break$/.test(name));
  process.stdout.write(`spool: ${KILLS} kills, seed ${seed}, ${JSON.stringify(total)}\n`);
  expect(total.amid).toBeGreaterThan(0);
  expect(left).toEqual([]);
});
