/** Time that passes: for waits, deadlines and durations. The real one is made in main.ts. */
export interface Clock {
  /** Milliseconds since some moment. They never jump when the system's time is set, as those of a date do. */
  readonly now: () => number;
  /** Ends after `ms` milliseconds, or throws the signal's reason. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}
