/** Unpacks a ZIP file into a folder, and checks the names and sizes of its files. */
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, systemCall } from '../../caught.ts';
import { type Archive, type ArchiveEntry, openArchive } from '../../documents/archive.ts';
import { DtpError } from '../../errors.ts';
import { faultOfFileName } from '../../flows/names.ts';
import type { PulledFile } from '../../flows/pull.ts';
import { badResponse, limits } from '../../flows/registry.ts';

/**
 * The number of files and bytes that the remaining layers of a pull may unpack. `take` reserves a name, and returns the
 * reason if the name conflicts with an earlier one.
 */
export interface UnzipLimits {
  files: number;
  bytes: number;
  readonly take: (name: string, kind: 'file' | 'folder') => string | undefined;
}

/**
 * Unpacks an archive into `folder`. Throws `bad_response` if the archive is damaged, has an invalid name (such as a
 * path outside `folder`), or is too large.
 */
export async function unzip(
  archive: string,
  folder: string,
  room: UnzipLimits,
  signal: AbortSignal,
): Promise<readonly PulledFile[]> {
  const zip = await openArchive(archive).catch(broken);
  const files: PulledFile[] = [];
  /**
   * The number of bytes that this archive may still unpack to. The unpacked bytes are counted, because the sizes in its
   * headers may be wrong.
   */
  const own = { left: Math.max(limits.slack, zip.size * limits.ratio) };
  try {
    // Check all names before writing the first file, so that an archive with an invalid name leaves no files.
    for (const { entry, name, kind } of await checkedEntries(zip, room, signal)) {
      signal.throwIfAborted();
      if (kind === 'folder') await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
      else files.push({ name, size: await write(entry, join(folder, name), { room, own, signal }) });
    }
    return files;
  } finally {
    zip.close();
  }
}

interface Checked {
  readonly entry: ArchiveEntry;
  readonly name: string;
  readonly kind: 'file' | 'folder';
}

async function checkedEntries(zip: Archive, room: UnzipLimits, signal: AbortSignal): Promise<readonly Checked[]> {
  const checked: Checked[] = [];
  const entries = zip.entries()[Symbol.asyncIterator]();
  for (;;) {
    const next = await entries.next().catch(broken);
    signal.throwIfAborted();
    if (next.done) return checked;
    checked.push(checkEntry(next.value, room));
  }
}

const broken = (error: unknown): never => {
  throw badResponse(`a layer is not a readable ZIP: ${messageOf(error)}`);
};

function checkEntry(entry: ArchiveEntry, room: UnzipLimits): Checked {
  const refuse = (why: string) =>
    badResponse(`a layer contains the invalid file name ${JSON.stringify(entry.name)}: ${why}`);
  const isFolder = entry.name.endsWith('/');
  const name = isFolder ? entry.name.slice(0, -1) : entry.name;
  const fault = faultOfFileName(name) ?? entry.fault;
  if (fault !== undefined) throw refuse(fault);
  if (--room.files < 0) throw badResponse(`a layer contains more than ${limits.files} files`);
  const clash = room.take(name, isFolder ? 'folder' : 'file');
  if (clash !== undefined) throw refuse(clash);
  return { entry, name, kind: isFolder ? 'folder' : 'file' };
}

interface Bounds {
  readonly room: UnzipLimits;
  /** The number of bytes that this layer may still unpack to. */
  readonly own: { left: number };
  readonly signal: AbortSignal;
}

async function write(entry: ArchiveEntry, path: string, { room, own, signal }: Bounds): Promise<number> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    for await (const piece of entry.pieces()) {
      signal.throwIfAborted();
      size += piece.byteLength;
      own.left -= piece.byteLength;
      room.bytes -= piece.byteLength;
      if (room.bytes < 0) throw badResponse('the layers unpack to more than 1 GiB');
      if (own.left < 0) throw badResponse(`a layer unpacks to more than ${limits.ratio} times its size`);
      await file.writeFile(piece);
    }
    await file.sync();
  } catch (error) {
    if (error instanceof DtpError || signal.aborted || systemCall(error).syscall) throw error;
    broken(error);
  } finally {
    await file.close();
  }
  return size;
}
