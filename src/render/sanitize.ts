/** Texts that may hold anything → texts that a terminal shows for what they are. */
import { isRecord, type JsonObject } from '../json-object.ts';
import { blockSize, textsOf } from './blocks.ts';

/** Controls; formats (bidi, zero-width, BOM, tags) save what joins two emoji to one; line and paragraph separators; lone surrogates. */
const hidden =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}](?<!(?:\p{Extended_Pictographic}|\p{Emoji_Modifier})\ufe0f?\u200d(?=\p{Extended_Pictographic}))/gu;

/**
 * The parts of a JSON text that can hold a hidden character. Below, JSON has only visible ASCII and the line breaks of its
 * indentation, and what is hidden never depends on those beside it. The search takes a tenth of the time of the other.
 */
const aboveAscii = /[\u007f-\uffff]+/g;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Whether a terminal would act on a character of the text, or hide it. */
export const hasHidden = (text: string): boolean => text.search(hidden) >= 0;

/** The text with each hidden character written another way. */
export function replaceHidden(text: string, write: (char: string) => string): string {
  if (text.length <= pieceLength) return text.replace(hidden, write);
  let written = '';
  for (const piece of slicesOf(text)) written += piece.replace(hidden, write);
  return written;
}

/** The text with hidden characters as escapes. With `lines`, line breaks and tabs stay. */
export function visible(text: string, { lines = false }: { readonly lines?: boolean } = {}): string {
  if (!lines) return replaceHidden(text, (char) => short[char] ?? unicodeEscape(char));
  return replaceHidden(text.replaceAll('\r\n', '\n'), (char) =>
    char === '\n' || char === '\t' ? char : unicodeEscape(char),
  );
}

/** JSON that parses back equal and holds no hidden character. Integers may be of any length. */
export const jsonText = (value: unknown, indent?: number): string => withoutHidden(exactText(value, indent));

/** The same, a line for each value. */
export const jsonLines = (values: readonly unknown[]): string => withoutHidden(linesOf(values));

const linesOf = (values: readonly unknown[]): string =>
  exact(values, (all) => all.map((one) => `${JSON.stringify(one) ?? 'null'}\n`).join(''));

/** `jsonText` and a line break, in pieces: what is written is not held a second time. */
export async function jsonPieces(
  value: unknown,
  indent?: number,
  signal?: AbortSignal,
): Promise<Iterable<string>> {
  if (!Array.isArray(value) || value.length <= blockSize) {
    const text = exactText(value, indent);
    return slicesWithoutHidden(text.length < pieceLength ? [`${text}\n`] : [text, '\n']);
  }
  const [open, comma, close] = indent === undefined ? ['[', ',', ']'] : ['[\n', ',\n', '\n]'];
  const texts = await textsOf(
    value,
    (block) => exactText(block, indent).slice(open.length, -close.length),
    signal,
  );
  return slicesWithoutHidden([
    open,
    ...texts.map((text, at) => (at === 0 ? text : comma + text)),
    `${close}\n`,
  ]);
}

/** `jsonLines` in pieces. */
export const linePieces = async (
  values: readonly unknown[],
  signal?: AbortSignal,
): Promise<Iterable<string>> =>
  values.length === 1
    ? jsonPieces(values[0], undefined, signal)
    : slicesWithoutHidden(await textsOf(values, linesOf, signal));

const exactText = (value: unknown, indent?: number): string =>
  exact(value, (one) => JSON.stringify(one, undefined, indent) ?? 'null');

function* slicesWithoutHidden(texts: readonly string[]): Generator<string> {
  for (const text of texts) for (const piece of slicesOf(text)) yield withoutHidden(piece);
}

/** Characters in which something is replaced at once: each match is held until the last is found. */
const pieceLength = 128 * 1024;

function* slicesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + pieceLength;
    // Two surrogates are one character.
    const next = end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff ? end + 1 : end;
    yield text.slice(at, next);
    at = next;
  }
}

function withoutHidden(json: string): string {
  // ASCII is one byte each: this is known in a fifth of the time of a search.
  if (Buffer.byteLength(json) === json.length && !json.includes('\u007f')) return json;
  let written = '';
  for (const piece of slicesOf(json))
    written += piece.replace(aboveAscii, (part) => part.replace(hidden, unicodeEscape));
  return written;
}

/** What `write` makes of a value with JSON.stringify, also if the value holds bigints. */
function exact<Value>(value: Value, write: (value: Value) => string): string {
  if (typeof value === 'bigint') return String(value);
  try {
    return write(value);
  } catch (error) {
    // Of what is decoded, JSON.stringify takes all but a bigint.
    if (error instanceof TypeError) return longText(value, write);
    throw error;
  }
}

/**
 * Each bigint is written as a string with a mark, which then loses its quotes. If other strings have the mark, the count
 * says so, and one that none of them has is taken.
 */
function longText<Value>(value: Value, write: (value: Value) => string, number = 0): string {
  const mark = `\ue000${number}\ue001`;
  let count = 0;
  const marked = withoutLong(value, (long) => {
    count++;
    return mark + long;
  });
  const text = write(marked as Value);
  const plain = text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), (_, digits: string) => {
    count--;
    return digits;
  });
  if (count === 0) return plain;
  const used = new Set(Array.from(text.matchAll(/\ue000(\d+)\ue001/g), ([, one]) => one));
  let free = 0;
  while (used.has(String(free))) free++;
  return longText(value, write, free);
}

/** The value with something else for each bigint. Of its lists and records, those without one stay the same objects. */
export function withoutLong(value: unknown, write: (long: bigint) => unknown): unknown {
  if (typeof value === 'bigint') return write(value);
  if (Array.isArray(value)) return listWithoutLong(value, write);
  return isRecord(value) ? recordWithoutLong(value, write) : value;
}

function listWithoutLong(list: readonly unknown[], write: (long: bigint) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const other = withoutLong(list[at], write);
    if (other === list[at]) continue;
    copy ??= [...list];
    copy[at] = other;
  }
  return copy ?? list;
}

function recordWithoutLong(record: JsonObject, write: (long: bigint) => unknown): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(record)) {
    const other = withoutLong(record[name], write);
    if (other === record[name]) continue;
    copy ??= { ...record };
    copy[name] = other;
  }
  return copy ?? record;
}

/** `\u001b`; two of them above U+FFFF, as JSON has it. */
const unicodeEscape = (char: string) =>
  char
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
