/** Parses the JSON of requests. Checks its size first, because the parser blocks all other requests while it runs. */
import { messageOf, orThrow } from '../../caught.ts';
import { Refusal } from '../refusal.ts';

/** The largest JSON body, in bytes. */
export const JSON_LIMIT = 16 * 1024 * 1024;

/** The maximum nesting depth. SQLite reads JSON up to a depth of 1,000. */
const DEPTH_LIMIT = 500;

/** The maximum number of values, which take about half a second to parse. Ordinary records reach JSON_LIMIT first. */
const VALUES_LIMIT = 1_000_000;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Returns the position of the closing quote of the string that starts at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at;
}

/** Checks the depth and the number of values, not the syntax. An empty array or object counts like one with a value. */
function checkSize(bytes: Uint8Array, name: string): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values++;
    else if (byte === BRACKET_END || byte === BRACE_END) depth--;
    else if (byte === BRACKET || byte === BRACE) {
      values++;
      if (++depth > DEPTH_LIMIT) throw new Refusal(400, `${name} is nested deeper than ${DEPTH_LIMIT}`);
    }
  }
  if (values > VALUES_LIMIT) throw new Refusal(413, `${name} has more than ${VALUES_LIMIT} values`);
}

/** Parses JSON. Throws a Refusal whose message starts with `name` if the JSON is invalid or too large. */
export function parseBodyJson(bytes: Uint8Array, name: string): unknown {
  checkSize(bytes, name);
  const { text, value } = parsed(bytes, name);
  // Only an escape can be half of a surrogate pair. All such halves would be stored as the same replacement character.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value))
    throw new Refusal(400, `${name} contains half of a surrogate pair`);
  return value;
}

function parsed(bytes: Uint8Array, name: string): { readonly text: string; readonly value: unknown } {
  const wrong = (error: unknown) => new Refusal(400, `${name} is not valid JSON: ${messageOf(error)}`);
  const text = orThrow(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), wrong);
  return { text, value: orThrow(() => JSON.parse(text), wrong) };
}

/** With the flag `u`, this matches only surrogates without their other half. */
const loneSurrogate = /\p{Cs}/u;

/** The recursion is safe, because `checkSize` has limited the depth. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !loneSurrogate.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, one]) => !loneSurrogate.test(name) && isWellFormed(one));
}
