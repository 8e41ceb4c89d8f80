/** Measures how many terminal columns a string takes, and cuts strings to a width. */
import { eastAsianWidth } from 'get-east-asian-width';

const ascii = /^[\x20-\x7e]*$/;

/** Combining characters: marks, and the later letters of a Hangul syllable. */
const over = /[\p{Mn}\p{Me}\u1160-\u11ff]/u;

/** Emoji, or characters that U+FE0F turns into an emoji. */
const emoji = /^\p{Emoji_Presentation}|\ufe0f/u;

/** Matches strings in which each character is one grapheme, because these characters never combine. */
const single =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0481\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** Returns the width of a string without hidden characters. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const part of graphemes(text)) width += graphemeWidth(part);
  return width;
}

/** Returns the string if it fits, or else its beginning and an ellipsis. Reads no more of the string than necessary. */
export function cut(text: string, width: number): string {
  if (ascii.test(text.slice(0, width + 1)))
    return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
  let [kept, left] = ['', width];
  for (const part of graphemes(text)) {
    left -= graphemeWidth(part);
    if (left < 0) return `${kept}…`;
    if (left >= 1) kept += part;
  }
  return text;
}

/** Wraps a string to `width` columns. Lines after the first are indented. Long words split at a slash or anywhere. */
export function wrapLines(text: string, width: number, indent = ''): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.trimEnd().split(' '))
    for (const [index, piece] of piecesOf(word, width - indent.length).entries()) {
      const longer = line === '' || index > 0 ? `${line}${piece}` : `${line} ${piece}`;
      if (widthOf(longer) <= width || line === '' || line === indent) line = longer;
      else {
        lines.push(line);
        line = `${indent}${piece}`;
      }
    }
  return [...lines, line];
}

/** Wraps a sentence between words. Long words such as paths, and commands, stay whole, so that they can be copied. */
export function wrapWords(text: string, width: number): readonly string[] {
  if (widthOf(text) <= width) return [text];
  const lines: string[] = [];
  let line: string | undefined;
  for (const word of unbroken(text).split(' ')) {
    const longer: string = line === undefined ? word : `${line} ${word}`;
    if (line !== undefined && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line ?? ''].map((one) => one.replaceAll(joint, ' '));
}

/** Wraps a sentence that the caller begins at column `indent`. The lines below are indented by as much. */
export const hangText = (text: string, indent: number, width: number | undefined): string =>
  width === undefined ? text : wrapWords(text, Math.max(narrowest, width - indent)).join(`\n${' '.repeat(indent)}`);

/** The minimum width of a sentence in columns. */
const narrowest = 8;

/** A command in quotes, or after a colon or a comma. */
const command = /"dtp [^"]+"|(?<=[:,] )dtp (?:[^,;]|[,;](?! ))+/g;

/** Stands for a space that is not the end of a word. Text for a terminal does not contain this character. */
const joint = '\0';

const unbroken = (text: string): string => text.replace(command, (one) => one.replaceAll(' ', joint));

const piecesOf = (word: string, width: number): readonly string[] =>
  widthOf(word) <= width ? [word] : word.split(/(?=\/)/).flatMap((part) => [...heads(part, width)]);

function* heads(text: string, width: number): Generator<string> {
  for (let rest = text; rest !== ''; ) {
    const piece = head(rest, width);
    yield piece;
    rest = rest.slice(piece.length);
  }
}

/** Returns as much of the beginning as fits, at least one character. */
function head(text: string, width: number): string {
  let kept = '';
  let room = width;
  for (const part of graphemes(text)) {
    room -= graphemeWidth(part);
    if (room < 0 && kept !== '') break;
    kept += part;
  }
  return kept;
}

/** The columns of a grapheme: the sum of those of its letters, as on terminals. A Thai grapheme may have several. */
function graphemeWidth(part: string): number {
  if (emoji.test(part)) return 2;
  let width = 0;
  for (const char of part) width += over.test(char) ? 0 : eastAsianWidth(char.codePointAt(0) ?? 0);
  return width;
}

/** The number of characters to segment at once, because Intl.Segmenter takes quadratic time. */
const piece = 128;

/** Yields the graphemes of a string. A grapheme that is longer than a piece is split. */
function* graphemes(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const start = at;
    const isLast = at + piece >= text.length;
    // Do not split a surrogate pair.
    const some = text.slice(at, at + piece - (!isLast && isPair(text, at + piece) ? 1 : 0));
    for (const segment of single.test(some) ? some : segmentsIn(some)) {
      const end = at + segment.length;
      // The last grapheme of a piece may continue in the next piece.
      if (!isLast && segment.length < some.length && end === start + some.length) break;
      yield segment;
      at = end;
    }
  }
}

/** Whether this position is inside a surrogate pair. */
const isPair = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;

/** The segmenter is created on first use: most strings are ASCII, and it takes milliseconds to load. */
const segmentsIn = (() => {
  let segmenter: Intl.Segmenter | undefined;
  return function* (text: string): Generator<string> {
    segmenter ??= new Intl.Segmenter();
    for (const { segment } of segmenter.segment(text)) yield segment;
  };
})();
