/** Defines an example of a command. Help shows the examples, and a test runs them. */

export interface Example {
  /** What the example does, without a period at the end. */
  readonly says: string;
  /** The shell command. No line is longer than 78 characters. */
  readonly command: string;
  /** The expected exit code, if it is not 0. */
  readonly exit?: number;
}

/** The two examples of each operation: what an example does, and its command. */
export type Examples = Readonly<Record<string, Readonly<Record<string, string | Omit<Example, 'says'>>>>>;
