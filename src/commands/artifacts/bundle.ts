/** Packs files into a ZIP file that is identical, byte for byte, on every machine. */
import { read } from 'node:fs';
import { type FileHandle, open, stat, unlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { Zip, ZipDeflate } from 'fflate';
import { DtpError } from '../../errors.ts';
import { closeFile, fileStateOf, type OpenFile } from '../../files/open.ts';
import { limits, openDigest } from '../../flows/registry.ts';
import type { BundledFile } from './contents.ts';

/** The modification time of all files: local, as in a ZIP file, so that the bytes are the same in every time zone. */
const time = new Date(1980, 0, 1, 12);

/** The number of bytes that are packed in one step. It must never change, because it affects the packed bytes. */
const pieceSize = 64 * 1024;

/**
 * Writes a bundle to `path`, which must not exist. The file is unlinked as soon as it is open, so that no file remains
 * if the process is killed. A JavaScript library packs the files, because the output of zlib, and therefore the digest,
 * depends on its version. `unpacked` is the total size of the files in bytes; `close` frees the disk space.
 */
export async function writeBundle(files: readonly BundledFile[], path: string, signal: AbortSignal) {
  const target = await open(path, 'wx+', 0o600);
  try {
    await unlink(path);
    return { ...(await pack(files, target, signal)), close: () => target.close() };
  } catch (error) {
    await target.close();
    throw error;
  }
}

async function pack(files: readonly BundledFile[], target: FileHandle, signal: AbortSignal) {
  const digest = openDigest();
  const packed: Uint8Array[] = [];
  let size = 0;
  let unpacked = 0;
  const zip = new Zip((error, piece) => {
    if (error) throw error;
    packed.push(piece);
  });
  const flush = async () => {
    for (const piece of packed.splice(0)) {
      size += piece.byteLength;
      digest.update(piece);
      await target.writeFile(piece);
    }
  };
  const before = new Map<string, string>();
  for (const file of files) {
    const opened = await file.open();
    if (!(opened instanceof Uint8Array)) before.set(file.path, fileStateOf(opened));
    const entry = new ZipDeflate(file.name, { level: 6 });
    entry.mtime = time;
    zip.add(entry);
    for await (const piece of piecesOf(opened)) {
      signal.throwIfAborted();
      unpacked += piece.byteLength;
      if (unpacked > limits.bytes) throw new DtpError('usage', 'the files are larger than 1 GiB in total');
      entry.push(piece);
      await flush();
    }
    entry.push(new Uint8Array(), true);
    await flush();
  }
  zip.end();
  await flush();
  for (const file of files)
    if (before.has(file.path) && (await stateAt(file)) !== before.get(file.path))
      throw new DtpError('error', `${file.name} changed while it was being packed`, { hint: 'Run the command again.' });
  if (unpacked > Math.max(limits.slack, size * limits.ratio))
    throw new DtpError('usage', `the files compress to less than 1/${limits.ratio} of their size`, {
      hint: 'Registries reject such bundles as ZIP bombs. Remove files that are mostly empty.',
    });
  return { digest: digest.end(), size, unpacked, open: (from: number, count: number) => rangeOf(target, from, count) };
}

/** Returns the current state of a path, or undefined if there is no file. */
const stateAt = ({ path }: BundledFile): Promise<string | undefined> =>
  stat(path, { bigint: true }).then(
    (stats) => fileStateOf({ stats }),
    () => undefined,
  );

/** Yields the bytes, and closes a file. */
async function* piecesOf(file: OpenFile | Uint8Array): AsyncGenerator<Uint8Array> {
  if (file instanceof Uint8Array) {
    for (let from = 0; from < file.length; from += pieceSize) yield file.subarray(from, from + pieceSize);
    return;
  }
  try {
    for (let isLast = false; !isLast; ) {
      const piece = new Uint8Array(pieceSize);
      let filled = 0;
      while (filled < pieceSize && !isLast) {
        const { bytesRead } = await promisify(read)(file.fd, piece, filled, pieceSize - filled, null);
        filled += bytesRead;
        isLast = bytesRead === 0;
      }
      if (filled > 0) yield piece.subarray(0, filled);
    }
  } finally {
    await closeFile(file);
  }
}

async function* rangeOf(file: FileHandle, from: number, count: number): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < count; ) {
    const piece = new Uint8Array(Math.min(pieceSize, count - sent));
    const { bytesRead } = await file.read(piece, 0, piece.byteLength, from + sent);
    if (bytesRead === 0) throw new DtpError('error', 'the bundle was truncated while it was being sent');
    sent += bytesRead;
    yield piece.subarray(0, bytesRead);
  }
}
