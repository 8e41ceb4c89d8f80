/** JSON → values whose integers are exact: one that a number would round is a bigint. */

/** What a text may be stepped through by: texts begin and end with a quote, unless it is escaped. */
const tokens = /\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** A number that nothing can hold as it is: JSON would write it as null. */
export class BeyondError extends Error {}

/** The numbers of a JSON text, each replaced by what `write` makes of it. */
function replaceNumbers(text: string, write: (token: string) => string): string {
  let isInText = false;
  return text.replace(tokens, (token) => {
    if (token === '"') isInText = !isInText;
    return isInText || token === '"' || token.startsWith('\\') ? token : write(token);
  });
}

const isInteger = (token: string) => /^-?\d+$/.test(token);

/** The integers that a number would round, each replaced by what `write` makes of it. */
const replaceLong = (text: string, write: (digits: string) => string): string =>
  replaceNumbers(text, (token) =>
    isInteger(token) && !Number.isSafeInteger(Number(token)) ? write(token) : token,
  );

/** Those integers, in their order. */
export function longIntegersIn(text: string): readonly string[] {
  const found: string[] = [];
  // Sixteen digits are the least that can be too many, and few answers have them outside a text.
  if (/(?:^|[\s,:[])-?\d{16}/.test(text)) replaceLong(text, (digits) => String(found.push(digits)));
  return found;
}

/** A number of a JSON text that is none of those and beyond all doubles; undefined where there is none. */
export function numberBeyondIn(text: string): string | undefined {
  // Few texts have an exponent of two digits, or as many digits as there are in the largest double, outside a text.
  if (!/(?:^|[\s,:[])-?(?:\d{290}|\d+(?:\.\d+)?[eE]\+?\d\d)/.test(text)) return undefined;
  let found: string | undefined;
  replaceNumbers(text, (token) => {
    if (!Number.isFinite(Number(token)) && !isInteger(token)) found ??= token;
    return token;
  });
  return found;
}

/** Characters of a number that are told. */
const longest = 40;

/**
 * Throws SyntaxError for what is no JSON, BeyondError for a number that cannot be kept, RangeError for what is nested too
 * deeply and holds a long integer.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  const beyond = numberBeyondIn(text);
  if (beyond !== undefined) {
    const shown = beyond.length > longest ? `${beyond.slice(0, longest)}…` : beyond;
    throw new BeyondError(`holds the number ${shown}, which cannot be kept`);
  }
  if (longIntegersIn(text).length === 0) return value;
  const mark = unusedIn(text);
  const marked = replaceLong(text, (digits) => `"${mark}${digits}"`);
  return JSON.parse(marked, (_, one: unknown) =>
    typeof one === 'string' && one.startsWith(mark) ? BigInt(one.slice(mark.length)) : one,
  );
}

/** A character that no text of the JSON has, neither as it is nor as an escape. */
function unusedIn(json: string): string {
  for (let code = 0xe000; ; code++) {
    const char = String.fromCharCode(code);
    if (!json.includes(char) && !new RegExp(`\\\\u${code.toString(16)}`, 'i').test(json)) return char;
  }
}
