/** Sends again what a retry policy says, within its budget. */
import { messageOf } from '../caught.ts';
import type { Clock } from '../clock.ts';
import { DtpError, isRepeated, withFacts } from '../errors.ts';
import { unneededLimit } from '../limits.ts';
import type { RetryPolicy } from '../operations/operation.ts';
import { type HttpResponse, readAll, type Send } from '../request/http.ts';

export interface RetryOptions {
  readonly clock: Clock;
  /** A number from 0 to 1, 1 excluded. */
  readonly random: () => number;
  /**
   * The answer of a 2XX is read to its end within the attempt, so that one that breaks off is sent again too; one of more
   * bytes than this is a `bad_response`.
   */
  readonly whole?: number;
  /** The most attempts; as many as the budget allows where absent. */
  readonly attempts?: number;
  /** Where several requests are under way: waits until no other is being sent again, and gives what ends the turn. */
  readonly turn?: (signal: AbortSignal) => Promise<() => void>;
  /** Told before each wait: the attempt that failed (from 1), why, and the wait in milliseconds. */
  readonly onRetry?: (attempt: number, reason: string, waitMs: number) => void;
}

/** Milliseconds to wait after attempt `attempt` (from 1): exponential, bounded, with equal jitter (half fixed, half random). */
export function backoffMs(policy: RetryPolicy, attempt: number, random: number): number {
  const full = Math.min(policy.maxMs, policy.initialMs * policy.exponent ** (attempt - 1));
  return full * (0.5 + random / 2);
}

/**
 * Milliseconds to wait, as a Retry-After header asks: seconds, or an HTTP date, which begins with the day of the week (RFC
 * 9110 §10.2.3). `now` in milliseconds since 1970. Undefined for anything else.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  // More seconds than these, which are 31 years, are no longer wait for anybody.
  if (/^\d+$/.test(text)) return Math.min(Number(text), 999_999_999) * 1000;
  const date = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** `send`, with each response saying how long the service asks to be left alone. The one place that reads the header. */
export const withAskedWait =
  (send: Send, date: () => Date): Send =>
  async (...call) => {
    const response = await send(...call);
    const waitMs = retryAfterMs(response.headers['retry-after'], date().getTime());
    return waitMs === undefined ? response : { ...response, waitMs };
  };

/**
 * `send` under a policy (Limits 1): what `isRepeated` names is sent again; the first attempt is never delayed; no wait is
 * begun that would pass the budget. The last answer or error is given on, with the number of attempts; where the whole ran
 * out of time, with the last reason too.
 */
export function withRetry(send: Send, policy: RetryPolicy, options: RetryOptions): Send {
  return async (request, { signal }) => {
    const { clock, random, onRetry } = options;
    const start = clock.now();
    let last = '';
    let endTurn: (() => void) | undefined;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const outcome = await attemptOf(
            options.whole ? wholly(send, options.whole) : send,
            request,
            signal,
          );
          const isLast = attempt === options.attempts;
          if (isLast || !worthAnother(outcome, policy)) return settle(outcome, attempt);

          const asked = 'response' in outcome ? outcome.response.waitMs : undefined;
          // A service that asks for no wait at all still gets the policy's.
          const wait = Math.max(asked ?? 0, backoffMs(policy, attempt, random()));
          // Waiting past the budget would end in nothing: stop before.
          const isOver = () => clock.now() - start + wait > policy.elapsedMs;
          if (isOver()) return settle(outcome, attempt);
          if (options.turn) endTurn ??= await options.turn(signal);
          // Others may have taken their time.
          if (isOver()) return settle(outcome, attempt);

          last = `${reasonOf(outcome)} in attempt ${attempt}`;
          onRetry?.(attempt, reasonOf(outcome), wait);
          if ('response' in outcome) drain(outcome.response);
          await clock.sleep(wait, signal);
          // What still drips after the wait is not waited for.
          if ('response' in outcome) outcome.stop();
        } catch (error) {
          throw signal.aborted ? overdue(error, attempt, last) : error;
        }
      }
    } finally {
      endTurn?.();
    }
  };
}

const wholly =
  (send: Send, limit: number): Send =>
  async (request, options) => {
    const response = await send(request, options);
    if (response.status < 200 || response.status > 299) return response;
    const bytes = await readAll(response.body, limit).catch((error: unknown) => {
      if (!(error instanceof DtpError && error.facts.isUndecodable)) throw error;
      return error;
    });
    // It came to its end: whether its body is needed, the reader knows.
    if (bytes instanceof DtpError) return { ...response, body: failing(bytes) };
    if (!bytes)
      throw new DtpError('bad_response', `the answer is longer than ${limit} bytes`, { isTooLong: true });
    return { ...response, body: once(bytes) };
  };

// biome-ignore lint/correctness/useYield: it is the body of an answer that cannot be read.
async function* failing(error: DtpError): AsyncGenerator<Uint8Array> {
  throw error;
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

type Outcome = { readonly response: HttpResponse; readonly stop: () => void } | { readonly error: unknown };

async function attemptOf(send: Send, request: Parameters<Send>[0], signal: AbortSignal): Promise<Outcome> {
  const own = new AbortController();
  try {
    const response = await send(request, { signal: AbortSignal.any([signal, own.signal]) });
    return { response, stop: () => own.abort() };
  } catch (error) {
    // The user's interrupt and the total deadline end everything.
    if (signal.aborted) throw error;
    return { error };
  }
}

/** Read away during the wait, so that the connection can be used again. */
function drain({ body }: HttpResponse): void {
  readAll(body, unneededLimit.bytes).catch(() => undefined);
}

/** Only what is known to pass: a fault of ours, a TLS error or a parser error is not sent again. */
function worthAnother(outcome: Outcome, policy: RetryPolicy): boolean {
  if ('response' in outcome) return isRepeated(policy, outcome.response);
  return outcome.error instanceof DtpError && isRepeated(policy, outcome.error.facts);
}

function settle(outcome: Outcome, attempts: number): HttpResponse {
  if ('response' in outcome) return { ...outcome.response, attempts };
  throw withFacts(outcome.error, { attempts });
}

const reasonOf = (outcome: Outcome) =>
  'response' in outcome ? `status ${outcome.response.status}` : messageOf(outcome.error);

/** The deadline's own error, with what came of the attempts before it. */
function overdue(error: unknown, attempts: number, last: string): unknown {
  if (!(error instanceof DtpError) || last === '') return withFacts(error, { attempts });
  return new DtpError(error.code, `${error.message}; ${last}`, {
    ...error.facts,
    attempts,
  });
}
