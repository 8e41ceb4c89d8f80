/** Decides which failures are retried, for which use, and after how long a wait. */
import type { RetryPolicy } from './operation.ts';

/** The policy that api.md declares for event posts (Limits 1). Uploads, downloads and the queue use it too. */
export const defaultRetryPolicy = {
  initialMs: 100,
  maxMs: 2000,
  elapsedMs: 60_000,
  exponent: 1.5,
  statuses: [408, 500, 502, 503],
} as const satisfies RetryPolicy;

/** The policy of --retry for read-only requests: the waits of `defaultRetryPolicy`, and two more statuses. */
export const readBackoff = {
  ...defaultRetryPolicy,
  statuses: [...defaultRetryPolicy.statuses, 429, 504],
} as const satisfies RetryPolicy;

/** The statuses that every policy retries only if the response says with Retry-After how long to wait. */
export const statusesWithRetryAfter: readonly number[] = [429];

/** The properties of a failed request, or of an error response, that decide whether it is retried. */
interface Failure {
  readonly status?: number | undefined;
  readonly retryable?: boolean | undefined;
  /** The wait that Retry-After asks for, in milliseconds. */
  readonly waitMs?: number | undefined;
  readonly attempts?: number | undefined;
}

/**
 * Whether a retry policy applies to a failure: a status of the policy, a 429 that says how long to wait, or a
 * connection that failed before a status arrived (Limits 1). Probes and uploads follow `defaultRetryPolicy`.
 */
export function isRetried({ statuses }: Pick<RetryPolicy, 'statuses'>, { status, retryable, waitMs }: Failure) {
  if (status === undefined) return retryable === true;
  return statuses.includes(status) || (statusesWithRetryAfter.includes(status) && waitMs !== undefined);
}

/** Whether waiting for a job continues after a failed poll. A poll that timed out is a lost connection. */
export const isRetriedByWait = (code: string, failure: Failure): boolean =>
  code === 'timeout' || isRetried(readBackoff, failure);

/**
 * Whether a command that polls until it is stopped continues after a failed poll: the network or the service failed, or
 * the service asked for fewer requests. While a service restarts, it may refuse connections or cut off responses, and a
 * proxy may respond with an HTML page.
 */
export const isRetriedByFollowing = (code: string, { status }: Failure): boolean =>
  ['network', 'server', 'rate_limited', 'timeout', 'bad_response'].includes(code) || status === 408;

/** Whether a download that was cut off continues. A request without a response has already been retried. */
export const isRetriedByDownload = ({ status, retryable, attempts = 1 }: Failure): boolean =>
  retryable === true && status === undefined && attempts === 1;

/** Whether a request with this status may succeed later. 501 and 505 mean that the service does not support it. */
export const isRetryable = (status: number): boolean =>
  status === 408 || status === 429 || (status >= 500 && status < 600 && status !== 501 && status !== 505);

/** Whether a proxy that refused to connect with this status may connect later. It has sent nothing to the service. */
export const isRetryableOfProxy = (status: number): boolean => status === 502 || status === 503 || status === 504;

const connectionErrors: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
]);

export const isRetryableConnection = (code: string): boolean => connectionErrors.has(code);

/** Each wait is multiplied by a random number from 1 to this. */
const spread = 1.5;

type Curve = Pick<RetryPolicy, 'initialMs' | 'maxMs' | 'exponent'>;

/**
 * Returns the wait after attempt `attempt` (from 1) in milliseconds. It is never shorter than the interval of the
 * policy and never longer than its maximum. The random factor comes after the cap, because otherwise all clients would
 * wait equally long in a long outage. Retry-After can only make the wait longer. `random` is from 0 up to but not
 * including 1.
 */
export function waitAfter(
  { initialMs, maxMs, exponent }: Curve,
  attempt: number,
  random: number,
  { waitMs = 0 }: Pick<Failure, 'waitMs'> = {},
): number {
  const interval = Math.min(Math.floor(maxMs / spread), initialMs * exponent ** (attempt - 1));
  return Math.max(waitMs, interval * (1 + (spread - 1) * random));
}

/** The longest wait after a failed poll in milliseconds. A longer interval or a request of the service overrides it. */
const longestMs = 30_000;

/** Returns the waits of a command that polls until it is stopped. They double with each failure. */
export const pollBackoff = (intervalMs: number): Curve => ({
  initialMs: intervalMs,
  maxMs: Math.max(longestMs, spread * intervalMs),
  exponent: 2,
});
