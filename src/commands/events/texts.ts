/** Splits the input into events without decoding them: NDJSON, a JSON array or one document, compressed or not. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { attempt, systemCode } from '../../caught.ts';
import { isUtf16 } from '../../documents/fault.ts';
import { DtpError } from '../../errors.ts';
import { decodedText } from '../../input/faults.ts';
import { exactJson, isRecord } from '../../json-object.ts';
import { inputLimit } from '../../limits.ts';
import { partsOf } from '../../request/elements.ts';
import { readAll } from '../../request/http.ts';

/** The bytes of one event, unchanged. */
export interface Piece {
  readonly bytes: Buffer;
  /** The line where it begins, counted from 1, or 0 in a document, whose lines are not known. */
  readonly line: number;
  /** Its number in an array or a document, from 1. */
  readonly element?: number;
}

/** Whole lines of NDJSON that are not cut into events yet. The bytes are valid until the next group is requested. */
export interface Lines {
  readonly bytes: Buffer;
  /** The number of the first line, from 1. */
  readonly first: number;
  /** Where each line ends: the indexes of the line breaks. */
  readonly ends: readonly number[];
}

/** `line 3`, `element 7 (line 9)`, or `event 2` in a document. */
export const eventPositionOf = ({ line, element }: Pick<Piece, 'line' | 'element'>): string => {
  if (element === undefined) return `line ${line}`;
  return line === 0 ? `event ${element}` : `element ${element} (line ${line})`;
};

const [NEWLINE, BRACE_END] = [0x0a, 0x7d];

/**
 * Yields groups of events, or of lines that are not cut into events yet. `parse` reads any other document: one object
 * over several lines, or YAML. Throws `usage` if a gzip stream or an array is cut off.
 */
export async function* groupsOf(bytes: AsyncIterable<Uint8Array>, label: string, parse: (text: string) => unknown) {
  const chunks = unzipped(bytes, label);
  // The bytes needed to detect the format.
  const first: Buffer[] = [];
  let length = 0;
  let format: InputFormat | undefined;
  for (const find = formatFinder(); format === undefined; ) {
    const next = await chunks.next();
    const chunk = next.done ? Buffer.alloc(0) : Buffer.from(next.value);
    first.push(chunk);
    length += chunk.byteLength;
    checkLength(length, label);
    format = find(chunk, next.done === true);
  }
  const head = withoutMark(Buffer.concat(first));
  if (isUtf16(head)) decodedText(head, label);
  const all = (async function* () {
    yield head;
    // Only lines are used before the next chunk is requested, which may overwrite this one.
    for await (const chunk of chunks) yield format === 'lines' ? bufferOf(chunk) : Buffer.from(chunk);
  })();
  try {
    if (format === 'array') yield* elements(all, label);
    else if (format === 'lines') yield* lines(all, label);
    else if (format === 'document') yield await document(all, label, parse);
  } finally {
    // The caller may stop before the end, which must close the file.
    await chunks.return(undefined);
  }
}

const bufferOf = (chunk: Uint8Array): Buffer => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);

/** Removes a byte order mark. */
const withoutMark = (chunk: Buffer): Buffer =>
  chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;

/** Gzip (RFC 1952) begins with two bytes that never begin JSON. */
async function* unzipped(bytes: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  try {
    yield* unzippedFrom(source, label);
  } finally {
    // This does not wait, because a pending read may never finish.
    void source.return?.().catch(() => undefined);
  }
}

async function* unzippedFrom(source: AsyncIterator<Uint8Array>, label: string): AsyncGenerator<Uint8Array> {
  let head: Uint8Array = new Uint8Array();
  for (let next = await source.next(); !next.done; next = await source.next()) {
    head = Buffer.concat([head, next.value]);
    if (head.byteLength > 1) break;
  }
  const all = (async function* () {
    yield head;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  })();
  if (head[0] !== 0x1f || head[1] !== 0x8b) return yield* all;
  const copies = (async function* () {
    for await (const chunk of all) yield Buffer.from(chunk);
  })();
  const input = Readable.from(copies, { objectMode: false });
  const unzip = createGunzip();
  input.on('error', (error) => unzip.destroy(error));
  try {
    const pieces: AsyncIterable<Uint8Array> = input.pipe(unzip);
    yield* pieces;
  } catch (error) {
    if (!String(systemCode(error)).startsWith('Z_')) throw error;
    throw new DtpError('usage', `${label}: the gzip data is damaged or incomplete`, { cause: error });
  } finally {
    input.destroy();
  }
}

const tooLong = (what: string) => new DtpError('usage', `${what} is longer than ${inputLimit.text}`);

function checkLength(length: number, what: string): void {
  if (length > inputLimit.bytes) throw tooLong(what);
}

const isSpace = (byte: number | undefined): boolean => byte === 0x20 || (byte !== undefined && byte >= 9 && byte <= 13);

function trimmed(bytes: Buffer, from: number, to: number): Buffer {
  let [start, end] = [from, to];
  while (start < end && isSpace(bytes[start])) start++;
  while (start < end && isSpace(bytes[end - 1])) end--;
  return bytes.subarray(start, end);
}

/** The event in a line. Undefined if the line is blank. */
export function eventInLine({ bytes, first, ends }: Lines, at: number): Piece | undefined {
  const text = trimmed(bytes, lineStart(ends, at), ends[at] as number);
  return text.length > 0 ? { bytes: text, line: first + at } : undefined;
}

export const lineStart = (ends: readonly number[], at: number): number => (at === 0 ? 0 : (ends[at - 1] as number) + 1);

async function* lines(chunks: AsyncIterable<Buffer>, label: string): AsyncGenerator<Lines> {
  let number = 0;
  let held: Buffer[] = [];
  let heldLength = 0;
  const cut = (bytes: Buffer): Lines => {
    const ends: number[] = [];
    for (let from = 0; from < bytes.length; ) {
      const at = bytes.indexOf(NEWLINE, from);
      const end = at < 0 ? bytes.length : at;
      ends.push(end);
      from = end + 1;
    }
    const first = number + 1;
    number += ends.length;
    return { bytes, first, ends };
  };
  for await (const chunk of chunks) {
    const [begin, last] = [chunk.indexOf(NEWLINE) + 1, chunk.lastIndexOf(NEWLINE) + 1];
    // A line that several chunks share is copied.
    held.push(Buffer.from(chunk.subarray(0, begin === 0 ? chunk.length : begin)));
    if (begin === 0) {
      heldLength += chunk.length;
      checkLength(heldLength, `${label}: line ${number + 1}`);
      continue;
    }
    yield cut(Buffer.concat(held));
    if (last > begin) yield cut(chunk.subarray(begin, last));
    held = [Buffer.from(chunk.subarray(last))];
    heldLength = chunk.length - last;
  }
  yield cut(Buffer.concat(held));
}

async function document(chunks: AsyncIterable<Buffer>, label: string, parse: (text: string) => unknown) {
  const bytes = await readAll(chunks, inputLimit.bytes);
  if (!bytes) throw tooLong(label);
  const whole = bufferOf(bytes);
  const text = decodedText(whole, label);
  // The bytes are not changed, so that numbers keep their digits.
  if (isObject(text)) return [{ bytes: trimmed(whole, 0, whole.byteLength), line: 0, element: 1 }];
  const value = await parse(text);
  const events = Array.isArray(value) ? value : [value];
  return events.map((event, at) => ({ bytes: Buffer.from(exactJson(event)), line: 0, element: at + 1 }));
}

/** Counts the line breaks before `end`. */
function breaksIn(bytes: Buffer, end = bytes.byteLength): number {
  let breaks = 0;
  for (let at = 0; at < end; at++) if (bytes[at] === NEWLINE) breaks++;
  return breaks;
}

/** The index of the first byte at or after `from` that is not white space. */
function textStart(bytes: Buffer, from = 0): number {
  let at = from;
  while (isSpace(bytes[at])) at++;
  return at;
}

/** Yields the elements of an array. The caller checks that each one is JSON. */
async function* elements(chunks: AsyncIterable<Buffer>, label: string): AsyncGenerator<readonly Piece[]> {
  let line = 1;
  let number = 0;
  let isOver = false;
  const wrong = (at: number, what: string) => new DtpError('usage', `${label}: line ${at}: ${what}`);
  const options = { limit: inputLimit.bytes, tooLong: () => tooLong(`${label}: element ${number + 1}`) };
  for await (const part of partsOf(chunks, options)) {
    const { bytes } = part;
    if (part.at === 'inside') {
      const found: Piece[] = [];
      let from = 0;
      for (const end of part.ends ?? []) {
        const all = bytes.subarray(from, end);
        const start = line + breaksIn(all, textStart(all));
        found.push({ bytes: trimmed(all, 0, all.byteLength), line: start, element: ++number });
        line += breaksIn(all);
        from = end + 1;
      }
      yield found;
      continue;
    }
    if (part.at === 'after') {
      if (!isOver && bytes[0] === BRACE_END) throw wrong(line, 'the array does not end with a ]');
      const more = textStart(bytes, isOver ? 0 : 1);
      if (more < bytes.byteLength) throw wrong(line + breaksIn(bytes, more), 'unexpected data after the array');
      isOver = true;
    }
    line += breaksIn(bytes);
  }
  if (!isOver) throw new DtpError('usage', `${label}: the array ends inside element ${number + 1}`);
}

type InputFormat = 'empty' | 'array' | 'lines' | 'document';

/** How many lines after the first are searched for a valid event. */
const LINES_SEARCHED = 64;

/**
 * Returns a function that receives the chunks in order and returns the format, or undefined if more must be read. A
 * line with a complete object means NDJSON, even if other lines are invalid. In a document, such a line would be
 * indented. Each chunk is read once, so that blank input of any length is detected in linear time.
 */
function formatFinder(): (chunk: Uint8Array, isLast: boolean) => InputFormat | undefined {
  // The decoder removes a byte order mark, and completes characters that two chunks share.
  const decoder = new TextDecoder();
  let isBlank = true;
  /** The parts of the last line, which is not complete yet. */
  let held: string[] = [];
  let isHeldBlank = true;
  /** The number of complete lines that are not blank. */
  let lines = 0;

  const formatOf = (line: string): InputFormat | undefined => {
    if (line.trim() === '') return undefined;
    if ((lines === 0 || line.startsWith('{')) && isObject(line)) return 'lines';
    return lines++ < LINES_SEARCHED ? undefined : 'document';
  };

  return (chunk, isLast) => {
    const text = decoder.decode(chunk, { stream: !isLast });
    const first = /\S/.exec(text)?.[0];
    if (isBlank && first === '[') return 'array';
    isBlank &&= first === undefined;
    // Skip the lines of a blank chunk at once, because there may be thousands.
    let from = first === undefined && isHeldBlank ? text.lastIndexOf('\n') + 1 : 0;
    if (from > 0) held = [];
    for (let end = text.indexOf('\n', from); end >= 0; end = text.indexOf('\n', from)) {
      const format = formatOf([...held.splice(0), text.slice(from, end)].join(''));
      if (format) return format;
      from = end + 1;
    }
    const rest = text.slice(from);
    isHeldBlank = (isHeldBlank || held.length === 0) && rest.trim() === '';
    held.push(rest);
    if (!isLast) return undefined;
    return formatOf(held.join('')) ?? (isBlank ? 'empty' : 'document');
  };
}

const isObject = (line: string): boolean => /^\s*\{/.test(line) && attempt(() => isRecord(JSON.parse(line)), false);
