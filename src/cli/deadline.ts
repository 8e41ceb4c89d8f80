/** The longest that a command may take. */
import type { Context } from '../context.ts';
import { DtpError } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import { durationOf } from './duration.ts';
import type { Settings } from './settings.ts';

export interface Deadline {
  /** Aborted by the user's interrupt, or with a `timeout` error when the time is over. */
  readonly signal: AbortSignal;
  readonly end: () => void;
}

/** A body that drips never trips a time-out between two pieces, so the whole has a deadline of its own. */
export function openDeadline(context: Context, operation: Operation, settings: Settings): Deadline {
  return deadlineIn(context, timeoutOf(operation, settings), context.signal);
}

/** Milliseconds that a request of an operation may take. */
export function timeoutOf(operation: Operation, settings: Settings): number {
  const set = settings.values.timeout;
  return set ? durationOf(set.value, set.source) : (operation.timeout ?? 60) * 1000;
}

/** One of `ms` milliseconds within what `signal` ends already. */
export function deadlineIn(context: Pick<Context, 'clock'>, ms: number, signal: AbortSignal): Deadline {
  const over = new AbortController();
  const done = new AbortController();
  context.clock.sleep(ms, done.signal).then(
    () =>
      over.abort(
        new DtpError('timeout', `no result within ${ms / 1000} s`, {
          hint: 'Give more time with --timeout.',
        }),
      ),
    () => undefined,
  );
  return { signal: AbortSignal.any([signal, over.signal]), end: () => done.abort() };
}
