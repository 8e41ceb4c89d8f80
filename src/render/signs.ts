/** Defines the signs of states, such as a check mark for success, so that color is never the only difference. */
import type { View } from './fields.ts';

export type State = 'good' | 'bad' | 'open';

const signs = { good: '✔', bad: '✘', open: '!' } as const;
const plain = { good: 'ok', bad: 'x', open: '!' } as const;
export const stateColors = { good: 'green', bad: 'red', open: 'yellow' } as const;

/** `✔`, `✘` or `!`, or ASCII if the terminal may lack these signs. `-` for no state. */
export const signOf = (state: State | undefined, { plainSigns }: Pick<View, 'plainSigns'>): string =>
  state === undefined ? '-' : (plainSigns ? plain : signs)[state];

/** The words for each state. Only a cell that is exactly one of these words has a state. */
const words: readonly (readonly [words: RegExp, state: State])[] = [
  [/^(yes|ok|success|succeeded|succeed|completed|active|allowed|valid|stored)$/i, 'good'],
  [/^(warn|warning|pending|queued|running|in_progress|skip|skipped|limited)$/i, 'open'],
  [/^(fail|failed|failure|error|rejected|blocked|expired|corrupt|unreadable)$/i, 'bad'],
];

/** The state that a word names, such as `running`. */
export const stateOf = (text: string): State | undefined => words.find(([pattern]) => pattern.test(text))?.[1];
