/** Makes strings safe for a terminal, and refuses tables that are too large to format. */

import { DtpError } from '../errors.ts';
import { unicodeEscape, writeExact } from '../json-object.ts';
import { blockSize, textsOf } from './blocks.ts';

/** Matches control and format characters (bidi, BOM, tags, but no emoji joiners), separators and lone surrogates. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}](?<!(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?\u200d(?=\p{Extended_Pictographic}))/gu;

/**
 * Matches the parts of a JSON document that may contain a hidden character. The rest is visible ASCII and
 * indentation, and whether a character is hidden never depends on an ASCII neighbor. This search is ten times as fast
 * as the search for hidden characters.
 */
const aboveAscii = /[\u007f-\uffff]+/g;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Whether a terminal would interpret or hide a character of the string. */
export const hasHidden = (text: string): boolean => text.search(hidden) >= 0;

export function replaceHidden(text: string, write: (char: string) => string): string {
  if (text.length <= pieceLength) return text.replace(hidden, write);
  let written = '';
  for (const piece of slicesOf(text)) written += piece.replace(hidden, write);
  return written;
}

/** Escapes hidden characters. With `lines`, line breaks and tabs stay. */
export function visible(text: string, { lines = false }: { readonly lines?: boolean } = {}): string {
  if (!lines) return replaceHidden(text, (char) => short[char] ?? unicodeEscape(char));
  return replaceHidden(text.replaceAll('\r\n', '\n'), (char) =>
    char === '\n' || char === '\t' ? char : unicodeEscape(char),
  );
}

/** Formats JSON without hidden characters. Parsing it returns the same value. Integers may have any length. */
export const jsonText = (value: unknown, indent?: number): string => withoutHidden(exactText(value, indent));

const linesOf = (values: readonly unknown[]): string =>
  writeExact(values, (all) => all.map((one) => `${JSON.stringify(one) ?? 'null'}\n`).join(''));

/** Formats like `jsonText` plus a line break, in pieces, so that the output is not in memory twice. */
export async function jsonPieces(value: unknown, indent?: number, signal?: AbortSignal): Promise<Iterable<string>> {
  if (!Array.isArray(value) || value.length <= blockSize) {
    const text = exactText(value, indent);
    return slicesWithoutHidden(text.length < pieceLength ? [`${text}\n`] : [text, '\n']);
  }
  const [open, comma, close] = indent === undefined ? ['[', ',', ']'] : ['[\n', ',\n', '\n]'];
  const texts = await textsOf(value, (block) => exactText(block, indent).slice(open.length, -close.length), signal);
  return slicesWithoutHidden([open, ...texts.map((text, at) => (at === 0 ? text : comma + text)), `${close}\n`]);
}

/** Formats each value as one line, in pieces. */
export const linePieces = async (values: readonly unknown[], signal?: AbortSignal): Promise<Iterable<string>> =>
  values.length === 1
    ? jsonPieces(values[0], undefined, signal)
    : slicesWithoutHidden(await textsOf(values, linesOf, signal));

const exactText = (value: unknown, indent?: number): string =>
  writeExact(value, (one) => JSON.stringify(one, undefined, indent) ?? 'null');

function* slicesWithoutHidden(texts: readonly string[]): Generator<string> {
  for (const text of texts) for (const piece of slicesOf(text)) yield withoutHidden(piece);
}

/** The number of characters to process at once, because all matches are held in memory. */
const pieceLength = 128 * 1024;

function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + pieceLength;
    // Do not split a surrogate pair.
    const next = end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
    yield text.slice(at, next);
    at = next;
  }
}

function withoutHidden(json: string): string {
  // If all characters take one byte, the string is ASCII. This check is five times as fast as the search.
  if (Buffer.byteLength(json) === json.length && !json.includes('\u007f')) return json;
  let written = '';
  for (const piece of slicesOf(json))
    written += piece.replace(aboveAscii, (part) => part.replace(hidden, unicodeEscape));
  return written;
}

/** Each cell takes at least 400 bytes while a table is formatted. */
const mostCells = 500_000;

/** Throws `bad_response` for more cells than fit. */
export function checkCells(count: number): void {
  if (count <= mostCells) return;
  throw new DtpError('bad_response', `the result has ${count} cells, too many for a table`, {
    hint: 'Use -o csv or -o ndjson, or ask for less with --fields or --query.',
  });
}

/** The maximum number of characters in a table. Formatting a table keeps several copies of its text in memory. */
const mostCharacters = 16 * 1024 * 1024;

/** Throws `bad_response` if the strings among these values are too long together. */
export function checkLength(values: Iterable<unknown>): void {
  let length = 0;
  for (const one of values) if (typeof one === 'string') length += one.length;
  if (length <= mostCharacters) return;
  throw new DtpError('bad_response', `the result has ${length} characters, too many for a table`, {
    hint: 'Use -o json, or ask for less with --fields or --query.',
  });
}
