/** Words as a POSIX shell reads them. */

/** In quotes, whatever it holds. */
export const quoteWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** In quotes where it needs them. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./{}[\]-]+$/.test(word) ? word : quoteWord(word);

export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');
