/** Tracks outages of the service while batches are sent, and decides when to try again. */
import type { Clock } from '../clock.ts';
import type { DtpError } from '../errors.ts';
import { defaultRetryPolicy, isRetried, waitAfter } from '../operations/retry-rules.ts';

/** The longest time between two attempts during an outage, in milliseconds. */
const RETRY_EVERY = defaultRetryPolicy.maxMs;

/** How long to wait for the end of an outage, in milliseconds from its start (Limits 1). */
const PATIENCE = defaultRetryPolicy.elapsedMs;

/** One attempt to send a batch. */
export interface SendAttempt {
  /** Whether to retry within the attempt. False during an outage, when one request shows whether it is over. */
  readonly again: boolean;
  readonly start: number;
}

export function openOutage({ clock, random, signal }: { clock: Clock; random: () => number; signal: AbortSignal }) {
  /** When the next attempt is due, or 0 if there is no outage. */
  let until = 0;
  let since = 0;
  /** Set after a failure that must not be retried. A later success in another lane does not reset it. */
  let isOver = false;
  return {
    isOut: () => signal.aborted || isOver || clock.now() < until,
    /** Called before an attempt. During an outage, it pauses sending, so that the lanes do not all try at once. */
    begin: (): SendAttempt => {
      const tried = { again: until === 0, start: clock.now() };
      if (!tried.again) until = tried.start + RETRY_EVERY;
      return tried;
    },
    /** Called when the service has responded. */
    end: () => {
      until = 0;
    },
    /** Called when an attempt has failed. A failure that must not be retried stops all sending. */
    fail: (failure: DtpError, { again, start }: SendAttempt) => {
      if (!isRetried(defaultRetryPolicy, failure.facts)) isOver = true;
      if (again) since = start;
      // An outage is over only when a single request has shown it, so its waits are the longest ones.
      until = clock.now() + waitAfter(defaultRetryPolicy, Number.POSITIVE_INFINITY, random(), failure.facts);
    },
    /** Waits until the next attempt is due. Returns false if no further attempt should be made. */
    isWorthAnother: async () => {
      const wait = until - clock.now();
      if (signal.aborted || isOver || until - since > PATIENCE) return false;
      if (wait > 0) await clock.sleep(wait, signal).catch(() => undefined);
      return !signal.aborted && !isOver;
    },
  };
}
