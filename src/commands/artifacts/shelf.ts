/** Stores the downloaded layers of a pull under their digests, and then unpacks or copies them to their final names. */
import { constants, copyFile, mkdir, open, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf, systemCall } from '../../caught.ts';
import { type Archive, type ArchiveEntry, openArchive } from '../../documents/archive.ts';
import { DtpError } from '../../errors.ts';
import { faultOfFileName, faultOnWindows, openNames } from '../../flows/names.ts';
import type { LayerStorage, PulledFile } from '../../flows/pull.ts';
import { badResponse, limits } from '../../flows/registry.ts';
import { passedOn } from '../../request/http.ts';
import type { IncomingFolder } from '../../store/folder.ts';

/** Opens the storage in a new folder. `platform` decides which names the files may have. */
export function openShelf({ parts, content }: IncomingFolder, signal: AbortSignal, platform: string): LayerStorage {
  const isFree = openNames();
  const take: UnzipLimits['take'] = (name, kind) =>
    (platform === 'win32' ? faultOnWindows(name) : undefined) ?? isFree(name, kind);
  const room: UnzipLimits = { files: limits.files, bytes: limits.bytes, take };
  return {
    keep: async (key, bytes) => {
      try {
        await writeAll(join(parts, key), bytes);
      } catch (error) {
        // Delete the incomplete file, because the layer may be downloaded again.
        await rm(join(parts, key), { force: true });
        throw error;
      }
    },
    isZip: async (key) => {
      const file = await open(join(parts, key));
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
        return bytesRead === 4 && ['504b0304', '504b0506'].includes(buffer.toString('hex'));
      } finally {
        await file.close();
      }
    },
    unpack: (key) => unzip(join(parts, key), content, room, signal),
    rename: async (key, name) => {
      const fault = faultOfFileName(name) ?? room.take(name, 'file');
      if (fault !== undefined) throw badResponse(`a layer has the invalid name ${JSON.stringify(name)}: ${fault}`);
      // Copy the file instead of moving it, because two layers with the same digest become two separate files.
      await copyFile(join(parts, key), join(content, name), constants.COPYFILE_FICLONE);
      const file = await open(join(content, name), 'r+');
      try {
        await file.sync();
        return { name, size: (await file.stat()).size };
      } finally {
        await file.close();
      }
    },
  };
}

/** Writes a new file and returns its size. */
async function writeAll(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const file = await open(path, 'wx', 0o600);
  let size = 0;
  try {
    for await (const piece of bytes) {
      size += piece.byteLength;
      await file.writeFile(piece);
    }
    await file.sync();
    return size;
  } finally {
    await file.close();
  }
}

/** The files and bytes that may still be unpacked. `take` reserves a name, or returns why it conflicts with another. */
interface UnzipLimits {
  files: number;
  bytes: number;
  readonly take: (name: string, kind: 'file' | 'folder') => string | undefined;
}

/** Unpacks an archive. Throws `bad_response` if it is damaged or too large, or if a name leads out of the folder. */
async function unzip(archive: string, folder: string, room: UnzipLimits, signal: AbortSignal) {
  const zip = await openArchive(archive).catch(broken);
  const files: PulledFile[] = [];
  /** The bytes that this archive may still unpack to. They are counted, because its headers may be wrong. */
  let left = Math.max(limits.slack, zip.size * limits.ratio);
  const see = ({ byteLength }: Uint8Array) => {
    signal.throwIfAborted();
    left -= byteLength;
    room.bytes -= byteLength;
    if (room.bytes < 0) throw badResponse('the layers unpack to more than 1 GiB');
    if (left < 0) throw badResponse(`a layer unpacks to more than ${limits.ratio} times its size`);
  };
  const explain = (error: unknown) => {
    if (error instanceof DtpError || signal.aborted || systemCall(error).syscall) throw error;
    return broken(error);
  };
  try {
    // Check all names before writing the first file, so that an archive with an invalid name leaves no files.
    for (const { entry, name, kind } of await checkedEntries(zip, room, signal)) {
      signal.throwIfAborted();
      const path = join(folder, name);
      await mkdir(kind === 'folder' ? path : dirname(path), { recursive: true, mode: 0o700 });
      if (kind === 'folder') continue;
      files.push({ name, size: await writeAll(path, passedOn(entry.pieces(), { see })).catch(explain) });
    }
    return files;
  } finally {
    zip.close();
  }
}

async function checkedEntries(zip: Archive, room: UnzipLimits, signal: AbortSignal) {
  const checked: ReturnType<typeof checkEntry>[] = [];
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

function checkEntry(entry: ArchiveEntry, room: UnzipLimits) {
  const refuse = (why: string) =>
    badResponse(`a layer contains the invalid file name ${JSON.stringify(entry.name)}: ${why}`);
  const kind = entry.name.endsWith('/') ? ('folder' as const) : ('file' as const);
  const name = entry.name.replace(/\/$/, '');
  const fault = faultOfFileName(name) ?? entry.fault;
  if (fault !== undefined) throw refuse(fault);
  if (--room.files < 0) throw badResponse(`a layer contains more than ${limits.files} files`);
  const clash = room.take(name, kind);
  if (clash !== undefined) throw refuse(clash);
  return { entry, name, kind };
}
