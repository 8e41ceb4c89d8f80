/** Creates the results of the checks of `dtp doctor`, and limits how long a check may take. */
import { orAborted } from '../../caught.ts';
import type { Context } from '../../context.ts';
import { DtpError, type ErrorCode } from '../../errors.ts';
import { deadlineIn } from '../../invocation/deadline.ts';
import type { Result } from '../../output/result.ts';
import { type CheckResult, checksText } from '../../render/checks.ts';

/** The result of a check. `code` is the error code of `dtp doctor` if this check is the first to fail. */
export interface Finding extends CheckResult {
  readonly code?: ErrorCode;
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });

export const warn = (check: string, message: string, fix: string): Finding => ({ check, status: 'warn', message, fix });

export const fail = (check: string, code: ErrorCode, message: string, fix: string): Finding => ({
  ...warn(check, message, fix),
  status: 'fail',
  code,
});

/** Returns the result of a check that does not apply, or that cannot run because an earlier check failed. */
export const skip = (check: string, message: string): Finding => ({ check, status: 'skip', message });

/** Turns a DtpError into a finding. Other errors are thrown again. `fix` is used if the error suggests no fix. */
export function failed(check: string, error: unknown, fix: string): Finding {
  if (!(error instanceof DtpError)) throw error;
  const { next, hint } = error.facts;
  return fail(check, error.code, error.message, next?.[0] ?? hint ?? fix);
}

/** Does the same as `failed`, but always uses `fix`. `about` is put in front of the error message. */
export function failedAt(check: string, error: unknown, fix: string, about = ''): Finding {
  if (!(error instanceof DtpError)) throw error;
  return fail(check, error.code, about + error.message, fix);
}

/** Returns the result of a command with checks. The first failed check determines the exit code. */
export function checksResult(findings: readonly Finding[], shown = (check: CheckResult) => check): Result {
  const checks = findings.map(({ code: _, ...check }) => shown(check));
  const failures = findings.filter(({ status }) => status === 'fail');
  return {
    kind: 'value',
    value: checks,
    shape: { columns: ['check', 'status', 'message', 'fix'] },
    text: (output) => checksText(checks, output),
    failure: failures[0] && failureOf(failures[0], failures.length, findings.length),
  };
}

function failureOf({ check, code, message, fix = '' }: Finding, count: number, all: number): DtpError {
  const isCommand = /^(dtp|chmod|chown|sudo) /.test(fix);
  return new DtpError(code ?? 'error', `${check}: ${message} (${count} of ${all} checks failed)`, {
    ...(isCommand ? { next: [fix] } : { hint: fix }),
  });
}

/** The time limit for one check that waits for the network, in milliseconds. */
export const CHECK_LIMIT_MS = 3000;

/** Runs `work` with a time limit. Throws `timeout` when the time is over, even if `work` does not stop. */
export async function withTimeLimit<T>(context: Context, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { signal, end } = deadlineIn(context, CHECK_LIMIT_MS, context.signal);
  try {
    return await orAborted(work(signal), signal);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!signal.aborted) throw error;
    throw new DtpError('timeout', `no response within ${CHECK_LIMIT_MS / 1000} s`);
  } finally {
    end();
  }
}
