/** Bytes → the JSON texts of events: NDJSON, a JSON array or one document, compressed or not. */
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { DtpError } from '../../errors.ts';

/** One event as it stands in the input. */
export interface Piece {
  readonly text: string;
  /** Where it begins, from 1. */
  readonly line: number;
  /** Its number in an array or a document, from 1. */
  readonly element?: number;
}

/** `line 3`, or `element 7 (line 9)`. */
export const placeOf = ({ line, element }: Piece): string =>
  element === undefined ? `line ${line}` : `element ${element} (line ${line})`;

/** The longest text that is held: of one event, or of a document that is neither NDJSON nor an array. */
const LIMIT = 64 * 1024 * 1024;

/**
 * The events of a stream, some at a time. `parse` reads a document that is neither: one object over several lines, or
 * YAML. Throws `usage` for what is no UTF-8, no gzip that ends, or an array that does not.
 */
export async function* piecesOf(
  bytes: AsyncIterable<Uint8Array>,
  label: string,
  parse: (text: string) => unknown,
): AsyncGenerator<readonly Piece[]> {
  const texts = decode(unzipped(bytes, label), label)[Symbol.asyncIterator]();
  // As much as tells which of the three it is.
  let head = '';
  let kind: Kind | undefined;
  while (kind === undefined) {
    const next = await texts.next();
    const text = next.done ? '' : next.value;
    head += text;
    tooLong(head.length, label);
    // A line that goes on says nothing new.
    if (next.done || head.length === text.length || text.includes('\n'))
      kind = kindOf(head, next.done === true);
  }
  const all = (async function* () {
    yield head;
    for (let next = await texts.next(); !next.done; next = await texts.next()) yield next.value;
  })();
  if (kind === 'array') yield* elements(all, label);
  else if (kind === 'lines') yield* lines(all, label);
  else if (kind === 'document') yield await document(all, label, parse);
}

type Kind = 'empty' | 'array' | 'lines' | 'document';

/** Undefined where more must be read. A first line that is bad is no document where the second is an object. */
function kindOf(head: string, isWhole: boolean): Kind | undefined {
  const first = /\S/.exec(head)?.[0];
  if (first === undefined) return isWhole ? 'empty' : undefined;
  if (first === '[') return 'array';
  const full = head.split('\n').slice(0, isWhole ? undefined : -1);
  const [one, two] = full.filter((line) => line.trim() !== '');
  if (one !== undefined && isObject(one)) return 'lines';
  if (two !== undefined) return isObject(two) ? 'lines' : 'document';
  return isWhole ? 'document' : undefined;
}

function isObject(line: string): boolean {
  if (!/^\s*\{/.test(line)) return false;
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}

/** RFC 1952: it begins with two bytes that no text does. */
async function* unzipped(bytes: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  const first = await source.next();
  if (first.done) return;
  const all = (async function* () {
    yield first.value;
    for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
  })();
  if (first.value[0] !== 0x1f || first.value[1] !== 0x8b) return yield* all;
  const input = Readable.from(all, { objectMode: false });
  const unzip = createGunzip();
  input.on('error', (error) => unzip.destroy(error));
  try {
    yield* input.pipe(unzip) as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (!String((error as { code?: string }).code).startsWith('Z_')) throw error;
    throw new DtpError('usage', `${label}: its gzip is damaged or cut off`, { cause: error });
  } finally {
    input.destroy();
  }
}

async function* decode(bytes: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<string> {
  // Takes a byte order mark away.
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new DtpError('usage', `${label}: it is not UTF-8 text`);
  }
}

async function* lines(texts: AsyncIterable<string>, label: string): AsyncGenerator<readonly Piece[]> {
  let number = 0;
  let rest = '';
  const piece = (text: string): readonly Piece[] => {
    number++;
    const trimmed = text.trim();
    return trimmed === '' ? [] : [{ text: trimmed, line: number }];
  };
  for await (const text of texts) {
    const found = (rest + text).split('\n');
    rest = found.pop() ?? '';
    tooLong(rest.length, `${label}: line ${number + found.length + 1}`);
    if (found.length > 0) yield found.flatMap(piece);
  }
  yield piece(rest);
}

async function document(
  texts: AsyncIterable<string>,
  label: string,
  parse: (text: string) => unknown,
): Promise<readonly Piece[]> {
  let all = '';
  for await (const text of texts) {
    all += text;
    tooLong(all.length, label);
  }
  const value = parse(all);
  const events = Array.isArray(value) ? value : [await value];
  return events.map((event, at) => ({ text: JSON.stringify(event), line: 1, element: at + 1 }));
}

function tooLong(length: number, what: string): void {
  if (length > LIMIT) throw new DtpError('usage', `${what} is longer than 64 MiB`);
}

const QUOTE = 34;
const COMMA = 44;
const OPEN = new Set([91, 123]);
const CLOSE = new Set([93, 125]);
const BACKSLASH = 92;
const NEWLINE = 10;

/** The elements of an array, each cut out where it ends; whether one is JSON is for its reader to see. */
async function* elements(texts: AsyncIterable<string>, label: string): AsyncGenerator<readonly Piece[]> {
  let depth = 0;
  let isString = false;
  let isEscaped = false;
  let isOver = false;
  let line = 1;
  let number = 0;
  let held = '';
  let start = 1;
  const cut = (text: string): readonly Piece[] => {
    number++;
    return [{ text: text.trim(), line: start, element: number }];
  };
  for await (const text of texts) {
    const found: Piece[] = [];
    // What is held was looked at before.
    let from = 0;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === NEWLINE) line++;
      if (isString) {
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) isString = false;
        continue;
      }
      if (isOver) {
        if (text[at]?.trim() !== '')
          throw new DtpError('usage', `${label}: line ${line}: there is more behind the array`);
      } else if (code === QUOTE) isString = true;
      else if (OPEN.has(code)) {
        depth++;
        if (depth === 1) [from, start] = [at + 1, line];
        else if (depth === 2) start = line;
      } else if (CLOSE.has(code)) {
        depth--;
        isOver = depth === 0;
      }
      if ((code === COMMA && depth === 1) || (isOver && depth === 0 && CLOSE.has(code))) {
        const element = held + text.slice(from, at);
        // `[]` has none.
        if (!isOver || number > 0 || element.trim() !== '') found.push(...cut(element));
        held = '';
        from = at + 1;
        start = line;
      }
    }
    held = isOver ? '' : depth === 0 ? '' : held + text.slice(from);
    tooLong(held.length, `${label}: element ${number + 1}`);
    if (found.length > 0) yield found;
  }
  if (!isOver) throw new DtpError('usage', `${label}: the array is cut off in element ${number + 1}`);
}
