/** A clock for waits, deadlines and durations. The real one is created in main.ts. */
export interface Clock {
  /** Milliseconds since some fixed moment. Unlike a date, it never jumps when the system time changes. */
  readonly now: () => number;
  /** Waits `ms` milliseconds, or throws the signal's reason. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}
