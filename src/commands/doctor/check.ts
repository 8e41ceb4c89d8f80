/** A check of the doctor's, and the time that one may take. */
import type { Context } from '../../context.ts';
import { DtpError, type ErrorCode } from '../../errors.ts';
import { deadlineIn } from '../../invocation/deadline.ts';

/** What is shown. `mend` is a command or a sentence; what is not right has one. */
export interface Check {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail' | 'skip';
  readonly message: string;
  readonly mend?: string;
}

/** A check with the code that the doctor ends with where it is the first to fail. */
export interface Finding extends Check {
  readonly code?: ErrorCode;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });

export const warn = (check: string, message: string, mend: string): Finding => ({
  check,
  status: 'warn',
  message,
  mend,
});

export const fail = (check: string, code: ErrorCode, message: string, mend: string): Finding => ({
  check,
  status: 'fail',
  message,
  mend,
  code,
});

/** For what does not apply, or cannot be looked at because of what failed before. */
export const skip = (check: string, message: string): Finding => ({ check, status: 'skip', message });

/** An error as a finding; an interrupt, or a fault of ours, goes on. `mend` where the error knows none. */
export function failed(check: string, error: unknown, mend: string): Finding {
  if (!(error instanceof DtpError)) throw error;
  const { next, hint } = error.facts;
  return fail(check, error.code, error.message, next?.[0] ?? hint ?? mend);
}

/** The same, where `mend` is better than what the error knows; `about` stands before its words. */
export function failedAt(check: string, error: unknown, mend: string, about = ''): Finding {
  if (!(error instanceof DtpError)) throw error;
  return fail(check, error.code, about + error.message, mend);
}

/** Milliseconds that a check may take; four of them wait for a network. */
const LIMIT = 3000;

/** Does `work` within the time; throws `timeout` where it takes longer, also where it cannot be ended. */
export async function within<T>(context: Context, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, end } = deadlineIn(context, LIMIT, context.signal);
  const over = new Promise<never>((_, broken) =>
    signal.addEventListener('abort', () => broken(signal.reason), { once: true }),
  );
  try {
    return await Promise.race([work(signal), over]);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!signal.aborted) throw error;
    throw new DtpError('timeout', `there was no answer within ${LIMIT / 1000} s`);
  } finally {
    end();
  }
}
