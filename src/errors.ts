/** Defines the errors of the tool, their codes and their exit codes. */

/** The exit code of each error code. Both are documented, so they must not change. */
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

/** The exit code of each signal. A command that a signal ends prints no error. */
export const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * The value that the user probably meant, for a flag or for the argument with an index (from 0). With `hides`, the
 * arguments after it are not shown, because they may be secret.
 */
export interface Meant {
  readonly value: string;
  readonly flag?: string;
  readonly argument?: number;
  readonly hides?: true;
}

/** Details of a failure in addition to its message. */
export interface Facts {
  readonly status?: number;
  readonly operation?: string;
  readonly method?: string;
  /** The path without its query, which may contain secrets. */
  readonly path?: string;
  readonly request_id?: string;
  /** Whether the same request may succeed later. `isRetried` decides whether it is retried automatically. */
  readonly retryable?: boolean;
  readonly attempts?: number;
  /** How long the service asked to wait, in milliseconds. */
  readonly waitMs?: number;
  /** Why dtp sent a request in addition to that of the command. Shown in front of the hint. */
  readonly why?: string;
  readonly isTooLong?: true;
  /** Whether the response arrived in full, but its content encoding could not be decoded. */
  readonly isUndecodable?: true;
  /** A sentence about the failure of the run that the command waited for. In text output, it replaces the message. */
  readonly verdict?: string;
  /** What to do next, as a sentence. */
  readonly hint?: string;
  /** The hint to show in CI instead of `hint`, because nobody can log in there. */
  readonly ciHint?: string;
  /** Commands to run next. In CI, `dtp auth login` is left out. */
  readonly next?: readonly string[];
  /** The value that the user probably meant. cli/failure.ts suggests the command line with this value. */
  readonly meant?: Meant;
  /** The setting that the command needs. A terminal asks for a service or a credential. */
  readonly missing?: 'service' | 'credential' | 'slugs';
  /** A help page to print before the message. JSON errors do not contain it. */
  readonly page?: string;
  /** More data about the failure, usually the service's response as decoded JSON or text. */
  readonly details?: unknown;
  readonly cause?: unknown;
}

/** A failure with an error code. An error of any other type, except ExitCode, is unexpected and exits with 1. */
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

export const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): error is DtpError =>
  error instanceof DtpError && codes.includes(error.code);

/** Returns a copy of a DtpError with more facts. Its existing facts are not overwritten. Other errors are unchanged. */
export function withFacts<Given>(error: Given, facts: Facts): Given | DtpError {
  return error instanceof DtpError ? changedError(error, { ...facts, ...error.facts }) : error;
}

/** Returns a copy of an error with other facts. The stack still shows where it was thrown. */
export function changedError(error: DtpError, facts: Facts, message = error.message): DtpError {
  const changed = new DtpError(error.code, message, { ...error.facts, ...facts });
  if (error.stack !== undefined) changed.stack = error.stack;
  return changed;
}

/** Begins the hint of an error in the result of a command, which may have changed something. */
export const afterCommand = 'The command itself succeeded. Repeat it only if it changes nothing. ';

/** The hint of an error about a response that cannot be shown. */
export const rawHint = 'Save it unchanged with -o raw -O FILE.';

/** Thrown to exit with the code of a signal or of a child process. Nothing is printed. */
export class ExitCode extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exited with ${code}`);
    this.code = code;
  }
}

/** Whether the user pressed Ctrl-C, which is the normal way to end a command that otherwise runs forever. */
export const isCtrlC = ({ aborted, reason }: AbortSignal): boolean =>
  aborted && reason instanceof ExitCode && reason.code === signals.SIGINT;

export function exitCodeOf(error: unknown): number {
  if (error instanceof ExitCode) return error.code;
  return error instanceof DtpError ? exitCodes[error.code] : exitCodes.error;
}
