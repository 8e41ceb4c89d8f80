/** Keeps bytes until they are read again: few of them in memory, and many in a temporary file. */
import { closeSync, openSync, read, unlinkSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { messageOf } from '../caught.ts';
import { DtpError } from '../errors.ts';

/** How many bytes stay in memory. */
const MOST_IN_MEMORY = 2 * 1024 * 1024;

const PIECE = 64 * 1024;

export type KeptBytes = ReturnType<typeof keepBytes>;

/** Nothing may be at the path. A file is only created there if it is needed, and deleted at once. */
export function keepBytes(pathOf: () => string) {
  let held: Uint8Array[] = [];
  let size = 0;
  let file: number | undefined;
  const failed = (error: unknown) =>
    new DtpError('error', `the rows cannot be kept in a temporary file: ${messageOf(error)}`, {
      ...{ hint: 'Free some disk space, or set TMPDIR to another folder.', cause: error },
    });
  const write = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.byteLength; ) at += writeSync(file as number, bytes, at);
  };
  return {
    size: () => size,
    /** Throws `error` if the disk is full. */
    add: (bytes: Uint8Array) => {
      size += bytes.byteLength;
      try {
        if (file === undefined && size <= MOST_IN_MEMORY) {
          held.push(bytes);
          return;
        }
        if (file === undefined) {
          const path = pathOf();
          file = openSync(path, 'wx+', 0o600);
          // The file is unlinked while it is open, so that a killed process does not leave it on the disk.
          unlinkSync(path);
          for (const one of held.splice(0)) write(one);
        }
        write(bytes);
      } catch (error) {
        throw failed(error);
      }
    },
    read: async function* (): AsyncGenerator<Uint8Array> {
      yield* held;
      for (let at = 0; file !== undefined && at < size; ) {
        const piece = Buffer.allocUnsafe(PIECE);
        // Not readSync, so that an interrupt is noticed meanwhile.
        const { bytesRead } = await promisify(read)(file, piece, 0, PIECE, at);
        if (bytesRead === 0) return;
        at += bytesRead;
        yield piece.subarray(0, bytesRead);
      }
    },
    close: () => {
      if (file !== undefined) closeSync(file);
      [held, file, size] = [[], undefined, 0];
    },
  };
}
