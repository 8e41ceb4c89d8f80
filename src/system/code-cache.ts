/** Caches the code that V8 compiled, so that the next command does not have to compile it again. */
import {
  closeSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

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

/** Where the code of a part is, in bytes from the end of the header, and its checksum. */
type Place = readonly [offset: number, length: number, sample: number];

/** The size of the header in bytes: a line of JSON that is padded with spaces. All parts of the tool need half of it. */
const HEADER_BYTES = 16 * 1024;

/**
 * The checksum includes one of this many words of 4 bytes, so at least one word of each block of a disk (512 bytes or
 * more). With twice as many words, Node 24 would optimize the loop, which takes 5 MB of memory.
 */
const SAMPLED = 127;

/** The age in milliseconds at which a cache file is deleted, because its version is probably no longer used. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

/**
 * Opens the cache in a private folder. The cache is empty if its header is damaged or has another `made`. Each part is
 * read when it is needed, so that the memory of one part can be freed before the next is read.
 */
export function openCodeCache(folder: string, made: string): CodeCache {
  const file = join(folder, `${made.replace(/[^\w.-]/g, '_')}.code`);
  let header = readHeader(file, made);
  const codeOf = (part: string) => {
    const place = header?.parts[part];
    return place && readPart(file, place);
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
        write(file, packed(made, all, kinds));
        removeUnused(folder);
      } catch {
        // Ignore errors, such as a full disk. The next command tries again.
      }
    },
  };
}

function readHeader(file: string, made: string): Header | undefined {
  try {
    const header: Header = JSON.parse(readBytes(file, 0, HEADER_BYTES).toString('latin1'));
    return header.made === made && header.parts && Array.isArray(header.kinds) ? header : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the code of a part. Undefined if it is damaged, or if another process has just replaced the file. */
function readPart(file: string, place: Place): Uint8Array | undefined {
  try {
    const [offset, length, sample] = place;
    const code = readBytes(file, HEADER_BYTES + offset, length);
    return sampleOf(code) === sample ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a section of a file. Throws if the file is shorter. */
function readBytes(file: string, offset: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length);
  const descriptor = openSync(file, 'r');
  try {
    if (readSync(descriptor, bytes, 0, length, offset) < length) throw new RangeError(`${file} is too short`);
  } finally {
    closeSync(descriptor);
  }
  return bytes;
}

/** Returns the content of a cache file. Throws RangeError if the header is too long. */
function packed(made: string, all: ReadonlyMap<string, Uint8Array>, kinds: readonly number[]): Uint8Array {
  const parts: Record<string, Place> = {};
  let offset = 0;
  for (const [part, code] of all) {
    parts[part] = [offset, code.length, sampleOf(code)];
    offset += code.length;
  }
  const header = Buffer.from(JSON.stringify({ made, parts, kinds } satisfies Header));
  if (header.length > HEADER_BYTES) throw new RangeError('the header is too long');
  return Buffer.concat([header, Buffer.alloc(HEADER_BYTES - header.length, ' '), ...all.values()]);
}

/**
 * Returns a checksum of some of the bytes in each block of the disk. After a power failure, whole blocks of a file may
 * be zeros, and V8 would execute them. A checksum of all bytes takes longer than compiling the code.
 */
function sampleOf(code: Uint8Array): number {
  const words = new Int32Array(code.buffer, code.byteOffset, Math.floor(code.length / 4));
  // The last word belongs to a block that may be shorter.
  let sum = words.at(-1) ?? 0;
  for (let at = 0; at < words.length; at += SAMPLED) sum = (sum * 31 + (words[at] ?? 0)) | 0;
  return sum;
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
    const isUnused = entry.isDirectory() || Date.now() - statSync(path).mtimeMs > UNUSED_MS;
    if (isUnused) rmSync(path, { recursive: true, force: true });
  }
}
