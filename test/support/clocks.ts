/** Clocks for tests: the real one, and those on which waits end at once. */
import type { Clock } from '../../src/clock.ts';

/** The real clock. */
export const wallClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((done, failed) => {
      signal?.throwIfAborted();
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        failed(signal.reason);
      });
    }),
};

/** Sleeps between attempts end at once. Deadlines of 10 seconds or more are real. */
export const hastyClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => (ms >= 10_000 ? wallClock.sleep(ms, signal) : Promise.resolve()),
};

/** Sleeps end at once, but let other work run, such as the end of a command that waits for too long. */
export const yieldingClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) => (ms >= 10_000 ? wallClock.sleep(ms, signal) : new Promise((done) => void setImmediate(done))),
};

/** Always 2026-01-31T12:00:00Z. */
export const frozenClock: Clock = { now: () => Date.UTC(2026, 0, 31, 12), sleep: wallClock.sleep };

/** Deadlines (90 seconds for a batch) are never reached. Each read of the clock takes `step` milliseconds. */
export function jumpingClock(step = 0): Clock {
  let now = Date.now();
  const look = () => {
    now += step;
    return now;
  };
  const sleep = async (ms: number, signal?: AbortSignal) => {
    if (ms >= 10_000)
      return new Promise<void>((_, failed) => {
        signal?.throwIfAborted();
        signal?.addEventListener('abort', () => failed(signal.reason));
      });
    // Lets other work continue meanwhile.
    await new Promise((done) => setImmediate(done));
    now += ms;
  };
  return { now: look, sleep };
}

/** A clock that runs ahead with each look at it. */
export const racingClock = () => {
  let now = Date.now();
  return {
    now: () => {
      now += 4000;
      return now;
    },
    sleep: hastyClock.sleep,
  };
};

/**
 * The clock jumps when the program waits: at once for a retry, and for a deadline once the fault has sent
 * everything.
 */
export function clockUntil(quiet: Promise<void>): Clock {
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
