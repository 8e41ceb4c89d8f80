/** JSON that came in: weighed as bytes before it is parsed, for while the parser works everyone waits. */
import { messageOf } from '../../caught.ts';
import { Refusal } from '../refusal.ts';

/** The most that is read of a JSON body, in bytes. */
export const JSON_LIMIT = 16 * 1024 * 1024;

/** SQLite reads JSON of a depth of 1,000. */
const DEPTH_LIMIT = 500;

/** Half a second of the parser's time. Records of some length reach the limit of bytes before. */
const VALUES_LIMIT = 1_000_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const BRACKET_END = 0x5d;
const BRACE = 0x7b;
const BRACE_END = 0x7d;

/** Where the text that begins at a quote ends. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at;
}

/** Whether it is JSON at all is the parser's to say. What is empty counts as if it held a value. */
function weigh(bytes: Uint8Array, name: string): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at);
    else if (byte === COMMA) values++;
    else if (byte === BRACKET_END || byte === BRACE_END) depth--;
    else if (byte === BRACKET || byte === BRACE) {
      values++;
      if (++depth > DEPTH_LIMIT) throw new Refusal(400, `${name} is nested deeper than ${DEPTH_LIMIT}`);
    }
  }
  if (values > VALUES_LIMIT) throw new Refusal(413, `${name} holds more than ${VALUES_LIMIT} values`);
}

/** Throws a refusal that begins with `name`. */
export function parseJson(bytes: Uint8Array, name: string): unknown {
  weigh(bytes, name);
  const { text, value } = parsed(bytes, name);
  // Only an escape can be half a character. Two of them would be stored as one and the same.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value))
    throw new Refusal(400, `${name} holds half of a surrogate pair`);
  return value;
}

function parsed(bytes: Uint8Array, name: string): { readonly text: string; readonly value: unknown } {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch (error) {
    throw new Refusal(400, `${name} is no valid JSON: ${messageOf(error)}`);
  }
}

/** With this flag, only one without its other half is such a character. */
const half = /\p{Cs}/u;

/** As deep as `weigh` lets it be. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !half.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, one]) => !half.test(name) && isWellFormed(one));
}
