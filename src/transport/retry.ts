/** Sends again what a retry policy says, within its budget. */
import type { Clock } from '../clock.ts';
import { DtpError, withFacts } from '../errors.ts';
import type { RetryPolicy } from '../operations/operation.ts';
import { type HttpResponse, readAll, type Send } from '../request/http.ts';

export interface RetryOptions {
  readonly clock: Clock;
  /** A number from 0 to 1, 1 excluded. */
  readonly random: () => number;
  /** Told before each wait: the attempt that failed (from 1), why, and the wait in milliseconds. */
  readonly onRetry?: (attempt: number, reason: string, waitMs: number) => void;
}

/** Milliseconds to wait after attempt `attempt` (from 1): exponential, bounded, with equal jitter (half fixed, half random). */
export function backoffMs(policy: RetryPolicy, attempt: number, random: number): number {
  const full = Math.min(policy.maxMs, policy.initialMs * policy.exponent ** (attempt - 1));
  return full * (0.5 + random / 2);
}

/** The wait that a Retry-After header asks for: seconds or an HTTP date (RFC 9110 §10.2.3); undefined where there is none. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/**
 * `send` under a policy (Limits 1): statuses of the policy and connection errors are sent again; the first attempt is
 * never delayed; no wait is begun that would pass the budget. The last answer or error is given on, errors with the
 * number of attempts.
 */
export function withRetry(send: Send, policy: RetryPolicy, options: RetryOptions): Send {
  return async (request, { signal }) => {
    const { clock, random, onRetry } = options;
    const start = clock.now();
    for (let attempt = 1; ; attempt++) {
      const outcome = await attemptOf(send, request, signal);
      if (!worthAnother(outcome, policy)) return settle(outcome, attempt);

      const asked =
        'response' in outcome
          ? retryAfterMs(outcome.response.headers['retry-after'], clock.now())
          : undefined;
      const wait = asked ?? backoffMs(policy, attempt, random());
      // Waiting past the budget would end in nothing: stop before.
      if (clock.now() - start + wait > policy.elapsedMs) return settle(outcome, attempt);

      onRetry?.(attempt, reasonOf(outcome), wait);
      // Read away, so that the connection can be used again.
      if ('response' in outcome) await readAll(outcome.response.body, 64 * 1024).catch(() => undefined);
      await clock.sleep(wait, signal);
    }
  };
}

type Outcome = { readonly response: HttpResponse } | { readonly error: unknown };

async function attemptOf(send: Send, request: Parameters<Send>[0], signal: AbortSignal): Promise<Outcome> {
  try {
    return { response: await send(request, { signal }) };
  } catch (error) {
    // The user's interrupt and the total deadline end everything.
    if (signal.aborted) throw error;
    return { error };
  }
}

/** Only what is known to pass: a fault of ours, a TLS error or a parser error is not sent again. */
function worthAnother(outcome: Outcome, policy: RetryPolicy): boolean {
  if ('response' in outcome) return policy.statuses.includes(outcome.response.status);
  return outcome.error instanceof DtpError && outcome.error.facts.retryable === true;
}

function settle(outcome: Outcome, attempts: number): HttpResponse {
  if ('response' in outcome) return { ...outcome.response, attempts };
  throw withFacts(outcome.error, { attempts });
}

const reasonOf = (outcome: Outcome) =>
  'response' in outcome ? `status ${outcome.response.status}` : (outcome.error as Error).message;
