/** Splits a JSON array into its elements while the document arrives in chunks. */
import { attempt } from '../caught.ts';

/**
 * A part of the document. `before` and `after` include the brackets of the array. `inside` contains whole elements and
 * the commas between them. `ends` has the offset in `bytes` at which each element ends; undefined if `isWhole` said so.
 */
export type ArrayPart =
  | { readonly at: 'before' | 'after'; readonly bytes: Buffer }
  | { readonly at: 'inside'; readonly bytes: Buffer; readonly ends: readonly number[] | undefined };

export interface ArrayOptions {
  /** The name of the field of the root object that has the array. Not used if the root is an array. */
  readonly field?: string | undefined;
  /** The maximum size of one element in bytes. */
  readonly limit: number;
  readonly tooLong: () => Error;
  /** Whether bytes are whole elements. A caller who parses them anyway saves the search for their ends. */
  readonly isWhole?: (bytes: Buffer) => boolean;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [BRACKET, BRACKET_END, BRACE, BRACE_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Yields the parts of a document in order. Buffers at most one incomplete element. Does not validate the parts, because
 * the caller parses them. If the document has no such array, all parts are `before` parts. Throws `tooLong` for an
 * element over the limit.
 */
export async function* partsOf(
  chunks: AsyncIterable<Uint8Array>,
  { field, limit, tooLong, isWhole }: ArrayOptions,
): AsyncGenerator<ArrayPart> {
  const [findStart, findEnds] = [startFinder(field), endFinder()];
  let at: ArrayPart['at'] = 'before';
  let isFirst = true;
  let held: Buffer[] = [];
  let heldLength = 0;
  let isTried = isWhole !== undefined;
  for await (const piece of endedByNothing(chunks)) {
    let chunk = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    let from = 0;
    if (at === 'before') {
      const start = findStart(chunk);
      from = start ?? chunk.byteLength;
      yield { at, bytes: chunk.subarray(0, from) };
      if (start === undefined) continue;
      at = 'inside';
    }
    if (at === 'inside' && isTried) {
      chunk = Buffer.concat([...held, chunk.subarray(from)]);
      // Most elements are objects without lists of objects, and most chunks have the end of one.
      const end = piece.byteLength > 0 ? chunk.lastIndexOf('},') + 1 : 0;
      const bytes = chunk.subarray(0, end);
      isTried = end > 0 && isWhole?.(bytes) === true;
      [held, heldLength, from] = [[], 0, 0];
      if (isTried) {
        [isFirst, held] = [false, [chunk.subarray(end + 1)]];
        yield { at, bytes, ends: undefined };
        continue;
      }
    }
    if (at === 'inside') {
      const { ends, close } = findEnds(chunk, from);
      const end = ends.at(-1);
      if (longestOf(ends, from - heldLength, chunk.byteLength) > limit) throw tooLong();
      if (end !== undefined) {
        const rest = chunk.subarray(from, end);
        const bytes = heldLength === 0 ? rest : Buffer.concat([...held, rest]);
        const start = from - heldLength;
        const isEmpty = isFirst && close !== undefined && ends.length === 1 && isBlank(bytes);
        if (!isEmpty) yield { at, bytes, ends: ends.map((one) => one - start) };
        [isFirst, held, heldLength, from] = [false, [], 0, close ?? end + 1];
      }
      if (close === undefined) {
        held.push(chunk.subarray(from));
        heldLength += chunk.byteLength - from;
        continue;
      }
      at = 'after';
    }
    yield { at: 'after', bytes: chunk.subarray(from) };
  }
}

/** After the last chunk, what is held must be searched: an empty chunk says so. */
async function* endedByNothing(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* chunks;
  yield new Uint8Array();
}

/** Returns the raw elements of a JSON array that starts at the first byte. */
export function elementsIn(text: Uint8Array): Uint8Array[] {
  let from = 1;
  return endFinder()(Buffer.from(text.buffer, text.byteOffset, text.byteLength), from).ends.map((end) => {
    const element = text.subarray(from, end);
    from = end + 1;
    return element;
  });
}

/** Returns the size of the longest element so far. The first begins at `start`, and the last may be incomplete. */
function longestOf(ends: readonly number[], start: number, length: number): number {
  let [longest, from] = [0, start];
  for (const end of ends) {
    longest = Math.max(longest, end - from);
    from = end + 1;
  }
  return Math.max(longest, length - from);
}

const isBlank = (bytes: Buffer): boolean =>
  bytes.every((byte) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09);

/** Creates the state of a scan. Loops copy it to local variables, which makes them five times as fast. */
const openScan = () => ({ depth: 0, isString: false, isEscaped: false });

/** Returns a function that scans chunks in order, and returns the offset of the first element if it is in the chunk. */
function startFinder(field: string | undefined): (chunk: Buffer) => number | undefined {
  // In JSON, each character of a name may be written as a six-character escape.
  const longest = 6 * (field?.length ?? 0);
  const isField = (bytes: readonly number[]) => field !== undefined && textOf(bytes) === field;
  const scan = openScan();
  let name: number[] = [];
  let isOver = false;
  return (chunk) => {
    if (isOver) return undefined;
    let { depth, isString, isEscaped } = scan;
    const { byteLength } = chunk;
    for (let at = 0; at < byteLength; at++) {
      const byte = chunk[at] as number;
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isString = false;
        if (isString && depth === 1 && name.length <= longest) name.push(byte);
      } else if (byte === QUOTE) {
        isString = true;
        name = [];
      } else if (byte === BRACKET && (depth === 0 || (depth === 1 && isField(name)))) return at + 1;
      else if (byte === BRACKET || byte === BRACE) depth++;
      else if ((byte === BRACKET_END || byte === BRACE_END) && --depth <= 0) {
        isOver = true;
        return undefined;
      }
    }
    Object.assign(scan, { depth, isString, isEscaped });
    return undefined;
  };
}

/** Decodes the content of a JSON string. Returns undefined if it is not valid. */
const textOf = (bytes: readonly number[]): string | undefined =>
  attempt(() => JSON.parse(`"${Buffer.from(bytes)}"`), undefined);

/** Returns a function that finds the ends of elements in a chunk, and the end of the array if it is in the chunk. */
function endFinder(): (chunk: Buffer, from: number) => { readonly ends: number[]; readonly close?: number } {
  const scan = openScan();
  return (chunk, from) => {
    const ends: number[] = [];
    let { depth, isString, isEscaped } = scan;
    const { byteLength } = chunk;
    for (let at = from; at < byteLength; at++) {
      const byte = chunk[at] as number;
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isString = false;
      } else if (byte === QUOTE) isString = true;
      else if (byte === COMMA) {
        if (depth === 0) ends.push(at);
      } else if (byte === BRACKET || byte === BRACE) depth++;
      else if (byte === BRACKET_END || byte === BRACE_END) {
        if (depth-- > 0) continue;
        ends.push(at);
        return { ends, close: at };
      }
    }
    Object.assign(scan, { depth, isString, isEscaped });
    return { ends };
  };
}
