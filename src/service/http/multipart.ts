/**
 * Parses multipart/form-data (RFC 7578) chunk by chunk, without a whole part in memory. The common library
 * @fastify/busboy is not suitable: it skips a part without a name, reads text after a boundary as a header, and does
 * not limit headers.
 */
import { Refusal } from '../refusal.ts';

const HEAD_LIMIT = 16 * 1024;
const CRLF = '\r\n';

export interface FormPart {
  readonly name: string;
  readonly filename: string | undefined;
  /** Read it before you request the next part. Unread bytes are skipped. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Returns the boundary in a content type. Throws a Refusal: 415 for another type, 400 if the boundary is invalid. */
export function boundaryOf(contentType: string | undefined): string {
  if (!/^\s*multipart\/form-data\s*(;|$)/i.test(contentType ?? ''))
    throw new Refusal(415, 'the body must be multipart/form-data');
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]*)"|([^;\s]*))/i.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain ?? '';
  if (/^[\x20-\x7e]{1,70}$/.test(boundary)) return boundary;
  throw new Refusal(400, 'the content type has no boundary of 1 to 70 characters');
}

export async function* formParts(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<FormPart> {
  const reader = readerOf(body);
  const delimiter = Buffer.from(`${CRLF}--${boundary}`);
  try {
    await drain(reader.until(delimiter));
    while (!(await reader.startsWith(Buffer.from('--')))) {
      const { name, filename } = headOf(await readHead(reader));
      const part = reader.until(delimiter);
      yield { name, filename, body: part };
      await drain(part);
    }
  } finally {
    await reader.close();
  }
}

async function drain(bytes: AsyncGenerator<Uint8Array>): Promise<void> {
  while (!(await bytes.next()).done);
}

/** Reads the rest of the delimiter's line and all lines up to the empty line. Returns the header lines. */
async function readHead(reader: Reader): Promise<readonly string[]> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of reader.until(Buffer.from(CRLF + CRLF))) {
    size += chunk.byteLength;
    if (size > HEAD_LIMIT) throw new Refusal(400, `the headers of a part are longer than ${HEAD_LIMIT} bytes`);
    chunks.push(chunk);
  }
  const [padding = '', ...lines] = Buffer.concat(chunks).toString('utf8').split(CRLF);
  if (padding.trim() !== '') throw new Refusal(400, 'a boundary of the form is followed by other text');
  return lines;
}

function headOf(lines: readonly string[]): { readonly name: string; readonly filename: string | undefined } {
  const disposition = lines.find((line) => /^content-disposition\s*:/i.test(line)) ?? '';
  const name = parameter(disposition, 'name');
  if (name === undefined) throw new Refusal(400, 'a part of the form has no name');
  return { name, filename: parameter(disposition, 'filename') };
}

const PARAMETER = /;\s*([\w*-]+)=(?:"((?:\\.|[^"\\])*)"|([^;\s]*))/g;

function parameter(line: string, name: string): string | undefined {
  // Matches all parameters in order, so that the content of a quoted value is never read as a parameter.
  const found = [...line.matchAll(PARAMETER)].find(([, key]) => key?.toLowerCase() === name);
  return found && (found[2] === undefined ? found[3] : unquoted(found[2]));
}

/** Decodes a quoted value. Clients write a quote in a name as `%22` or as `\"`. */
const unquoted = (text: string): string =>
  text
    .replace(/\\(["\\])/g, '$1')
    .replaceAll('%22', '"')
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n');

type Reader = ReturnType<typeof readerOf>;

function readerOf(body: AsyncIterable<Uint8Array>) {
  const chunks = body[Symbol.asyncIterator]();
  // The first delimiter may be at the very start of the body, so add the line break that belongs in front of it.
  let held: Buffer = Buffer.from(CRLF);
  const more = async () => {
    const next = await chunks.next();
    if (next.done) throw new Refusal(400, 'the form ends before its last boundary');
    held = Buffer.concat([held, next.value]);
  };
  return {
    /** Yields the bytes before the delimiter in chunks, then consumes the delimiter. */
    until: async function* (delimiter: Buffer): AsyncGenerator<Uint8Array> {
      for (;;) {
        const at = held.indexOf(delimiter);
        // If the delimiter is not found, its start may still be at the end of `held`.
        const safe = at === -1 ? held.byteLength - delimiter.byteLength + 1 : at;
        const piece = held.subarray(0, Math.max(safe, 0));
        held = held.subarray(piece.byteLength);
        if (piece.byteLength > 0) yield piece;
        if (at !== -1) {
          held = held.subarray(delimiter.byteLength);
          return;
        }
        await more();
      }
    },
    /** Compares the next bytes without consuming them. */
    startsWith: async (bytes: Buffer) => {
      while (held.byteLength < bytes.byteLength) await more();
      return held.subarray(0, bytes.byteLength).equals(bytes);
    },
    close: () => chunks.return?.(),
  };
}
