/** A file in pieces, in memory that is used again: of a large one, fresh pieces would pile up faster than they are freed. */
import { open } from 'node:fs/promises';

/** Fewer bytes would keep the network waiting; more make it no quicker (bench/upload.mjs). */
const pieceSize = 1024 * 1024;

/** One piece is in the socket, one waits, one is being read. */
const turns = 3;

/** The bytes of a file. `size` is what it is said to have; more is read all the same. A piece is good until the next but one. */
export async function* piecesOf(path: string, size: number): AsyncGenerator<Uint8Array> {
  const room = Math.min(pieceSize, size + 1);
  const pieces: Buffer[] = [];
  const file = await open(path);
  try {
    for (let turn = 0; ; turn = (turn + 1) % turns) {
      const piece = pieces[turn] ?? Buffer.allocUnsafeSlow(room);
      pieces[turn] = piece;
      const { bytesRead } = await file.read(piece, 0, room);
      if (bytesRead === 0) return;
      // Short ones may wait in a socket in any number, so each is a copy.
      yield bytesRead === pieceSize ? piece : Buffer.from(piece.subarray(0, bytesRead));
    }
  } finally {
    await file.close();
  }
}
