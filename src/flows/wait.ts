/** Polls until a job is done. */
import type { Clock } from '../clock.ts';
import { DtpError } from '../errors.ts';
import { isRetriedByWait } from '../operations/retry-rules.ts';

export interface WaitOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** What is waited for, as the subject of an error message: `the job`. */
  readonly subject: string;
  /** The polling interval and the time limit, in milliseconds. */
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Called after each poll without a result, with the number of polls and the error. */
  readonly tell: (polls: number, why: DtpError) => void;
}

/** How many failed polls in a row are tolerated, or for how many milliseconds if that is longer. */
const tolerated = { polls: 5, ms: 30_000 };

/** How long before the time limit the last poll starts, in milliseconds, so that its response arrives in time. */
const lastPollMs = 500;

/**
 * Polls until `poll` no longer throws `pending`, and returns its result. Only the status of the response decides
 * (States and transitions 1 to 3). After a temporary failure, polls again, but not before the time that the service
 * asks for. `poll` receives the time that is left, in milliseconds. Throws `timeout` when the time is up, with the last
 * state that a poll has read. Throws a failure if it is not temporary, lasts too long, or asks for a wait that does not
 * fit into the time that is left.
 */
export async function waitFor<T>(poll: (leftMs: number) => Promise<T>, options: WaitOptions): Promise<T> {
  const { clock, signal, intervalMs, timeoutMs, tell } = options;
  const end = clock.now() + timeoutMs;
  let state: string | undefined;
  let failures = 0;
  let failingSince = 0;
  for (let polls = 1; ; polls++) {
    try {
      return await poll(end - clock.now());
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DtpError)) throw error;
      const now = clock.now();
      const lastMs = end - Math.min(lastPollMs, timeoutMs / 10) - now;
      const askedMs = error.facts.waitMs ?? 0;
      if (error.code === 'pending') [state, failures] = [error.message, 0];
      else {
        failures++;
        if (failures === 1) failingSince = now;
        const isTolerated = failures <= tolerated.polls || now - failingSince <= tolerated.ms;
        const isLate = lastMs > 0 && askedMs > lastMs;
        if (!isRetriedByWait(error.code, error.facts) || !isTolerated || isLate) throw error;
      }
      tell(polls, error);
      if (lastMs <= 0) throw timedOut(error, state, polls, options);
      await clock.sleep(Math.min(Math.max(intervalMs, askedMs), lastMs), signal);
    }
  }
}

function timedOut(last: DtpError, state: string | undefined, polls: number, { subject, timeoutMs }: WaitOptions) {
  const { message } = last;
  const limit = `${subject} did not finish within ${timeoutMs / 1000} s`;
  const known = state === undefined ? `${limit}, and no poll has read its status` : `${limit}: ${state}`;
  const full = message === state ? known : `${known}. The last poll failed: ${message}`;
  return new DtpError('timeout', full, { ...last.facts, retryable: true, attempts: polls });
}
