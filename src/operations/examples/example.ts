/** An example of a command. Help shows the examples, and a test runs them. */

export interface Example {
  /** What the example does, without a full stop. */
  readonly says: string;
  /** Shell text; no line is longer than 78 characters. */
  readonly command: string;
  /** The exit code, if that is what the example shows. */
  readonly exit?: number;
}

export type Examples = Readonly<Record<string, readonly [Example, Example]>>;
