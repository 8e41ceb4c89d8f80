/** Caches the code that V8 compiled, so that the next command does not have to compile it again. */
import { lstatSync, readdirSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { attempt } from '../caught.ts';
import { exposureOf, useFile } from './owner.ts';

/** A cache of compiled code. V8 only accepts code that the same V8 version compiled from the same source. */
export interface CodeCache {
  /** Returns the compiled code of a part of the tool. Undefined if it is not in the cache. */
  readonly codeOf: (part: string) => Uint8Array | undefined;
  /** Whether a command of this kind has already added the functions that it calls. */
  readonly knows: (kind: number) => boolean;
  /** Discards the code that was read, because V8 rejected it. */
  readonly clear: () => void;
  /** Writes a cache file with these parts, and with the other parts that were read. */
  readonly store: (parts: ReadonlyMap<string, Uint8Array>, kind: number) => void;
}

interface Header {
  /** Identifies everything that the code depends on: the versions of Node and of the tool, and the CPU type. */
  readonly made: string;
  readonly parts: Readonly<Record<string, Place>>;
  readonly kinds: readonly number[];
}

/** Where the code of a part is, in bytes from the end of the header, and its checksum, which V8 does not check. */
type Place = readonly [offset: number, length: number, checksum: number];

/**
 * The size of the header in bytes: its checksum, and a line of JSON that is padded with spaces. All parts of the tool
 * need half of it.
 */
const HEADER_BYTES = 16 * 1024;

/** The size of the header's checksum in bytes: hexadecimal digits. */
const CHECKSUM_BYTES = 8;

/** The age in milliseconds at which a cache file is deleted, because its version is probably no longer used. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Opens the cache in a private folder of the user `uid`. The cache is empty if its header is damaged or has another
 * `made`, or if another user could have written it. Each part is read when it is needed, so that the memory of one part
 * can be freed before the next is read.
 */
export function openCodeCache(folder: string, made: string, uid: number | undefined): CodeCache {
  const file = join(folder, `${made.replace(/[^\w.-]/g, '_')}.code`);
  const read = (offset: number, length: number) => readBytes({ file, uid }, offset, length);
  let header = readHeader(read, made);
  const codeOf = (part: string) => {
    const place = header?.parts[part];
    return place && readPart(read, place);
  };
  return {
    codeOf,
    knows: (kind) => header?.kinds.includes(kind) ?? false,
    clear: () => {
      header = undefined;
    },
    store: (parts, kind) => {
      const all = new Map(parts);
      for (const part of Object.keys(header?.parts ?? {})) {
        const code = all.get(part) ?? codeOf(part);
        if (code) all.set(part, code);
      }
      const kinds = [...new Set([...(header?.kinds ?? []), kind])];
      try {
        // Delete first, because a folder with the name of the file would be in the way.
        removeUnused(folder);
        write(file, packed(made, all, kinds));
      } catch {
        // Ignore errors, such as a full disk. The next command tries again.
      }
    },
  };
}

/** Reads a section of the cache file. Throws if the file is shorter, or cannot be trusted. */
type Read = (offset: number, length: number) => Buffer;

const readHeader = (read: Read, made: string): Header | undefined =>
  attempt(() => {
    const bytes = read(0, HEADER_BYTES);
    const text = bytes.toString('latin1', CHECKSUM_BYTES);
    if (bytes.toString('latin1', 0, CHECKSUM_BYTES) !== checksumText(text)) return undefined;
    const header: Header = JSON.parse(text);
    return header.made === made && header.parts && Array.isArray(header.kinds) ? header : undefined;
  }, undefined);

/** Returns the code of a part. Undefined if it is damaged, or if another process has just replaced the file. */
const readPart = (read: Read, place: Place): Uint8Array | undefined =>
  attempt(() => {
    const [offset, length, checksum] = place;
    const code = read(HEADER_BYTES + offset, length);
    return crc32(code) === checksum ? code : undefined;
  }, undefined);

/** Reads a section of a file. Throws if the file is shorter, or if another user could have written it. */
const readBytes = (
  { file, uid }: { readonly file: string; readonly uid: number | undefined },
  offset: number,
  length: number,
): Buffer =>
  useFile(file, (descriptor, found) => {
    if (!found.isFile() || exposureOf(found, uid)) throw new Error(`${file} is not a private file`);
    const bytes = Buffer.allocUnsafeSlow(length);
    if (readSync(descriptor, bytes, 0, length, offset) < length) throw new RangeError(`${file} is too short`);
    return bytes;
  });

/** Returns the content of a cache file. Throws RangeError if the header is too long. */
function packed(made: string, all: ReadonlyMap<string, Uint8Array>, kinds: readonly number[]): Uint8Array {
  const parts: Record<string, Place> = {};
  let offset = 0;
  for (const [part, code] of all) {
    parts[part] = [offset, code.length, crc32(code)];
    offset += code.length;
  }
  const length = HEADER_BYTES - CHECKSUM_BYTES;
  const header = JSON.stringify({ made, parts, kinds } satisfies Header).padEnd(length);
  if (header.length > length) throw new RangeError('the header is too long');
  return Buffer.concat([Buffer.from(checksumText(header) + header, 'latin1'), ...all.values()]);
}

const checksumText = (text: string) => crc32(text).toString(16).padStart(CHECKSUM_BYTES, '0');

/** Writes the file atomically, so that other processes see either the old file or the new file. */
function write(file: string, bytes: Uint8Array): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Deletes unused cache files, and the subfolders of Node's compile cache, which earlier versions of the tool used. */
function removeUnused(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const isUnused = entry.isDirectory() || Date.now() - lstatSync(path).mtimeMs > UNUSED_MS;
    if (isUnused) rmSync(path, { recursive: true, force: true });
  }
}
