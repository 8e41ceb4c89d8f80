/** Quotes words for a POSIX shell. */

/** Always quotes the word. */
export const quoteWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Quotes the word only if necessary. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./{}[\]-]+$/.test(word) ? word : quoteWord(word);

export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');
