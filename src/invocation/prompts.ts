/** The prompts that commands can use if a person is there to answer. */

export interface Choice {
  readonly value: string;
  /** The name that a person recognizes. */
  readonly label: string;
  /** More details, printed dimmed. */
  readonly hint: string;
  /** Whether it is the one in use now. It is marked, and a list starts at it. */
  readonly isCurrent?: true;
}

/** Undefined for an agent or a script. Called only right before a prompt, because it opens standard input. */
export type OpenPrompts = () => Prompts | undefined;

/** Each throws `cancelled` if the person declines, and an ExitCode of 130 after Ctrl-C. */
export interface Prompts {
  /** One line, trimmed. */
  readonly text: (question: string) => Promise<string>;
  /** One line that is not echoed. */
  readonly secret: (question: string) => Promise<string>;
  /** Whether the answer is yes. An empty answer means no. */
  readonly agrees: (question: string) => Promise<boolean>;
  /** The value of the chosen item. */
  readonly pick: (question: string, choices: readonly Choice[]) => Promise<string>;
}
