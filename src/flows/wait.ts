/** Polls until a job is done. */
import type { Clock } from '../clock.ts';
import { DtpError, isRepeated } from '../errors.ts';
import { readBackoff } from '../operations/retry-policies.ts';

export interface WaitOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** The polling interval and the time limit, in milliseconds. */
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Called after each poll without a result, with the number of polls and the error. */
  readonly tell: (polls: number, why: DtpError) => void;
}

/**
 * Polls until `poll` no longer throws `pending`, and returns its result. Only the status of the response decides
 * (States and transitions 1 to 3). After a failure of the network or the service, polls again, but not before the time
 * that the service asks for. A lost connection therefore does not end the wait. `poll` receives its time limit in
 * milliseconds. Throws `timeout` when the time is up. Throws any other error of a poll at once.
 */
export async function waitFor<T>(poll: (leftMs: number) => Promise<T>, options: WaitOptions): Promise<T> {
  const { clock, signal, intervalMs, timeoutMs, tell } = options;
  const end = clock.now() + timeoutMs;
  for (let polls = 1; ; polls++) {
    let asked = 0;
    try {
      // The last poll starts when the time is up, so it gets some extra time.
      return await poll(Math.max(end - clock.now(), least));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DtpError) || !mayPass(error)) throw error;
      tell(polls, error);
      asked = error.facts.waitMs ?? 0;
      if (clock.now() >= end)
        throw new DtpError(
          'timeout',
          `the job did not finish within ${timeoutMs / 1000} s: ${error.message}`,
          {
            ...error.facts,
            retryable: true,
            attempts: polls,
          },
        );
    }
    await clock.sleep(Math.min(Math.max(intervalMs, asked), end - clock.now()), signal);
  }
}

const mayPass = ({ code, facts }: DtpError) =>
  code === 'pending' || code === 'timeout' || isRepeated(readBackoff, facts);

/** The shortest time limit of a poll, in milliseconds. */
const least = 1000;
