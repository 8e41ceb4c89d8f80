/** A service in memory that can only search events, and a tail of it. */
import { expect } from 'vitest';
import { DtpError } from '../../src/errors.ts';
import { type TailOptions, tailOf } from '../../src/flows/tail.ts';

interface Event {
  readonly id: string;
  readonly created_at: string;
}

export const START = Date.parse('2026-01-31T12:00:00Z');

export const connectionError = () => new DtpError('network', 'the service refused the connection', { retryable: true });

/** A service in memory, and a tail of it. Time passes only between polls. */
export function world(more: Partial<TailOptions> & { readonly cap?: number; readonly largest?: number } = {}) {
  const events: Partial<Event>[] = [];
  const shown: string[] = [];
  const notes: string[] = [];
  const asked: number[] = [];
  const waits: number[] = [];
  const end = new AbortController();
  let now = START;
  let count = 0;
  /** What happens during a wait, by its number, and what a request does instead of answering. */
  const during = new Map<number, () => void>();
  let fault: (() => DtpError | undefined) | undefined;
  /** After this many rows the response is cut. */
  let cutAfter = Number.POSITIVE_INFINITY;
  const post = (lateMs = 0, id = `e${++count}`) => {
    events.push({ id, created_at: new Date(now - lateMs).toISOString() });
    return id;
  };
  const times = new Map<string, number>();
  const time = ({ created_at: text = '' }: Partial<Event>): number => {
    const known = times.get(text) ?? Date.parse(text);
    times.set(text, known);
    return known;
  };
  let isOldestFirst = false;
  let isArrival = false;
  const options: TailOptions = {
    clock: {
      now: () => now,
      sleep: async (ms, signal) => {
        signal?.throwIfAborted();
        waits.push(ms);
        now += ms;
        during.get(waits.length)?.();
        signal?.throwIfAborted();
      },
    },
    signal: end.signal,
    random: () => 1,
    intervalMs: 2000,
    search: async (limit) => {
      asked.push(limit);
      const failure = fault?.();
      if (failure) throw failure;
      if (limit > (more.largest ?? limit)) throw new DtpError('rejected', 'limit is too large', { status: 422 });
      // Later posts first among those of the same time.
      const sorted = isArrival ? [...events] : events.toSorted((a, b) => time(a) - time(b));
      const found = (isOldestFirst ? sorted : sorted.reverse()).slice(0, Math.min(limit, more.cap ?? limit));
      const cut = cutAfter;
      const rows = (async function* () {
        for (let at = 0; at < found.length; at += 7) {
          if (at >= cut) throw new DtpError('network', 'the connection was closed', { retryable: true });
          yield found.slice(at, at + 7);
        }
      })();
      return { rows, now };
    },
    began: () => notes.push('began'),
    lost: () => notes.push('lost'),
    back: (ms) => notes.push(`back ${ms}`),
    missed: (limit) => notes.push(`missed ${limit}`),
    ...more,
  };
  /** Runs the tail for a number of waits. */
  const run = async (lasts: number) => {
    const before = during.get(lasts);
    during.set(lasts, () => {
      before?.();
      end.abort(new Error('the end'));
    });
    const groups: string[][] = [];
    const follow = async () => {
      for await (const rows of tailOf(options)) {
        const ids = rows.map((row) => (row as Event).id);
        groups.push(ids);
        shown.push(...ids);
      }
    };
    await expect(follow()).rejects.toThrow('the end');
    return groups;
  };
  return {
    /** Any row, such as one without an id. */
    add: (row: object) => events.push(row),
    shown,
    notes,
    asked,
    waits,
    during,
    post,
    run,
    follow: () => tailOf(options),
    now: () => now,
    pass: (ms: number) => {
      now += ms;
    },
    fail: (make: typeof fault) => {
      fault = make;
    },
    cut: (after: number) => {
      cutAfter = after;
    },
    reverse: () => {
      isOldestFirst = true;
    },
    byArrival: () => {
      isArrival = true;
    },
  };
}

export const posts = (service: ReturnType<typeof world>, count: number, lateMs = 0) =>
  Array.from({ length: count }, () => service.post(lateMs));
