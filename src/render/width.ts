/** How many columns of a terminal a text takes, and texts cut to a number of them. */

const ascii = /^[\x20-\x7e]*$/;

/** Drawn over what is before them: marks, and the later letters of a Hangul syllable. */
const over = /[\p{Mn}\p{Me}\u1160-\u11ff]/u;

/** East Asian wide and full-width characters. */
const wide =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Yi}\p{Script=Tangut}\u3000-\u303e\u3041-\u33ff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/u;

/** Hangul letters that the script alone would take for wide. */
const halfWidth = /[\uffa0-\uffdc]/;

/** An emoji, by itself or by U+FE0F, which asks for the picture of a character that is otherwise drawn as text. */
const emoji = /^\p{Emoji_Presentation}|\ufe0f/u;

/** Letters, syllables and Han characters that join with none of their kind: each is one character to a reader. */
const single =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0481\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;

/** Columns of a text that holds no hidden characters. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length;
  let width = 0;
  for (const part of graphemes(text)) width += graphemeWidth(part);
  return width;
}

/** The text where it fits, or as much of it as leaves room for an ellipsis. No more of it is looked at. */
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

/** Lines of at most `width` columns, the later ones indented. A longer word is cut before a slash, or where it must be. */
export function wrapped(text: string, width: number, indent = ''): readonly string[] {
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

const piecesOf = (word: string, width: number): readonly string[] =>
  widthOf(word) <= width ? [word] : word.split(/(?=\/)/).flatMap((part) => [...heads(part, width)]);

function* heads(text: string, width: number): Generator<string> {
  for (let rest = text; rest !== ''; ) {
    const piece = head(rest, width);
    yield piece;
    rest = rest.slice(piece.length);
  }
}

/** As much of the beginning as fits, one character at least. */
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

function graphemeWidth(part: string): number {
  if (emoji.test(part)) return 2;
  let width = 0;
  for (const char of part) width += over.test(char) ? 0 : wide.test(char) && !halfWidth.test(char) ? 2 : 1;
  return width;
}

/** Characters that are parted at a time: the time that Intl.Segmenter takes grows with the square of the text. */
const piece = 128;

/** What a reader takes for one character, each; one that is longer than a piece comes in parts. */
function* graphemes(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const start = at;
    const isLast = at + piece >= text.length;
    // Two surrogates are one character.
    const some = text.slice(at, at + piece - (!isLast && isPair(text, at + piece) ? 1 : 0));
    for (const segment of single.test(some) ? some : segmentsIn(some)) {
      const end = at + segment.length;
      // The last of a piece may go on in the next.
      if (!isLast && segment.length < some.length && end === start + some.length) break;
      yield segment;
      at = end;
    }
  }
}

/** Whether the characters before and after this place are a surrogate pair. */
const isPair = (text: string, at: number): boolean => (text.codePointAt(at - 1) ?? 0) > 0xffff;

/** What parts a text is made when the first comes: most texts are ASCII, and the rules take milliseconds to load. */
const segmentsIn = (() => {
  let segmenter: Intl.Segmenter | undefined;
  return function* (text: string): Generator<string> {
    segmenter ??= new Intl.Segmenter();
    for (const { segment } of segmenter.segment(text)) yield segment;
  };
})();
