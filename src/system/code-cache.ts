/** Caches the code that V8 compiled, so that the next command does not have to compile it again. */
import { lstatSync, readdirSync, readSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../caught.ts';
import { exposureOf, useFile } from './owner.ts';

/**
 * A cache of compiled code. V8 only accepts code that the same version of V8 compiled from a source of the same length.
 * With --verify-snapshot-checksum, it also stores and checks a checksum, so that it rejects damaged code.
 */
export type CodeCache = ReturnType<typeof openCodeCache>;

interface Header {
  /** Identifies everything that the code depends on: the versions of Node and of the tool, and the CPU type. */
  readonly made: string;
  readonly parts: Readonly<Record<string, Place>>;
  readonly kinds: readonly number[];
}

/** Where a part is, in bytes from the end of the header: its name, padded with spaces, and its code. */
type Place = readonly [offset: number, length: number];

/** The size of the header in bytes: a line of JSON, padded with spaces. All parts of the tool need half of it. */
const HEADER_BYTES = 16 * 1024;

/** The size of a name in bytes. It keeps the code aligned, because V8 would copy it otherwise. */
const NAME_BYTES = 64;

/** The age in milliseconds at which a cache file is deleted, because its version is probably no longer used. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Opens the cache in a private folder of the user `uid`. The cache is empty if its header is damaged or has another
 * `made`, or if another user could have written it. Each part is read when it is needed, so that the memory of one part
 * can be freed before the next is read.
 */
export function openCodeCache(folder: string, made: string, uid: number | undefined) {
  const file = join(folder, `${made.replace(/[^\w.-]/g, '_')}.code`);
  const read: Read = (offset, length) =>
    useFile(file, (descriptor, found) => {
      if (!found.isFile() || exposureOf(found, uid)) throw new Error(`${file} is not a private file`);
      const bytes = Buffer.allocUnsafeSlow(length);
      if (readSync(descriptor, bytes, 0, length, offset) < length) throw new RangeError(`${file} is too short`);
      return bytes;
    });
  let header = readHeader(read, made);
  const codeOf = (part: string) => {
    const place = header?.parts[part];
    return place && readPart(read, part, place);
  };
  return {
    /** Returns the compiled code of a part of the tool. Undefined if it is not in the cache. */
    codeOf,
    /** Whether a command of this kind has already added the functions that it calls. */
    knows: (kind: number) => header?.kinds.includes(kind) ?? false,
    /** Discards the code that was read, because V8 rejected it. */
    clear: () => {
      header = undefined;
    },
    /** Writes a cache file with these parts, and with the other parts that were read. */
    store: (parts: ReadonlyMap<string, Uint8Array>, kind: number) => {
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

/** Reads a section of the cache file. Throws if the file is shorter, or if another user could have written it. */
type Read = (offset: number, length: number) => Buffer;

const readHeader = (read: Read, made: string): Header | undefined =>
  attempt(() => {
    const header: Header = JSON.parse(read(0, HEADER_BYTES).toString('latin1'));
    return header.made === made && header.parts && Array.isArray(header.kinds) ? header : undefined;
  }, undefined);

/** Returns the code of a part. Undefined if another part is there, because another process has replaced the file. */
const readPart = (read: Read, part: string, place: Place): Uint8Array | undefined =>
  attempt(() => {
    const [offset, length] = place;
    const bytes = read(HEADER_BYTES + offset, length);
    return bytes.toString('latin1', 0, NAME_BYTES) === part.padEnd(NAME_BYTES) ? bytes.subarray(NAME_BYTES) : undefined;
  }, undefined);

/** Returns the content of a cache file. Throws RangeError if the header is too long. */
function packed(made: string, all: ReadonlyMap<string, Uint8Array>, kinds: readonly number[]): Uint8Array {
  const parts: Record<string, Place> = {};
  let offset = 0;
  for (const [part, code] of all) {
    const length = NAME_BYTES + code.length;
    parts[part] = [offset, length];
    offset += length;
  }
  const header = JSON.stringify({ made, parts, kinds } satisfies Header).padEnd(HEADER_BYTES);
  if (header.length > HEADER_BYTES) throw new RangeError('the header is too long');
  const named = [...all].flatMap(([part, code]) => [Buffer.from(part.padEnd(NAME_BYTES), 'latin1'), code]);
  return Buffer.concat([Buffer.from(header, 'latin1'), ...named]);
}

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
