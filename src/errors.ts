/** The one error type, with stable codes and their exit codes. */
import type { RetryPolicy } from './operations/operation.ts';

/** The documented exit codes by error code. */
export const exitCodes = {
  error: 1,
  usage: 2,
  config: 3,
  auth: 4,
  forbidden: 5,
  not_found: 6,
  rejected: 7,
  pending: 8,
  rate_limited: 9,
  server: 10,
  network: 11,
  bad_response: 12,
  partial: 14,
  cancelled: 15,
  kept: 75,
  timeout: 124,
} as const;

export type ErrorCode = keyof typeof exitCodes;

/** The exit code for each signal. No error is printed for a signal. */
export const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** A suggested value for a flag, or for the argument at a position. `hides`: the words after it may be secret. */
export interface Meant {
  readonly value: string;
  readonly flag?: string;
  readonly argument?: number;
  readonly hides?: true;
}

/** Details of a failure in addition to its message. All are optional, and only known ones are shown. */
export interface Facts {
  readonly status?: number;
  readonly operation?: string;
  readonly method?: string;
  /** The path without its query, which may contain secrets. */
  readonly path?: string;
  readonly request_id?: string;
  /** Whether the request may succeed later. `isRepeated` decides whether it is retried automatically. */
  readonly retryable?: boolean;
  readonly attempts?: number;
  /** How long the service asked to wait, in milliseconds. */
  readonly waitMs?: number;
  /** Why a request was sent that the user did not ask for. Shown in front of the hint. */
  readonly why?: string;
  /** Whether a response exceeds the size limit. */
  readonly isTooLong?: true;
  /** Whether a response is complete, but its content encoding could not be decoded. */
  readonly isUndecodable?: true;
  /** How work that the command waited for has failed, as a sentence for somebody at a terminal, instead of the message. */
  readonly verdict?: string;
  /** What to do next, as a sentence. */
  readonly hint?: string;
  /** The hint in CI, because nobody can log in there. */
  readonly ciHint?: string;
  /** Commands that fix it. In CI, those that log in are left out. */
  readonly next?: readonly string[];
  /** The value that the user probably meant. The caller puts it in the command line. */
  readonly meant?: Meant;
  /** A help page to show in front of the message. Not shown for JSON errors. */
  readonly page?: string;
  /** The service's response, as decoded JSON or text. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** A failure that is shown to the user. Any other error is a bug and exits with 1. */
export class DtpError extends Error {
  readonly code: ErrorCode;
  readonly facts: Facts;

  constructor(code: ErrorCode, message: string, facts: Facts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'DtpError';
    this.code = code;
    this.facts = facts;
  }
}

/**
 * Whether a policy retries this failure: a status of the policy, a 429 that says how long to wait, or a connection that
 * failed before there was a status (Limits 1).
 */
export function isRepeated({ statuses }: Pick<RetryPolicy, 'statuses'>, failure: Facts): boolean {
  const { status, retryable, waitMs } = failure;
  if (status === undefined) return retryable === true;
  return statuses.includes(status) || (status === 429 && waitMs !== undefined);
}

/** Adds facts to an error. Existing facts are kept. */
export function withFacts<Given>(error: Given, facts: Facts): Given | DtpError {
  if (!(error instanceof DtpError)) return error;
  const more = new DtpError(error.code, error.message, { ...facts, ...error.facts });
  if (error.stack !== undefined) more.stack = error.stack;
  return more;
}

/** Exits with the code of a signal or of a child process. Nothing is printed. */
export class ExitCode extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exited with ${code}`);
    this.code = code;
  }
}

/** Whether the user pressed Ctrl-C. That is the normal end of a command that has no other. */
export const isCtrlC = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof ExitCode && reason.code === signals.SIGINT;

export function exitCodeOf(error: unknown): number {
  if (error instanceof ExitCode) return error.code;
  return error instanceof DtpError ? exitCodes[error.code] : exitCodes.error;
}
