/** An example of a command: what a page shows, and a test runs. */

export interface Example {
  /** What it does, without a full stop. */
  readonly says: string;
  /** Shell text; no line is longer than 78 characters. */
  readonly command: string;
  /** What it ends with, where that is what it shows. */
  readonly exit?: number;
}

export type Examples = Readonly<Record<string, readonly [Example, Example]>>;
