/** Quotes words for a POSIX shell. */

/** Quotes a word, even if it needs no quotes. */
export const quoteWord = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** Quotes a word only if it contains characters that a shell may interpret. */
export const shellWord = (word: string): string => (/^[\w@%+=:,./{}[\]-]+$/.test(word) ? word : quoteWord(word));

export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(' ');
