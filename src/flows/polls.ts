/** Decides whether polling continues after a failure, and how long to wait. */
import type { DtpError } from '../errors.ts';
import { backoffMs } from '../operations/retry-policies.ts';

/**
 * Whether the next poll may succeed: the network or the service failed, or the service asked for fewer requests. While
 * a service restarts, it may refuse connections or cut off responses, and a proxy may respond with an HTML page.
 */
export const mayPass = ({ code, facts }: DtpError): boolean =>
  ['network', 'server', 'rate_limited', 'timeout', 'bad_response'].includes(code) || facts.status === 408;

/** The longest wait in milliseconds. A longer polling interval or a request of the service overrides it. */
const longest = 30_000;

export interface Failing {
  readonly intervalMs: number;
  /** The number of failures since the last success. */
  readonly failures: number;
  readonly why: DtpError;
  /** A number from 0 up to but not including 1. */
  readonly random: number;
}

/** Returns how long to wait after a failure, in milliseconds. The wait doubles with each failure. */
export function waitAfter({ intervalMs, failures, why, random }: Failing): number {
  const policy = { initialMs: intervalMs, maxMs: Math.max(longest, 1.5 * intervalMs), exponent: 2 };
  return Math.max(why.facts.waitMs ?? 0, backoffMs(policy, failures, random));
}
