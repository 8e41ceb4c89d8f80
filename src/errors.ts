/** What can go wrong, as one error type with a stable code, and the exit code of each. */
import type { RetryPolicy } from './operations/operation.ts';

/** The documented exit codes by name. */
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

/** What a signal ends with; it carries no error. */
export const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** A better value of a flag, or of the argument at a place; `hides` where what follows may be a secret. */
export interface Meant {
  readonly value: string;
  readonly flag?: string;
  readonly argument?: number;
  readonly hides?: true;
}

/** What is known about a failure beside its sentence. All optional; only what is known is told. */
export interface Facts {
  readonly status?: number;
  readonly operation?: string;
  readonly method?: string;
  /** The path without its query, which may hold secrets. */
  readonly path?: string;
  readonly request_id?: string;
  /** Whether the same may succeed later; what is sent again by itself is `isRepeated`'s to say. */
  readonly retryable?: boolean;
  readonly attempts?: number;
  /** How long the service has asked to be left alone, in milliseconds. */
  readonly waitMs?: number;
  /** Why a request was sent that the user did not ask for: what its failure says before the hint. */
  readonly why?: string;
  /** Whether an answer is longer than what is held of one. */
  readonly isTooLong?: true;
  /** Whether an answer came to its end, and only its content encoding could not be undone. */
  readonly isUndecodable?: true;
  /** What to do next, a sentence. */
  readonly hint?: string;
  /** Commands that mend it. */
  readonly next?: readonly string[];
  /** What a value was meant to be, for whoever knows the whole command line. */
  readonly meant?: Meant;
  /** A page of help, shown before the sentence where errors are text. */
  readonly page?: string;
  /** The service's own words, as decoded JSON or text. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** A failure that is told to the user. Any other error is a fault of ours and ends with 1. */
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
 * Whether a policy sends again what failed like this: a status of the policy, a 429 that says how long to wait, or a
 * connection that failed before there was a status (api.md, Limits 1).
 */
export function isRepeated({ statuses }: Pick<RetryPolicy, 'statuses'>, failure: Facts): boolean {
  const { status, retryable, waitMs } = failure;
  if (status === undefined) return retryable === true;
  return statuses.includes(status) || (status === 429 && waitMs !== undefined);
}

/** The same failure with more facts; those that it has stand. */
export function withFacts<Given>(error: Given, facts: Facts): Given | DtpError {
  if (!(error instanceof DtpError)) return error;
  const more = new DtpError(error.code, error.message, { ...facts, ...error.facts });
  if (error.stack !== undefined) more.stack = error.stack;
  return more;
}

/** Ends with a code that is somebody else's: a signal's, or that of a command that was run. Nothing is told. */
export class ExitCode extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`ended with ${code}`);
    this.code = code;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof ExitCode) return error.code;
  return error instanceof DtpError ? exitCodes[error.code] : exitCodes.error;
}
