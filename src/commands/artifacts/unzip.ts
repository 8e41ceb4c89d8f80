/** A ZIP → files inside a folder, and nowhere else. Its names are checked before anything is written, its bytes while they are. */
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { messageOf, systemCall } from '../../caught.ts';
import { DtpError } from '../../errors.ts';
import { faultOfName } from '../../flows/names.ts';
import type { PulledFile } from '../../flows/pull.ts';
import { bad, limits } from '../../flows/registry.ts';

/** What all of a pull may still unpack, and the names that it has. */
export interface Room {
  files: number;
  bytes: number;
  readonly take: (name: string, kind: 'file' | 'folder') => string | undefined;
}

/** Throws `bad_response` for an archive that is broken, or that would write outside of `folder` or too much. */
export async function unzip(
  archive: string,
  folder: string,
  room: Room,
  signal: AbortSignal,
): Promise<readonly PulledFile[]> {
  const zip = await openPromise(archive, { autoClose: false, strictFileNames: true }).catch(broken);
  const files: PulledFile[] = [];
  /** Bytes that the archive may unpack to: headers lie, so they are counted. */
  const own = { left: Math.max(limits.slack, zip.fileSize * limits.ratio) };
  try {
    // All names before the first file: an archive that is refused for one of them has written nothing.
    for (const { entry, name, kind } of await checkedEntries(zip, room, signal)) {
      signal.throwIfAborted();
      if (kind === 'folder') await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
      else files.push({ name, size: await write(zip, entry, join(folder, name), { room, own, signal }) });
    }
    return files;
  } finally {
    zip.close();
  }
}

interface Checked {
  readonly entry: Entry;
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

async function checkedEntries(zip: ZipFile, room: Room, signal: AbortSignal): Promise<readonly Checked[]> {
  const checked: Checked[] = [];
  const entries = zip.eachEntry();
  for (;;) {
    const next = await entries.next().catch(broken);
    signal.throwIfAborted();
    if (next.done) return checked;
    checked.push(checkEntry(next.value, room));
  }
}

const broken = (error: unknown): never => {
  throw bad(`a layer is no readable ZIP: ${messageOf(error)}`);
};

const regular = 0o100000;
const directory = 0o040000;

function checkEntry(entry: Entry, room: Room): Checked {
  const { fileName, externalFileAttributes, compressionMethod } = entry;
  const refuse = (why: string) => bad(`a layer holds ${JSON.stringify(fileName)}, which is refused: ${why}`);
  const isFolder = fileName.endsWith('/');
  const name = isFolder ? fileName.slice(0, -1) : fileName;
  const fault = faultOfName(name);
  if (fault !== undefined) throw refuse(fault);
  // The type of a Unix file; 0 where the archive is made elsewhere.
  const type = (externalFileAttributes >>> 16) & 0o170000;
  if (type !== 0 && type !== (isFolder ? directory : regular))
    throw refuse('it is a link or no regular file');
  if (entry.isEncrypted()) throw refuse('it is encrypted');
  if (compressionMethod !== 0 && compressionMethod !== 8)
    throw refuse(`it is packed with method ${compressionMethod}`);
  if (--room.files < 0) throw bad(`a layer holds more than ${limits.files} files`);
  const clash = room.take(name, isFolder ? 'folder' : 'file');
  if (clash !== undefined) throw refuse(clash);
  return { entry, name, kind: isFolder ? 'folder' : 'file' };
}

interface Bounds {
  readonly room: Room;
  /** Bytes that are left for this layer. */
  readonly own: { left: number };
  readonly signal: AbortSignal;
}

async function write(
  zip: ZipFile,
  entry: Entry,
  path: string,
  { room, own, signal }: Bounds,
): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  let sum = 0;
  try {
    const pieces = await zip.openReadStreamPromise(entry).catch(broken);
    try {
      for await (const piece of pieces as AsyncIterable<Uint8Array>) {
        signal.throwIfAborted();
        size += piece.byteLength;
        own.left -= piece.byteLength;
        room.bytes -= piece.byteLength;
        if (room.bytes < 0) throw bad('the layers unpack to more than 1 GiB');
        if (own.left < 0) throw bad(`a layer unpacks to more than ${limits.ratio} times its size`);
        sum = crc32(piece, sum);
        await file.writeFile(piece);
      }
    } catch (error) {
      if (error instanceof DtpError || signal.aborted || systemCall(error).syscall) throw error;
      broken(error);
    }
    if (sum !== entry.crc32) throw bad(`a layer holds ${entry.fileName} with a wrong checksum`);
    await file.sync();
  } finally {
    await file.close();
  }
  return size;
}
