/** A step of the story: a command, and the expected answer. */

export type State = Record<string, string>;

export interface Step {
  readonly says: string;
  readonly id?: string;
  readonly argv?: (state: State, service: { readonly address: string }) => readonly string[];
  readonly env?: (state: State) => Record<string, string>;
  /** A file to create before the command. */
  readonly writes?: { readonly name: string; readonly text: (state: State) => string };
  /** Push a document instead of running a command. */
  readonly push?: true;
  /** The command is repeated as long as it exits with 8. */
  readonly waits?: true;
  /** The exit code of a command that must fail. */
  readonly code?: number;
  /** The type of the answer, as in records.ts. */
  readonly record?: string;
  /** The answer has no body. */
  readonly empty?: true;
  // biome-ignore lint/suspicious/noExplicitAny: JSON.parse returns any.
  readonly check?: (value: any, state: State, service: { readonly address: string }) => unknown;
}
