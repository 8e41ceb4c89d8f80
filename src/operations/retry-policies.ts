/** Defines the retry policies: which failures are retried, and how long to wait before a retry. */
import type { RetryPolicy } from './operation.ts';

/** Each wait is multiplied by a random number from 1 to this. */
const spread = 1.5;

/**
 * Returns the wait after attempt `attempt` (from 1) in milliseconds. It is never shorter than the interval of the policy
 * and never longer than its maximum. The random factor comes after the cap, because otherwise all clients would wait
 * equally long in a long outage. `random` is from 0 up to but not including 1.
 */
export function backoffMs(
  { initialMs, maxMs, exponent }: Pick<RetryPolicy, 'initialMs' | 'maxMs' | 'exponent'>,
  attempt: number,
  random: number,
): number {
  const interval = Math.min(Math.floor(maxMs / spread), initialMs * exponent ** (attempt - 1));
  return interval * (1 + (spread - 1) * random);
}

/** The policy that api.md declares for event posts (Limits 1). Uploads, downloads and the queue use it too. */
export const backoff = {
  initialMs: 100,
  maxMs: 2000,
  elapsedMs: 60_000,
  exponent: 1.5,
  statuses: [408, 500, 502, 503],
} as const satisfies RetryPolicy;

/** The policy of --retry for read-only requests. It has the same waiting times as `backoff` and two more statuses. */
export const readBackoff = {
  ...backoff,
  statuses: [...backoff.statuses, 429, 504],
} as const satisfies RetryPolicy;
