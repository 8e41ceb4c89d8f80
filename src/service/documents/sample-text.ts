/** Writes the strings and values of code samples. Inserts environment variables and escapes invisible characters. */
import { unicodeEscape } from '../../json-object.ts';

/** The pieces of a string: fixed strings, and environment variables whose values are inserted unchanged. */
export type Text = readonly (string | { readonly variable: string })[];

/** Joins adjacent strings into one piece. */
export function joinStrings<Other>(all: readonly (string | Other)[]): readonly (string | Other)[] {
  const pieces: (string | Other)[] = [];
  for (const piece of all) {
    const last = pieces.at(-1);
    if (typeof last === 'string' && typeof piece === 'string') pieces[pieces.length - 1] = last + piece;
    else pieces.push(piece);
  }
  return pieces;
}

/** Invisible characters: control, format and unassigned characters, and all spaces except the ordinary one. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0');

/** How a language writes a code point in a string. */
type Escape = (code: number) => string;

/** Writes `\u00e9`, or two escapes for a code point that takes two units of UTF-16, as in JSON and Java. */
export const escapeUnits: Escape = (code) => unicodeEscape(String.fromCodePoint(code));

/** Writes `\u00e9` or `\U0001f600`, as in Python, Go and C#. */
export const escapeLong: Escape = (code) => (code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`);

/** Writes `\u{e9}`, as in Ruby and Swift. */
export const escapeBraces: Escape = (code) => `\\u{${hex(code, 1)}}`;

const escapeUnseen = (text: string, how: Escape): string =>
  text.replace(UNSEEN, (found) => how(found.codePointAt(0) ?? 0));

export const escapeQuoted = (text: string, how: Escape): string =>
  escapeUnseen(
    text.replace(/["\\\n\r\t]/g, (found) => NAMED[found] ?? `\\${found}`),
    how,
  );

/** Returns a function that writes a string in double quotes, with the escapes of a language. */
export const quoteWith =
  (how: Escape) =>
  (text: string): string =>
    `"${escapeQuoted(text, how)}"`;

export const isSeen = (text: string): boolean => text.search(UNSEEN) === -1;

/** Replaces each half of a surrogate pair without its other half, because it cannot be sent. */
export const wellFormed = (text: string): string => Buffer.from(text).toString();

/** Converts a value to JSON data. Infinity becomes null, because YAML supports it and JSON does not. */
export const plainValue = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');

const LINE = 60;

/** Writes JSON, on one line if it is short. Escapes invisible characters. */
export function sampleJson(value: unknown): string {
  const short = JSON.stringify(value) ?? 'null';
  const text = short.length <= LINE ? short : JSON.stringify(value, null, 2);
  return text
    .split('\n')
    .map((line) => escapeUnseen(line, escapeUnits))
    .join('\n');
}

/** How a language writes values. */
export interface Values {
  readonly scalar: (value: unknown) => string;
  readonly key: (key: string) => string;
  readonly step: string;
  /** The space inside the braces of a short object. */
  readonly pad: string;
}

/** Writes a value in the syntax of a language. A short list or object takes one line. */
export function writeValue(value: unknown, how: Values, indent = ''): string {
  if (typeof value !== 'object' || value === null) return how.scalar(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const inner = indent + how.step;
  const items = Array.isArray(value)
    ? value.map((item) => writeValue(item, how, inner))
    : Object.entries(value).map(([key, item]) => `${how.key(key)}: ${writeValue(item, how, inner)}`);
  const pad = Array.isArray(value) || items.length === 0 ? '' : how.pad;
  const line = `${open}${pad}${items.join(', ')}${pad}${close}`;
  if (line.length <= LINE && !line.includes('\n')) return line;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}
