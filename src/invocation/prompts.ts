/** Defines the prompts that commands can show if a person can answer them. */
import type { Context } from '../context.ts';
import type { Globals } from '../settings/global-flags.ts';

/** Whether a person can answer prompts. Checks standard input last, because opening it takes time. */
export const isInteractive = (context: Context, { input }: Globals): boolean =>
  input !== false &&
  !context.env.CI &&
  !context.agent &&
  !context.env.DTP_NO_INPUT &&
  context.stderr.isTTY === true &&
  context.stdin.isTTY === true;

export interface PromptChoice {
  readonly value: string;
  /** The name that a person recognizes. */
  readonly label: string;
  /** More details, printed dimmed. */
  readonly hint: string;
  /** Whether this value is currently in use. The choice is marked, and it is preselected in a list. */
  readonly isCurrent?: true;
}

/** Returns undefined for an agent or a script. Call it only right before a prompt, because it opens standard input. */
export type OpenPrompts = () => Prompts | undefined;

/** Each prompt throws `cancelled` if the person declines, and an ExitCode of 130 after Ctrl-C. */
export interface Prompts {
  /** Returns one line, trimmed. */
  readonly text: (question: string) => Promise<string>;
  /** Returns one line, which is not shown while it is typed. */
  readonly secret: (question: string) => Promise<string>;
  /** Whether the answer is yes. An empty answer means no. */
  readonly agrees: (question: string) => Promise<boolean>;
  /** Returns the value of the chosen item. */
  readonly pick: (question: string, choices: readonly PromptChoice[]) => Promise<string>;
}
