/** The words of the API document that a deployment may replace (records.md, Wire words). */

/** The words of a deployment. A missing word is not replaced. */
export interface Words {
  readonly codehost?: string | undefined;
  readonly docsite?: string | undefined;
}

/**
 * Replaces the words of the API document in a path template or in the name of a query field. Only whole words
 * between `/`, `_` or `-` are replaced, and never a `{parameter}`.
 */
export const inWords = (text: string, words: Words): string =>
  text.replace(
    /\{[^{}]*\}|(?<![A-Za-z0-9])(?:codehost|docsite)(?![A-Za-z0-9])/g,
    (found) => (found === 'codehost' || found === 'docsite' ? words[found] : undefined) ?? found,
  );
