/** Defines the signs of states, so that color is never the only difference, and what replaces signs outside of ASCII. */
import type { View } from './fields.ts';

export type State = 'good' | 'bad' | 'open';

const signs = { good: '✔', bad: '✘', open: '!' } as const;
const plain = { good: 'ok', bad: 'x', open: '!' } as const;
export const stateColors = { good: 'green', bad: 'red', open: 'yellow' } as const;

/** `✔`, `✘` or `!`, or ASCII if the terminal may lack these signs. `-` for no state. */
export const signOf = (state: State | undefined, { plainSigns }: Pick<View, 'plainSigns'>): string =>
  state === undefined ? '-' : (plainSigns ? plain : signs)[state];

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Whether a terminal shows only ASCII for sure: by its kind, or by the encoding of the locale, which is the first of
 * the three variables that is not empty (POSIX, Base Definitions 8.2). Without a locale, as in containers, it is UTF-8.
 */
export function hasPlainSigns(env: Variables): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || '';
  return /^(dumb|linux)$/.test(env.TERM ?? '') || /^(C|POSIX)$|^[^.]*@euro$|\.(?!utf-?8\b)/i.test(locale);
}

/** What replaces drawn signs. A vertical bar replaces the parts of a block. */
const drawn: Readonly<Record<string, string>> = { '━': '=', '─': '-', '█': '#', '▒': 'x', '░': '.', '–': '-' };

/**
 * Returns a function for text that people read on a terminal. If that shows only ASCII, it replaces drawn signs by
 * ASCII of the same width. Only an ellipsis between words gets wider.
 */
export const signsFor = (stream: { readonly isTTY?: boolean }, env: Variables): ((text: string) => string) =>
  stream.isTTY && hasPlainSigns(env) ? inAscii : (text) => text;

export const inAscii = (text: string): string =>
  text.replace(/[\u2500-\u2593–…]/g, (sign, at: number) =>
    sign === '…' ? (/[^\s([{]/.test(text[at - 1] ?? '') ? '~' : '...') : (drawn[sign] ?? '|'),
  );

/** The words for each state. Only a cell that is exactly one of these words has a state. */
const words: readonly (readonly [words: RegExp, state: State])[] = [
  [/^(yes|ok|success|succeeded|succeed|completed|active|allowed|valid|stored)$/i, 'good'],
  [/^(warn|warning|pending|queued|running|in_progress|skip|skipped|limited)$/i, 'open'],
  [/^(fail|failed|failure|error|rejected|blocked|expired|corrupt|unreadable)$/i, 'bad'],
];

/** The state that a word names, such as `running`. */
export const stateOf = (text: string): State | undefined => words.find(([pattern]) => pattern.test(text))?.[1];
