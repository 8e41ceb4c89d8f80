/** Defines the retry policies: which failures are retried, and how long to wait before a retry. */
import type { RetryPolicy } from './operation.ts';

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
