/** Tracks whether the service is available while batches are sent, and when to try again. */
import type { Clock } from '../clock.ts';
import { type DtpError, isRepeated } from '../errors.ts';
import { backoff } from '../operations/retry-policies.ts';

/** The time between two attempts during an outage, in milliseconds: the longest wait of the retry policy. */
const RETRY_EVERY = backoff.maxMs;

/** How long attempts continue after the input has ended, in milliseconds from the start of the outage (Limits 1). */
const PATIENCE = backoff.elapsedMs;

/** One batch that is being sent. */
export interface Try {
  /** Whether to retry. False during an outage: a single attempt then shows whether the outage is over. */
  readonly again: boolean;
  readonly start: number;
}

export interface Outage {
  /** Whether sending is paused. */
  readonly isOut: () => boolean;
  /** Called before an attempt. During an outage, pauses sending, so that only one attempt runs at a time. */
  readonly begin: () => Try;
  /** Called when the service has responded. */
  readonly end: () => void;
  /** Called when an attempt failed. A failure that must not be retried ends all sending. */
  readonly fail: (failure: DtpError, tried: Try) => void;
  /** Waits until the next attempt is due. Returns false if no further attempt should be made. */
  readonly isWorthAnother: () => Promise<boolean>;
}

export interface OutageOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

export function openOutage({ clock, random, signal }: OutageOptions): Outage {
  /** When the next attempt is due, or 0 if there is no outage. */
  let until = 0;
  let since = 0;
  /** Set by a failure that is not retried. A later success in another lane does not reset it. */
  let isOver = false;
  return {
    isOut: () => signal.aborted || isOver || clock.now() < until,
    begin: () => {
      const tried = { again: until === 0, start: clock.now() };
      if (!tried.again) until = tried.start + RETRY_EVERY;
      return tried;
    },
    end: () => {
      until = 0;
    },
    fail: (failure, { again, start }) => {
      if (!isRepeated(backoff, failure.facts)) isOver = true;
      if (again) since = start;
      until = clock.now() + Math.max(RETRY_EVERY * (0.5 + random() / 2), failure.facts.waitMs ?? 0);
    },
    isWorthAnother: async () => {
      const wait = until - clock.now();
      if (signal.aborted || isOver || until - since > PATIENCE) return false;
      if (wait > 0) await clock.sleep(wait, signal).catch(() => undefined);
      return !signal.aborted && !isOver;
    },
  };
}
