/** Parses the JSON of requests. Checks its size first, because the parser blocks all other requests while it runs. */
import { messageOf, orThrow } from '../../caught.ts';
import { parseJson, UnrepresentableNumberError } from '../../request/json.ts';
import { Refusal } from '../refusal.ts';

/** The maximum nesting depth. SQLite reads JSON up to a depth of 1,000. */
const DEPTH_LIMIT = 500;

/** The maximum number of values in a body, and in one element of a long list. They take about 50 ms to process. */
const VALUES_LIMIT = { body: 100_000, element: 10_000 } as const;

/** The most elements and bytes of a list that are processed at once. */
const PART_LIMIT = { elements: 1000, bytes: 1024 * 1024 } as const;

/** The largest element of a long list, in bytes, because each reader of the list holds one element in memory. */
const ELEMENT_LIMIT = 1024 * 1024;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];
const [OPENING, CLOSING] = [Buffer.from('['), Buffer.from(']')];

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** Returns the position of the closing quote of the string that starts at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at;
}

/**
 * Returns the position after a value: that of a comma, a closing bracket, or the end. Checks the depth and the number
 * of values, not the syntax. An empty array or object counts like one with a value.
 */
function endOfValue(bytes: Uint8Array, name: string, most: number): number {
  let depth = 0;
  let values = 1;
  let at = 0;
  for (; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) {
      if (depth === 0) break;
      values++;
    } else if (byte === BRACKET_END || byte === BRACE_END) {
      if (--depth < 0) break;
    } else if (byte === BRACKET || byte === BRACE) {
      values++;
      if (++depth > DEPTH_LIMIT) throw new Refusal(400, `${name} is nested deeper than ${DEPTH_LIMIT}`);
    }
  }
  if (values > most) throw new Refusal(413, `${name} has more than ${most} values`);
  return at;
}

/** A long list, parsed part by part each time that it is called. Long integers are bigints. An empty list has one part. */
export type JsonParts = () => Iterable<readonly unknown[]>;

/** Returns the parts of a body that is a list, or undefined. Reading them throws like `parseBodyJson`. */
export function partsOfBody(bytes: Uint8Array): JsonParts | undefined {
  const start = bytes.findIndex((byte) => !isSpace(byte));
  return bytes[start] === BRACKET ? () => partsFrom(bytes, start + 1) : undefined;
}

function* partsFrom(bytes: Uint8Array, start: number): Generator<readonly unknown[]> {
  for (let [from, index, isOver] = [start, 0, false]; !isOver; ) {
    let next = from;
    for (
      const first = index;
      !isOver && index < first + PART_LIMIT.elements && next < from + PART_LIMIT.bytes;
      index++
    ) {
      const end = endOfValue(bytes.subarray(next), `body[${index}]`, VALUES_LIMIT.element);
      if (end > ELEMENT_LIMIT) throw new Refusal(413, `body[${index}] is larger than ${ELEMENT_LIMIT} bytes`);
      next += end + 1;
      isOver = bytes[next - 1] !== COMMA;
    }
    const part = bytes.subarray(from, next - 1);
    const isEnd = isOver && bytes[next - 1] === BRACKET_END && bytes.subarray(next).every(isSpace);
    const isBlank = from > start && part.every(isSpace);
    if ((isOver && !isEnd) || isBlank) throw new Refusal(400, 'the body is not valid JSON: the list does not end');
    yield parsedJson(Buffer.concat([OPENING, part, CLOSING]), 'the body', parseJson) as readonly unknown[];
    from = next;
  }
}

/** Parses JSON. Throws a Refusal whose message starts with `name` if the JSON is invalid or too large. */
export function parseBodyJson(bytes: Uint8Array, name: string): unknown {
  endOfValue(bytes, name, VALUES_LIMIT.body);
  return parsedJson(bytes, name);
}

function parsedJson(bytes: Uint8Array, name: string, parse: (text: string) => unknown = JSON.parse): unknown {
  const wrong = (error: unknown) =>
    new Refusal(
      400,
      `${name} ${error instanceof UnrepresentableNumberError ? '' : 'is not valid JSON: '}${messageOf(error)}`,
    );
  const text = orThrow(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes), wrong);
  const value: unknown = orThrow(() => parse(text), wrong);
  // Only an escape can be half of a surrogate pair. All such halves would be stored as the same replacement character.
  if (/\\u[dD][89a-fA-F]/.test(text) && !isWellFormed(value))
    throw new Refusal(400, `${name} contains half of a surrogate pair`);
  return value;
}

/** With the flag `u`, this matches only surrogates without their other half. */
const loneSurrogate = /\p{Cs}/u;

/** The recursion is safe, because `endOfValue` has limited the depth. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return !loneSurrogate.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, one]) => !loneSurrogate.test(name) && isWellFormed(one));
}
