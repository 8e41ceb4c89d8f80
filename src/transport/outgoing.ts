/** Prepares request bodies for undici, and keeps track of how much of a body was passed to the connection. */
import { Readable } from 'node:stream';
import type { Body } from '../request/http.ts';

/** The maximum size in bytes of a body that is passed to the connection at once, and of the pieces of a longer one. */
const PIECE = 64 * 1024;

export interface Outgoing {
  readonly body: Uint8Array | Readable | null;
  /**
   * Whether the last piece of the body was passed to the connection. The system buffers what it accepted, so this does
   * not show whether it arrived. A response to a body of a single piece can therefore never be recognized as too early.
   */
  readonly isSent: () => boolean;
}

/** Opens a body for one attempt. undici waits for the connection to accept a piece before it reads many more. */
export function openOutgoing(body: Body | undefined): Outgoing {
  if (body === undefined) return { body: null, isSent: () => true };
  if (!('open' in body) && body.byteLength <= PIECE) return { body, isSent: () => true };
  const [size, pieces] = 'open' in body ? [body.size, body.open()] : [body.byteLength, piecesOf(body)];
  const source = size <= PIECE ? asOne(pieces) : pieces;
  let passed = 0;
  // Count before the piece is passed on, because the response to the last piece may arrive before the next read.
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      passed += piece.byteLength;
      yield piece;
    }
  }
  return { body: Readable.from(counted(), { objectMode: false }), isSent: () => passed >= size };
}

/** Joins the pieces of a small body, such as a form, so that the connection gets it at once like other bytes. */
async function* asOne(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const copies: Uint8Array[] = [];
  // Copy each piece, because its memory may be reused.
  for await (const piece of pieces) copies.push(Uint8Array.from(piece));
  yield Buffer.concat(copies);
}

async function* piecesOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += PIECE) yield bytes.subarray(at, at + PIECE);
}
