/** Replaces the words of the API document that a deployment may rename (records.md, Wire words). */

/** The replacement of each word in a deployment. A word without a replacement stays unchanged. */
export interface Words {
  readonly codehost?: string | undefined;
  readonly docsite?: string | undefined;
}

/** Replaces whole words in a path template or in the name of a query field, but never a `{parameter}`. */
export const replaceWords = (text: string, words: Words): string =>
  text.replace(
    /\{[^{}]*\}|(?<![A-Za-z0-9])(?:codehost|docsite)(?![A-Za-z0-9])/g,
    (found) => (found === 'codehost' || found === 'docsite' ? words[found] : undefined) ?? found,
  );
