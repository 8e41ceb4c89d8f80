/** Time, as something that is passed in; the real one is made in main.ts. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Ends after `ms` milliseconds, or throws the signal's reason. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}
