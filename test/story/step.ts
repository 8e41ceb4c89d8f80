/** A step of the story: a command, and what its answer must be. */

export type State = Record<string, string>;

export interface Step {
  readonly says: string;
  readonly id?: string;
  readonly argv?: (state: State, service: { readonly address: string }) => readonly string[];
  readonly env?: (state: State) => Record<string, string>;
  /** A file that is there before the command. */
  readonly writes?: { readonly name: string; readonly text: (state: State) => string };
  /** Push a document instead of a command. */
  readonly push?: true;
  /** The command is run again while it ends with 8. */
  readonly waits?: true;
  /** The exit code of a command that must fail. */
  readonly code?: number;
  /** The known shape of the answer. */
  readonly record?: string;
  /** It answers without a body. */
  readonly empty?: true;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is what JSON.parse gives.
  readonly check?: (value: any, state: State, service: { readonly address: string }) => unknown;
}
