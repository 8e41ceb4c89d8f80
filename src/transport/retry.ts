/** Retries failed requests according to a retry policy within its time limit, and one after the other. */
import { messageOf } from '../caught.ts';
import type { Clock } from '../clock.ts';
import { changedError, DtpError, withFacts } from '../errors.ts';
import { unneededLimit } from '../limits.ts';
import type { RetryPolicy } from '../operations/operation.ts';
import { isRetried, waitAfter } from '../operations/retry-rules.ts';
import { bodyOfBytes, type HttpResponse, readAll, type Send } from '../request/http.ts';

export interface RetryOptions {
  readonly clock: Clock;
  /** Returns a number from 0 up to but not including 1. */
  readonly random: () => number;
  /** If set, an attempt includes a 2XX body, so that an incomplete one is retried. A longer one is a `bad_response`. */
  readonly whole?: number;
  /** The maximum number of attempts. Without it, only the time limit applies. */
  readonly attempts?: number;
  /** Limits retries of concurrent requests. Waits for the turn of this request, and returns a function that ends it. */
  readonly turn?: (signal: AbortSignal) => Promise<() => void>;
  /** The time limit of the whole command in milliseconds, if the user set one. */
  readonly limitMs?: number | undefined;
  /**
   * Called before each wait with the failed attempt (from 1), the reason, the wait in milliseconds, and the time in
   * milliseconds until there are no more attempts. That time is undefined if the number of attempts is limited.
   */
  readonly onRetry?: (attempt: number, reason: string, waitMs: number, leftMs: number | undefined) => void;
}

/**
 * Returns the wait that a Retry-After header asks for, in milliseconds: seconds, or an HTTP date (RFC 9110 §10.2.3).
 * A date is compared with the service's clock, which the Date header of the response shows, because ours may be wrong.
 * Without that header, it is compared with `now`, in milliseconds since 1970. Undefined for anything else.
 */
export function retryAfterMs({ 'retry-after': header, date }: HttpResponse['headers'], now: number) {
  const text = header?.trim() ?? '';
  // Limit the wait to 31 years.
  if (/^\d+$/.test(text)) return Math.min(Number(text), 999_999_999) * 1000;
  const until = httpDate(text);
  return until === undefined ? undefined : Math.max(0, until - (httpDate(date?.trim() ?? '') ?? now));
}

/** Parses an HTTP date to milliseconds since 1970. Its third form has no zone, but is UTC too (RFC 9110 §5.6.7). */
function httpDate(text: string): number | undefined {
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text.replace(/\d$/, '$& GMT')) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Adds `waitMs` to each response that has a valid Retry-After header. No other code reads this header. */
export const withAskedWait =
  (send: Send, date: () => Date): Send =>
  async (...call) => {
    const response = await send(...call);
    const waitMs = retryAfterMs(response.headers, date().getTime());
    return waitMs === undefined ? response : { ...response, waitMs };
  };

/**
 * Retries failures that `isRetried` accepts. The first attempt is never delayed. A wait that would exceed the time
 * limit is not started. Returns or throws the last outcome with the number of attempts. If the deadline passes, the
 * error includes the reason for the last retry.
 */
export function withRetry(send: Send, policy: RetryPolicy, options: RetryOptions): Send {
  return async (request, { signal }) => {
    const { clock, random, onRetry, attempts, limitMs = policy.elapsedMs } = options;
    const start = clock.now();
    const leftMs = (elapsedMs: number): number | undefined =>
      attempts === undefined ? Math.min(policy.elapsedMs, limitMs) - elapsedMs : undefined;
    let last: LastFailure | undefined;
    let endTurn: (() => void) | undefined;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const outcome = await attemptOf(options.whole ? wholly(send, options.whole) : send, request, signal);
          const isLast = attempt === options.attempts;
          if (isLast || !isWorthRetrying(outcome, policy)) return settle(outcome, attempt);

          const asked = 'response' in outcome ? outcome.response : {};
          const wait = waitAfter(policy, attempt, random(), asked);
          const isOver = () => clock.now() - start + wait > policy.elapsedMs;
          if (isOver()) return settle(outcome, attempt);
          if (options.turn) endTurn ??= await options.turn(signal);
          // Check again, because waiting for a turn takes time.
          if (isOver()) return settle(outcome, attempt);

          last = { text: `attempt ${attempt}: ${reasonOf(outcome)}`, hint: hintOf(outcome) };
          onRetry?.(attempt, reasonOf(outcome), wait, leftMs(clock.now() - start));
          // Read the rest of the body during the wait, so that the connection can be reused.
          if ('response' in outcome) readAll(outcome.response.body, unneededLimit.bytes).catch(() => undefined);
          await clock.sleep(wait, signal);
          // Abort a body that is still arriving.
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
    // The body is complete but cannot be decoded. Code that does not need the body can ignore this error.
    if (bytes instanceof DtpError) return { ...response, body: failing(bytes) };
    if (!bytes) throw new DtpError('bad_response', `the response is longer than ${limit} bytes`, { isTooLong: true });
    return { ...response, body: bodyOfBytes(bytes) };
  };

// biome-ignore lint/correctness/useYield: this is the body of a response that cannot be read.
async function* failing(error: DtpError): AsyncGenerator<Uint8Array> {
  throw error;
}

type Outcome = { readonly response: HttpResponse; readonly stop: () => void } | { readonly error: unknown };

async function attemptOf(send: Send, request: Parameters<Send>[0], signal: AbortSignal): Promise<Outcome> {
  const own = new AbortController();
  try {
    const response = await send(request, { signal: AbortSignal.any([signal, own.signal]) });
    return { response, stop: () => own.abort() };
  } catch (error) {
    // The user's interrupt and the overall deadline prevent a retry.
    if (signal.aborted) throw error;
    return { error };
  }
}

/** Whether a failure is known to be temporary. Our own errors, TLS errors and parser errors are not. */
function isWorthRetrying(outcome: Outcome, policy: RetryPolicy): boolean {
  if ('response' in outcome) return isRetried(policy, outcome.response);
  return outcome.error instanceof DtpError && isRetried(policy, outcome.error.facts);
}

function settle(outcome: Outcome, attempts: number): HttpResponse {
  if ('response' in outcome) return { ...outcome.response, attempts };
  throw withFacts(outcome.error, { attempts });
}

const reasonOf = (outcome: Outcome) =>
  'response' in outcome ? `status ${outcome.response.status}` : messageOf(outcome.error);

type LastFailure = Readonly<Record<'text' | 'hint', string>>;

const hintOf = (outcome: Outcome): string =>
  'error' in outcome && outcome.error instanceof DtpError ? (outcome.error.facts.hint ?? '') : 'Try again later.';

/** Adds the reason for the last retry to the deadline's error. More time would not help, so the hint is replaced. */
function overdue(error: unknown, attempts: number, last: LastFailure | undefined): unknown {
  if (!(error instanceof DtpError) || !last) return withFacts(error, { attempts });
  return changedError(error, { attempts, hint: last.hint }, `${error.message} (${last.text})`);
}

/** Waits for a turn and returns the function that ends it. Throws the signal's reason if the signal aborts first. */
type AcquireTurn = (signal: AbortSignal) => Promise<() => void>;

/** Creates a queue of turns. They are granted in the order in which they were requested. */
export function openTurns(): AcquireTurn {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const end = () => {
    const next = waiting.shift();
    if (next) next();
    else isTaken = false;
  };
  return async (signal) => {
    signal.throwIfAborted();
    if (isTaken)
      await new Promise<void>((done, failed) => {
        const next = () => {
          signal.removeEventListener('abort', leave);
          done();
        };
        const leave = () => {
          waiting.splice(waiting.indexOf(next), 1);
          failed(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(next);
      });
    isTaken = true;
    let isEnded = false;
    return () => {
      if (!isEnded) end();
      isEnded = true;
    };
  };
}
