/** Follows new events by polling an operation that only returns the newest ones, up to a limit. */
import { DtpError, hasCode } from '../errors.ts';
import { isRetriedByFollowing, pollBackoff, waitAfter } from '../operations/retry-rules.ts';
import { createdAt, openWindow, type Window } from './tail-window.ts';
import type { WaitOptions } from './wait.ts';

export interface TailedEvents {
  /** The rows in the order of the response, in groups, as they arrive. Throws if the response is cut off. */
  readonly rows: AsyncIterable<readonly unknown[]>;
  /** The current time by the clock of the service, in milliseconds since 1970. */
  readonly now: number;
}

export interface TailOptions extends Pick<WaitOptions, 'clock' | 'intervalMs'> {
  /** Ends the tail, which then throws the reason of the signal. */
  readonly signal: AbortSignal;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
  /** Requests the newest events. The service may return fewer than `limit`. */
  readonly search: (limit: number) => Promise<TailedEvents>;
  /** If set, existing events that were created at this time or later are yielded too. In milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Called after the first successful poll. */
  readonly began: () => void;
  /** Called once when polls start to fail. `back` is called when they succeed again. */
  readonly lost: (why: DtpError) => void;
  readonly back: (awayMs: number) => void;
  /** Called once, if a single response cannot contain all new events. */
  readonly missed: (limit: number) => void;
}

/**
 * The numbers of events to request. A normal poll starts with at least `shallow`, and a sweep with at least `deep`. If
 * the response does not go back far enough, the next request asks for `step` times as many, up to `most`.
 */
const limits = { shallow: 100, deep: 1000, step: 4, most: 131_072 };

/** How many milliseconds after its `created_at` an event may arrive. `dtp events post` retries for this long. */
const LATE = 90_000;

/** The time between two sweeps, in milliseconds. */
const SWEEP = 30_000;

/** After an outage of at least `from` milliseconds, events from the outage may still arrive for `hold` milliseconds. */
const outage = { from: 30_000, hold: 300_000 };

/**
 * The maximum number of new events in a group. If there are more, they are yielded in several groups, the newest group
 * first, so that memory is bounded.
 */
const GROUP = 10_000;

/**
 * Yields new events in groups, oldest first, each event once. Without `since`, the events of the first response are not
 * yielded.
 *
 * Invariant: an event is yielded at most once, because the window (tail-window.ts) remembers its id or rejects its
 * time. It is yielded if it is among the 1,000 newest when it arrives, or if it arrives at most 90 s after its
 * `created_at`:
 *
 * - Each poll reads the newest events until it reaches a run of known events. New events usually come before these.
 * - Late events are further down. So every 30 s, and after each failure, a sweep reads the newest 1,000 events and all
 *   events created since 90 s before the last complete sweep. During an outage, no sweep completes, so the next one
 *   goes back to before the outage. After a long outage, the following sweeps do too, because clients then deliver the
 *   events that they queued.
 * - Times are compared with the clock of the service, so the clock of this machine does not matter. An event with a
 *   future time stays in the window and hides nothing, because the window does not depend on the newest event.
 * - Only a response that was read to its end moves the window.
 *
 * After a failure of the network or the service, polls again, no sooner than the service asks. Throws other failures,
 * any failure of the first poll, and the reason of `signal`.
 */
export async function* tailOf(options: TailOptions): AsyncGenerator<readonly unknown[]> {
  const { clock, signal, intervalMs, random } = options;
  const poll = pollsOf(options);
  let lostAt: number | undefined;
  let began = false;
  for (let failures = 0; ; ) {
    let waitMs = intervalMs;
    try {
      yield* poll(lostAt === undefined ? undefined : clock.now() - lostAt);
      if (!began) options.began();
      if (lostAt !== undefined) options.back(clock.now() - lostAt);
      began = true;
      [lostAt, failures] = [undefined, 0];
    } catch (error) {
      signal.throwIfAborted();
      if (!began || !(error instanceof DtpError) || !isRetriedByFollowing(error.code, error.facts)) throw error;
      if (lostAt === undefined) options.lost(error);
      lostAt ??= clock.now();
      failures++;
      waitMs = waitAfter(pollBackoff(intervalMs), failures, random(), error.facts);
    }
    await clock.sleep(waitMs, signal);
  }
}

/** The rows of one response, compared with the window. */
interface Reading {
  readonly count: number;
  /** The number of new rows. `news` contains the new rows that have not been yielded yet. */
  readonly fresh: number;
  readonly news: readonly unknown[];
  /** The number of known rows at the end of the response. */
  readonly old: number;
  /** The `created_at` times of the first, the last and the oldest row. */
  readonly first: number;
  readonly last: number;
  readonly oldest: number;
  /** The time by the clock of the service when the request was sent. */
  readonly now: number;
}

/** Returns a function that polls once. `awayMs` is how long polls have been failing, if the last one failed. */
function pollsOf(options: TailOptions) {
  const { clock, since } = options;
  const window = openWindow(since);
  const ask = requestsOf(options, window);
  let limit = limits.shallow;
  /** Sweeps go back to this time, by the clock of the service. */
  let from = since;
  let sweptAt: number | undefined;
  let heldUntil = Number.NEGATIVE_INFINITY;

  return async function* poll(awayMs: number | undefined): AsyncGenerator<readonly unknown[]> {
    const isFirst = sweptAt === undefined;
    const isSweep = sweptAt === undefined || awayMs !== undefined || clock.now() - sweptAt >= SWEEP;
    const isDone = isSweep
      ? ({ last, now }: Reading) => last < (from ?? now - LATE)
      : ({ count, old }: Reading) => old >= Math.max(25, count / 4);
    const isSilent = isFirst && since === undefined;
    const start = isSweep ? Math.max(limits.deep, limit) : limit;
    const { reading, isWhole } = yield* ask({ start, isDone, isSilent });
    const { news, fresh, oldest, now } = reading;
    const added = shown(news, window);
    if (added.length > 0 && !isSilent) yield added;
    limit = Math.max(limits.shallow, fresh * 2);
    if (!isSweep) return;
    // More rows than those of the first response may have the time of its oldest row.
    if (!isWhole && Number.isFinite(oldest)) window.close(isSilent ? oldest + 1 : oldest);
    sweptAt = clock.now();
    if (awayMs !== undefined && awayMs >= outage.from) heldUntil = sweptAt + outage.hold;
    if (isFirst || sweptAt >= heldUntil) from = now - LATE;
  };
}

interface Asking {
  /** The first limit. */
  readonly start: number;
  /** Whether a response goes back far enough. */
  readonly isDone: (reading: Reading) => boolean;
  /** Whether events are only added to the window and not yielded. */
  readonly isSilent: boolean;
}

interface Asked {
  readonly reading: Reading;
  /** Whether the response contains all events of the service. */
  readonly isWhole: boolean;
}

/**
 * Returns a function that requests more and more events until `isDone` accepts a response, there are no more events, or
 * the largest limit is reached. It returns the last reading, because its events can be sorted together.
 */
function requestsOf({ clock, search, missed }: TailOptions, window: Window) {
  /** The largest limit to request. `worked` is the largest limit that the service has accepted. */
  let most = limits.most;
  let worked = 0;
  /** The maximum number of events that the service returns for any limit, if it is known. */
  let cap: number | undefined;
  let total = 0;
  let last = { count: 0, total: 0 };
  let hasMissed = false;

  return async function* ask({ start, isDone, isSilent }: Asking): AsyncGenerator<readonly unknown[], Asked> {
    for (let limit = Math.min(most, start); ; limit = Math.min(most, limit * limits.step)) {
      const began = clock.now();
      let reading: Reading;
      try {
        const { rows, now } = await search(limit);
        const before = now - (clock.now() - began);
        reading = yield* read(rows, window, { now: before, isSilent });
      } catch (error) {
        if (!hasCode(error, 'rejected') || limit <= Math.max(worked, limits.shallow)) throw error;
        most = Math.max(worked, limits.shallow);
        continue;
      }
      const { count, fresh, old, first } = reading;
      worked = Math.max(worked, limit);
      const isShort = count < limit;
      // There are more events than before, but the response is not longer.
      if (isShort && count > 0 && count === last.count && total > last.total) cap = count;
      if (isShort) last = { count, total };
      // If the service sends the oldest events first, only the complete list contains the newest events.
      const isEnough = isDone(reading) && !(first < reading.last);
      if (!isShort && !isEnough && limit < most) continue;
      const isWhole = isShort && count !== cap;
      if (!isWhole && old === 0 && !isSilent && !hasMissed) {
        hasMissed = true;
        missed(count);
      }
      total += fresh;
      return { reading, isWhole };
    }
  };
}

/** Reads one response. Yields rows only if there are too many new ones to return together. */
async function* read(
  rows: TailedEvents['rows'],
  window: Window,
  { now, isSilent }: { readonly now: number; readonly isSilent: boolean },
): AsyncGenerator<readonly unknown[], Reading> {
  let [count, fresh, old] = [0, 0, 0];
  let [first, last, oldest] = [Number.NaN, Number.NaN, Number.POSITIVE_INFINITY];
  let news: unknown[] = [];
  for await (const group of rows)
    for (const row of group) {
      last = createdAt(row) ?? last;
      if (count === 0) first = last;
      if (last < oldest) oldest = last;
      count++;
      const isNew = window.isNew(row);
      old = isNew ? 0 : old + 1;
      if (!isNew) continue;
      fresh++;
      news.push(row);
      if (news.length < GROUP) continue;
      const added = shown(news, window);
      if (!isSilent && added.length > 0) yield added;
      news = [];
    }
  return { count, fresh, news, old, first, last, oldest, now };
}

/**
 * Adds rows to the window and returns the added rows, oldest first. Rows with the same time are returned in the reverse
 * order of the response, which starts with the newest.
 */
function shown(rows: readonly unknown[], window: Window): readonly unknown[] {
  const added = rows.filter((row) => {
    const isNew = window.isNew(row);
    if (isNew) window.add(row);
    return isNew;
  });
  const never = Number.POSITIVE_INFINITY;
  return added.reverse().sort((a, b) => (createdAt(a) ?? never) - (createdAt(b) ?? never));
}
