/** JSON → values whose integers are exact: one that a number would round is a bigint. */

/** What a text may be stepped through by: texts begin and end with a quote, unless it is escaped. */
const tokens = /\\.|"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The integers of a JSON text that a number would round, each replaced by what `write` makes of it. */
function replaceLong(text: string, write: (digits: string) => string): string {
  let isInText = false;
  return text.replace(tokens, (token) => {
    if (token === '"') isInText = !isInText;
    const isLong = !isInText && /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
    return isLong ? write(token) : token;
  });
}

/** Those integers, in their order. */
export function longIntegersIn(text: string): readonly string[] {
  const found: string[] = [];
  // Sixteen digits are the least that can be too many, and few answers have them outside a text.
  if (/(?:^|[\s,:[])-?\d{16}/.test(text)) replaceLong(text, (digits) => String(found.push(digits)));
  return found;
}

/** Throws SyntaxError for what is no JSON, RangeError for what is nested too deeply and holds such an integer. */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
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
