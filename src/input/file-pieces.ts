/** A file in pieces, in memory that is used again: of a large one, fresh pieces would pile up faster than they are freed. */
import { open } from 'node:fs/promises';

/** Bytes of a piece: more than a socket takes in beside another one, and no more than makes it quicker (bench/upload.mjs). */
const [least, most] = [256 * 1024, 4 * 1024 * 1024];

/** One piece is in the socket, one waits, one is being read. */
const turns = 3;

/** The bytes of a file. `size` is what it is said to have; more is read all the same. A piece is good until the next but one. */
export async function* piecesOf(path: string, size: number): AsyncGenerator<Uint8Array> {
  // So small a part of the whole that it can be seen to move.
  const full = Math.min(Math.max(Math.ceil(size / 256), least), most);
  const room = Math.min(full, size + 1);
  const pieces: Buffer[] = [];
  const file = await open(path);
  try {
    for (let turn = 0; ; turn = (turn + 1) % turns) {
      const piece = pieces[turn] ?? Buffer.allocUnsafeSlow(room);
      pieces[turn] = piece;
      const { bytesRead } = await file.read(piece, 0, room);
      if (bytesRead === 0) return;
      // Short ones may wait in a socket in any number, so each is a copy.
      yield bytesRead === full ? piece : Buffer.from(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
