/** Asking again until a job is done. */
import type { Clock } from '../clock.ts';
import { DtpError, isRepeated } from '../errors.ts';
import { readBackoff } from '../operations/shared.ts';

export interface WaitOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Milliseconds between two polls, and until it is given up. */
  readonly intervalMs: number;
  readonly timeoutMs: number;
  /** Told after each poll that ended with nothing: how often it was asked, and what came. */
  readonly tell: (polls: number, why: DtpError) => void;
}

/**
 * The result of the first poll that does not throw `pending`. The status alone decides (States and transitions 1 to 3).
 * A poll that met no service, or a stuck one, is made again, no sooner than the service asks: a job is not lost by a broken
 * connection. `poll` is told how long it may take. Throws `timeout` when the time is over, and what else a poll throws.
 */
export async function waitFor<T>(poll: (leftMs: number) => Promise<T>, options: WaitOptions): Promise<T> {
  const { clock, signal, intervalMs, timeoutMs, tell } = options;
  const end = clock.now() + timeoutMs;
  for (let polls = 1; ; polls++) {
    let asked = 0;
    try {
      // The last look is at the end of the time, and has some of its own.
      return await poll(Math.max(end - clock.now(), least));
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof DtpError) || !mayPass(error)) throw error;
      tell(polls, error);
      asked = error.facts.waitMs ?? 0;
      if (clock.now() >= end)
        throw new DtpError('timeout', `the job was not done within ${timeoutMs / 1000} s: ${error.message}`, {
          ...error.facts,
          retryable: true,
          attempts: polls,
        });
    }
    await clock.sleep(Math.min(Math.max(intervalMs, asked), end - clock.now()), signal);
  }
}

const mayPass = ({ code, facts }: DtpError) =>
  code === 'pending' || code === 'timeout' || isRepeated(readBackoff, facts);

/** Milliseconds. */
const least = 1000;
