/** What is known of the service while batches are sent: whether it is away, and when to try it again. */
import type { Clock } from '../clock.ts';
import { type DtpError, isRepeated } from '../errors.ts';
import { backoff } from '../operations/shared.ts';

/** Milliseconds between two attempts during an outage: the declared policy's longest wait. */
const LOOK = backoff.maxMs;

/** Milliseconds from the beginning of an outage in which attempts go on when the input has ended (Limits 1). */
const PATIENCE = backoff.elapsedMs;

/** One batch that is being sent. */
export interface Try {
  /** Whether the declared retry is due: not during an outage, when one attempt shows whether it is over. */
  readonly again: boolean;
  readonly start: number;
}

export interface Outage {
  /** Whether nothing may be sent just now. */
  readonly isOut: () => boolean;
  /** During an outage nobody else tries meanwhile. */
  readonly begin: () => Try;
  /** The service has answered. */
  readonly end: () => void;
  /** The failure of a try; one that the declared policy does not repeat ends the sending. */
  readonly fail: (failure: DtpError, tried: Try) => void;
  /** Waits for the next attempt; false where that is not worth it. */
  readonly isWorthAnother: () => Promise<boolean>;
}

export interface OutageOptions {
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

export function openOutage({ clock, random, signal }: OutageOptions): Outage {
  /** When the next attempt is due; 0 while the service answers. */
  let until = 0;
  let since = 0;
  /** Set by a failure that is not repeated. A batch that succeeds in another lane does not undo it. */
  let isOver = false;
  return {
    isOut: () => signal.aborted || isOver || clock.now() < until,
    begin: () => {
      const tried = { again: until === 0, start: clock.now() };
      if (!tried.again) until = tried.start + LOOK;
      return tried;
    },
    end: () => {
      until = 0;
    },
    fail: (failure, { again, start }) => {
      if (!isRepeated(backoff, failure.facts)) isOver = true;
      if (again) since = start;
      until = clock.now() + Math.max(LOOK * (0.5 + random() / 2), failure.facts.waitMs ?? 0);
    },
    isWorthAnother: async () => {
      const wait = until - clock.now();
      if (signal.aborted || isOver || until - since > PATIENCE) return false;
      if (wait > 0) await clock.sleep(wait, signal).catch(() => undefined);
      return !signal.aborted && !isOver;
    },
  };
}
