/** The program in this process over real sockets, with a clock that does not wait. */
import type { Clock } from '../../src/clock.ts';
import { openSend } from '../../src/transport/send.ts';
import { dtp, type Ended } from './context.ts';
import type { Faulty } from './faulty.ts';
import { KEY } from './trial.ts';

/** Runs a command line against a faulty server. */
export const runQuick = (argv: readonly string[], home: string, { address, quiet }: Faulty): Promise<Ended> =>
  dtp(argv, {
    home,
    env: { DTP_BASE_URL: address, DTP_API_KEY: KEY },
    clock: clockUntil(quiet),
    openSend: async (options) => openSend(options),
  });

/**
 * The clock jumps when the program waits: at once for a retry, and for a deadline once the fault has sent
 * everything.
 */
function clockUntil(quiet: Promise<void>): Clock {
  let now = Date.now();
  return {
    now: () => now,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      const aborted = new Promise<never>((_, failed) => {
        signal?.addEventListener('abort', () => failed(signal.reason), { once: true });
      });
      await Promise.race([ms >= 10_000 ? quiet : new Promise((done) => setImmediate(done)), aborted]);
      // Twenty times as fast, so the retry budget is used up after a few attempts.
      now += ms * 20;
    },
  };
}
