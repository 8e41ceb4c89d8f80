/**
 * Reads a file in pieces into reused buffers. New buffers would pile up faster than the garbage collector frees them.
 */
import { open } from 'node:fs/promises';

/**
 * The smallest and the largest piece, in bytes. Smaller pieces slow an upload down, and larger ones do not speed it
 * up (bench/upload.mjs).
 */
const [least, most] = [256 * 1024, 4 * 1024 * 1024];

/** One piece is in the socket, one waits, and one is being read. */
const bufferCount = 3;

/**
 * Yields the bytes of a file, even those after the expected `size`. The fourth piece overwrites the first, and so on.
 */
export async function* piecesOf(path: string, size: number): AsyncGenerator<Uint8Array> {
  // About 1/256 of the file, so that the progress display moves.
  const full = Math.min(Math.max(Math.ceil(size / 256), least), most);
  const room = Math.min(full, size + 1);
  const pieces: Buffer[] = [];
  const file = await open(path);
  try {
    for (let turn = 0; ; turn = (turn + 1) % bufferCount) {
      const piece = pieces[turn] ?? Buffer.allocUnsafeSlow(room);
      pieces[turn] = piece;
      const { bytesRead } = await file.read(piece, 0, room);
      if (bytesRead === 0) return;
      // A socket may buffer more short pieces than there are buffers here, so each short piece is a copy.
      yield bytesRead === full ? piece : Buffer.from(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
