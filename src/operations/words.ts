/** The words of the document that a deployment may replace with its own (records.md, Wire words). */

/** A deployment's own words; a word that is missing is the document's. */
export interface Words {
  readonly codehost?: string | undefined;
  readonly docsite?: string | undefined;
}

/**
 * A path template, or the name of a query field, with a deployment's words in place of the document's. Only whole words
 * between `/`, `_` or `-` are replaced, and never a `{parameter}`.
 */
export const inWords = (text: string, words: Words): string =>
  text.replace(
    /\{[^{}]*\}|(?<![A-Za-z0-9])(?:codehost|docsite)(?![A-Za-z0-9])/g,
    (found) => (found === 'codehost' || found === 'docsite' ? words[found] : undefined) ?? found,
  );
