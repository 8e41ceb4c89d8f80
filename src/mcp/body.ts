/** Reads the beginning of a body. */
import { DtpError } from '../errors.ts';
import { answerLimit } from '../limits.ts';
import { shownLimit } from '../render/bounds.ts';

/** Reads a body to its end and returns its first bytes and its size. Throws `bad_response` if it is too long. */
export async function readStart(body: AsyncIterable<Uint8Array>) {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    // Copy each piece, because its memory may be reused.
    if (size < shownLimit) pieces.push(Uint8Array.from(piece.subarray(0, shownLimit - size)));
    size += piece.byteLength;
    if (size > answerLimit.bytes) throw new DtpError('bad_response', `the response is larger than ${answerLimit.text}`);
  }
  return { head: Buffer.concat(pieces), size };
}
