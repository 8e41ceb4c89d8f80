/** A spool, a service that accepts each event once, and the sets that must agree between the two. */
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { expect } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import type { EventBytes } from '../../src/flows/body.ts';
import { openSpool, type Spool } from '../../src/store/spool.ts';
import { filesUnder, type Process } from './disk.ts';

export const destination = { base: 'https://service.example', workspace: 'w' };
/** `lost`: the service stored the event, but the client's connection broke. */
export type Reply = 'accept' | 'refuse' | 'fail' | 'lost' | 'shut';

export interface KeptEvent {
  readonly id: string;
  readonly mark?: string;
}

/** A batch file on the disk, read without the code under test. */
export interface OnDisk {
  readonly path: string;
  /** As it is listed. */
  readonly id: string;
  readonly state: 'pending' | 'rejected' | 'corrupt';
  /** Undefined if the batch is incomplete. */
  readonly events: readonly KeptEvent[] | undefined;
  readonly ids: readonly string[] | undefined;
}

export function onDisk(folder: string): readonly OnDisk[] {
  if (!existsSync(folder)) return [];
  const batches = filesUnder(folder).filter((path) => path.endsWith('.batch'));
  return batches.map((path) => {
    const place = basename(dirname(path));
    const state = place === 'rejected' || place === 'corrupt' ? place : 'pending';
    const name = basename(path).split('.')[0] as string;
    const events = eventsIn(readFileSync(path));
    const ids = events?.map(({ id }) => id);
    return { path, id: state === 'pending' ? `${place}-${name}` : name, state, events, ids };
  });
}

function eventsIn(bytes: Buffer): readonly KeptEvent[] | undefined {
  const end = bytes.indexOf('\n');
  try {
    const { check, ...said } = JSON.parse(bytes.subarray(0, end).toString());
    const body = bytes.subarray(end + 1);
    if (check !== sha256(JSON.stringify(said)) || said.sha256 !== sha256(body)) return undefined;
    const events: KeptEvent[] = JSON.parse(body.toString());
    expect(said).toMatchObject({ events: events.length, bytes: body.byteLength });
    return events;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const sha256 = (bytes: string | Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export class World {
  readonly root = mkdtempSync(join(tmpdir(), 'dtp-model-'));
  readonly folder = join(this.root, 'spool');
  readonly posted = new Map<string, string>();
  /** What the service has: the JSON of each id, in order of arrival. */
  readonly stored = new Map<string, string>();
  readonly accepted = new Set<string>();
  /**
   * Batches that were seen complete on the disk, although their process had no time to accept them, or could not
   * confirm the space.
   */
  readonly seen = new Set<string>();
  readonly damaged = new Set<string>();
  readonly everRejected = new Set<string>();
  damagedFiles = 0;
  time = 1_700_000_000_000;
  /** Accepted, and no longer on the disk. */
  private acknowledged = new Set<string>();

  /**
   * Checks that each accepted event is in exactly one place, and that the service has every event that is not on
   * the disk.
   */
  check(answered: ReadonlySet<string>): void {
    const files = onDisk(this.folder);
    const kept = files.flatMap(({ ids }) => ids ?? []);
    const there = new Set(kept);
    expect(kept.length, 'no event is queued twice').toBe(there.size);
    for (const id of kept) this.seen.add(id);
    for (const { ids, state } of files) if (state === 'rejected') for (const id of ids ?? []) this.everRejected.add(id);
    expect(files.filter(({ ids }) => !ids).length, 'incomplete batches').toBe(this.damagedFiles);
    expect(
      files.filter(({ ids, state }) => ids && state === 'corrupt'),
      'complete, but set aside as corrupt',
    ).toEqual([]);
    const came = (ids: Iterable<string>) => [...ids].filter((id) => there.has(id));
    expect(came(this.acknowledged), 'acknowledged earlier, but queued again').toEqual([]);
    expect(came(answered), 'acknowledged, but still queued').toEqual([]);
    const gone = [...this.accepted].filter((id) => !there.has(id) && !this.damaged.has(id));
    this.acknowledged = new Set(gone);
    expect(
      gone.filter((id) => !this.stored.has(id)),
      'lost',
    ).toEqual([]);
    expect(
      [...this.stored.keys()].filter((id) => !this.accepted.has(id) && !this.seen.has(id)),
      'sent before it was queued',
    ).toEqual([]);
  }

  /**
   * Other files in the folder besides what was set aside, and besides locks of a process that was killed while
   * it broke a lock.
   */
  names(): readonly string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder).filter((name) => !/^(corrupt|rejected)$|\.lock\.break$/.test(name));
  }

  spoolOf(process: Process): Spool {
    const now = () => this.time++;
    return openSpool(this.folder, {
      now,
      date: () => new Date(now()),
      sleep: async () => undefined,
      pid: process.pid,
      isAlive: (pid) => pid === process.pid,
      beganAt: () => undefined,
    });
  }

  /** The service, which accepts each id once and never rejects an id that it has. */
  sendOf(process: Process, replies: readonly Reply[], answered: Set<string>) {
    let calls = 0;
    return async (body: Uint8Array): Promise<number> => {
      const events: { id: string }[] = JSON.parse(Buffer.from(body).toString());
      const ids = events.map(({ id }) => id);
      const said = replies[Math.min(calls++, replies.length - 1)] as Reply;
      const known = ids.some((id) => this.stored.has(id));
      const kind = said === 'refuse' && known ? 'accept' : said;
      await process.call(async () => {
        if (kind === 'accept' || kind === 'lost')
          for (const event of events) {
            const text = JSON.stringify(event);
            expect(this.posted.get(event.id)).toBe(text);
            if (!this.stored.has(event.id)) this.stored.set(event.id, text);
          }
      });
      await process.call(async () => undefined);
      if (kind === 'lost') throw new DtpError('network', 'reset', { retryable: true, attempts: 1 });
      if (kind === 'fail') throw new DtpError('server', '503', { status: 503, retryable: true, attempts: 1 });
      if (kind === 'shut') throw new DtpError('auth', '401', { status: 401, attempts: 1 });
      // Sent alone, whatever happens to the rest of its batch: the other events continue without it.
      if (kind === 'refuse' && ids.length === 1) this.everRejected.add(ids[0] as string);
      if (kind === 'refuse') throw new DtpError('rejected', '422', { status: 422, attempts: 1 });
      for (const id of ids) answered.add(id);
      return 1;
    };
  }
}

/** Options shared by all deliveries. `pace`: milliseconds that pass between two reads of the clock. */
export const optionsOf = (world: World, pace: number) => ({
  batchBytes: 1_000_000,
  concurrency: 1,
  clock: {
    now: () => {
      world.time += pace;
      return world.time;
    },
    sleep: async (ms: number) => {
      world.time += ms;
    },
  },
  random: () => 0.5,
  signal: new AbortController().signal,
  tell: () => undefined,
});

export async function* windowsOf(events: readonly EventBytes[]) {
  for (let at = 0; at < events.length; at += 5) yield events.slice(at, at + 5);
}
