/** Texts that may hold anything → texts that a terminal shows for what they are. */

/** Controls; formats (bidi, zero-width, BOM, tags) save what joins two emoji to one; line and paragraph separators; lone surrogates. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}](?<!(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?\u200d(?=\p{Extended_Pictographic}))/gu;

/** Where JSON has none of these it hides nothing: what is below stands in it as an escape, or as the line break of an indentation. */
const aboveAscii = /[\u007f-\uffff]/;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Whether a terminal would act on a character of the text, or hide it. */
export const hasHidden = (text: string): boolean => text.search(hidden) >= 0;

/** The text with each hidden character written another way. */
export const replaceHidden = (text: string, write: (char: string) => string): string =>
  text.replace(hidden, write);

/** The text with hidden characters as escapes. With `lines`, line breaks and tabs stay. */
export function visible(text: string, { lines = false }: { readonly lines?: boolean } = {}): string {
  if (!lines) return replaceHidden(text, (char) => short[char] ?? unicodeEscape(char));
  return replaceHidden(text.replaceAll('\r\n', '\n'), (char) =>
    char === '\n' || char === '\t' ? char : unicodeEscape(char),
  );
}

/** JSON that parses back equal and holds no hidden character. */
export function jsonText(value: unknown, indent?: number): string {
  const text = stringified(value, indent);
  // A large text is looked through for it in a third of the time.
  if (!aboveAscii.test(text)) return text;
  return replaceHidden(text, (char) => (char === '\n' ? char : unicodeEscape(char)));
}

function stringified(value: unknown, indent: number | undefined): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null';
  } catch (error) {
    // Of what is decoded, only a bigint is none of its types.
    if (error instanceof TypeError) return longText(value, indent);
    throw error;
  }
}

/** As JSON.stringify has it, with integers of any length. */
function longText(value: unknown, indent = 0, margin = '\n'): string {
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const isList = Array.isArray(value);
  const inner = margin + ' '.repeat(indent);
  const parts = isList
    ? value.map((one) => longText(one, indent, inner))
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([name, one]) => `${JSON.stringify(name)}:${indent ? ' ' : ''}${longText(one, indent, inner)}`);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0) return open + close;
  const [before, between, after] = indent ? [inner, `,${inner}`, margin] : ['', ',', ''];
  return open + before + parts.join(between) + after + close;
}

/** `\u001b`; two of them above U+FFFF, as JSON has it. */
const unicodeEscape = (char: string) =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
