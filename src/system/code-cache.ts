/** Caches the code that V8 compiled, so that the next command does not have to compile it again. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
  /** The position of the code of each part in bytes. The offset counts from the end of the header. */
  readonly parts: Readonly<Record<string, readonly [offset: number, length: number]>>;
  readonly kinds: readonly number[];
  readonly length: number;
  readonly sample: number;
}

/** The alignment of code in bytes. V8 would copy code that is not aligned. */
const ALIGNED = 8;

/** The age in milliseconds at which a cache file is deleted, because its version is probably no longer used. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

/** Opens the cache in a private folder. The cache is empty if the file is damaged or has another `made`. */
export function openCodeCache(folder: string, made: string): CodeCache {
  const file = join(folder, `${made.replace(/[^\w.-]/g, '_')}.code`);
  let found = read(file, made);
  const codeOf = (part: string) => {
    const [offset, length] = found?.header.parts[part] ?? [];
    return offset === undefined ? undefined : found?.code.subarray(offset, offset + (length ?? 0));
  };
  return {
    codeOf,
    knows: (kind) => found?.header.kinds.includes(kind) ?? false,
    clear: () => {
      found = undefined;
    },
    store: (parts, kind) => {
      const all = new Map(parts);
      for (const part of Object.keys(found?.header.parts ?? {}))
        if (!all.has(part)) all.set(part, codeOf(part) ?? new Uint8Array());
      const kinds = [...new Set([...(found?.header.kinds ?? []), kind])];
      try {
        write(file, packed(made, all, kinds));
        removeUnused(folder);
      } catch {
        // Ignore errors, such as a full disk. The next command tries again.
      }
    },
  };
}

function read(file: string, made: string): { header: Header; code: Uint8Array } | undefined {
  try {
    const bytes = readFileSync(file);
    const end = bytes.indexOf('\n');
    const header: Header = JSON.parse(bytes.toString('latin1', 0, end));
    const code = bytes.subarray(end + 1);
    const isWhole = header.made === made && code.length === header.length && sampleOf(code) === header.sample;
    return isWhole ? { header, code } : undefined;
  } catch {
    return undefined;
  }
}

function packed(made: string, all: ReadonlyMap<string, Uint8Array>, kinds: readonly number[]): Uint8Array {
  const parts: Record<string, readonly [number, number]> = {};
  let length = 0;
  for (const [part, code] of all) {
    parts[part] = [length, code.length];
    length += Math.ceil(code.length / ALIGNED) * ALIGNED;
  }
  const code = Buffer.alloc(length);
  for (const [part, [offset]] of Object.entries(parts)) code.set(all.get(part) ?? [], offset);
  const header: Header = { made, parts, kinds, length, sample: sampleOf(code) };
  const text = JSON.stringify(header);
  return Buffer.concat([
    Buffer.from(text.padEnd(Math.ceil((text.length + 1) / ALIGNED) * ALIGNED - 1)),
    Buffer.from('\n'),
    code,
  ]);
}

/**
 * Returns a checksum of some of the bytes in each block of the disk. After a power failure, whole blocks of a file may
 * be zeros, and V8 would execute them. A checksum of all bytes takes longer than compiling the code.
 */
function sampleOf(code: Uint8Array): number {
  const words = new Int32Array(code.buffer, code.byteOffset, Math.floor(code.length / 4));
  let sum = 0;
  for (let at = 0; at < words.length; at += 61) sum = (sum * 31 + (words[at] ?? 0)) | 0;
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
