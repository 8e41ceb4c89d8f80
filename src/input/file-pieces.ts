/** Reads a file in pieces into reused buffers. New ones would pile up faster than the garbage collector works. */
import { close, read } from 'node:fs';
import { promisify } from 'node:util';
import { orAborted } from '../caught.ts';

/** The smallest and largest piece, in bytes: smaller ones are slower, larger ones no faster (bench/upload.mjs). */
const [least, most] = [256 * 1024, 4 * 1024 * 1024];

/** The smallest buffer, in bytes. The reported size of a file can be too small, and is 0 in /proc. */
const smallest = 16 * 1024;

/** One piece is in the socket, one is waiting, and one is being read. */
const bufferCount = 3;

/** Yields all bytes of an open file, even beyond `size`. The fourth piece overwrites the first, and so on. */
export async function* piecesOf(fd: number, size: number): AsyncGenerator<Uint8Array> {
  // A piece is about 1/256 of the file, so that the progress display advances.
  const full = Math.min(Math.max(Math.ceil(size / 256), least), most);
  const room = Math.min(full, size + 1);
  const pieces: Buffer[] = [];
  for (let turn = 0; ; turn = (turn + 1) % bufferCount) {
    const piece = pieces[turn] ?? Buffer.allocUnsafeSlow(room);
    pieces[turn] = piece;
    const { bytesRead } = await readInto(fd, piece, 0, room, null);
    if (bytesRead === 0) return;
    // A socket may buffer more short pieces than there are buffers, so each short piece is copied.
    yield bytesRead === full ? piece : Buffer.from(piece.subarray(0, bytesRead));
  }
}

const readInto = promisify(read);

/** Yields the bytes and closes the file. Reads one piece ahead. A piece is valid until the next one is requested. */
export async function* passingPieces(fd: number, size: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const buffers = [0, 1].map(() => Buffer.allocUnsafeSlow(Math.min(least, Math.max(smallest, size + 1))));
  let turn = 0;
  const readNext = () => {
    const buffer = buffers[turn] as Buffer;
    turn = 1 - turn;
    const piece = readInto(fd, buffer, 0, buffer.length, null).then(({ bytesRead }) => buffer.subarray(0, bytesRead));
    // This prevents an unhandled rejection. The error is thrown when the piece is awaited.
    piece.catch(() => undefined);
    return piece;
  };
  let coming = readNext();
  try {
    for (;;) {
      const piece = await orAborted(coming, signal);
      if (piece.length === 0) return;
      coming = readNext();
      yield piece;
    }
  } finally {
    // A read from a network drive may never end, so the command does not wait for it.
    void coming.catch(() => undefined).then(() => close(fd, () => undefined));
  }
}
