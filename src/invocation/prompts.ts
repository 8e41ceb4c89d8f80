/** How a person is asked: what a front door hands to the commands if somebody is there to answer. */

/** One of a list to choose from. */
export interface Choice {
  readonly value: string;
  /** What a person knows it by. */
  readonly label: string;
  /** What else there is to say, dimmed. */
  readonly hint: string;
}

/** Undefined if nobody is there to answer: an agent or a script. Called only to ask: it looks at standard input. */
export type OpenPrompts = () => Prompts | undefined;

/** Each throws `cancelled` if the person declines, and ends with 130 at Ctrl-C. */
export interface Prompts {
  /** One line, without the spaces around it. */
  readonly text: (question: string) => Promise<string>;
  /** The same, and what is typed is not shown. */
  readonly secret: (question: string) => Promise<string>;
  /** Whether the answer is yes; it is no if nothing is typed. */
  readonly agrees: (question: string) => Promise<boolean>;
  /** The value of the choice. */
  readonly pick: (question: string, choices: readonly Choice[]) => Promise<string>;
}
