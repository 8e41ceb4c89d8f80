/** Polling that continues after failures. */
import type { DtpError } from '../errors.ts';

/**
 * Whether the next poll may succeed: the network or the service failed, or asked for fewer requests. A service that
 * restarts may refuse connections, cut responses, and be replaced by the page of a proxy.
 */
export const mayPass = ({ code, facts }: DtpError): boolean =>
  ['network', 'server', 'rate_limited', 'timeout', 'bad_response'].includes(code) || facts.status === 408;

/** In milliseconds. The service may ask for a longer wait. */
const longest = 30_000;

export interface Failing {
  readonly intervalMs: number;
  /** The number of failures since the last success. */
  readonly failures: number;
  readonly why: DtpError;
  /** A number from 0 up to but not including 1. */
  readonly random: number;
}

/** How long to wait after a failure, in milliseconds: twice as long each time, half fixed and half random. */
export function waitAfter({ intervalMs, failures, why, random }: Failing): number {
  const full = Math.min(Math.max(longest, intervalMs), intervalMs * 2 ** (failures - 1));
  return Math.max(why.facts.waitMs ?? 0, full * (0.5 + random / 2));
}
