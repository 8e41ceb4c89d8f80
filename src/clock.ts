/** The clock that measures waits, deadlines and durations. The real clock is created in main.ts. */
export interface Clock {
  /** Milliseconds since some fixed moment. Unlike a date, this number does not jump when the system time is changed. */
  readonly now: () => number;
  /** Waits `ms` milliseconds. If the signal is aborted first, throws its reason. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}
