/** Stores the code that V8 compiled, so that the next command need not compile it. */
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Code that V8 accepts only from its own version, for the same source text. */
export interface CodeCache {
  /** The code of a part of the tool. Undefined if it is not in the cache. */
  readonly codeOf: (part: string) => Uint8Array | undefined;
  /** Whether commands like this one have added the functions that they call. */
  readonly knows: (kind: number) => boolean;
  /** Forgets what was read, because V8 rejected it. */
  readonly clear: () => void;
  /** Writes a cache with these parts, and with the others that were read. */
  readonly store: (parts: ReadonlyMap<string, Uint8Array>, kind: number) => void;
}

interface Header {
  /** What the code depends on. */
  readonly made: string;
  /** Where the code of each part is: offset and length in bytes, after the header. */
  readonly parts: Readonly<Record<string, readonly [offset: number, length: number]>>;
  readonly kinds: readonly number[];
  readonly length: number;
  readonly sample: number;
}

/** V8 copies code that does not begin at a multiple of this. */
const ALIGNED = 8;

/** A cache that was not replaced for this long belongs to a version that is no longer used. */
const UNUSED_MS = 30 * 24 * 60 * 60 * 1000;

/** Opens the cache in a private folder. One that was made with another `made`, or is damaged, counts as empty. */
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
        // The disk is full, for example. The next command tries again.
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
 * A checksum of some of the bytes in each block. After a power failure, whole blocks of a file may be zeros, and V8 would
 * execute them. A checksum of all bytes takes longer than compiling the code.
 */
function sampleOf(code: Uint8Array): number {
  let sum = 0;
  for (let at = 0; at < code.length; at += 61) sum = (sum * 31 + (code[at] ?? 0)) | 0;
  return sum;
}

/** Other processes see the old file or the new one. */
function write(file: string, bytes: Uint8Array): void {
  const temporary = `${file}.${process.pid}`;
  try {
    writeFileSync(temporary, bytes, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, file);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Node's own compile cache, which earlier versions of the tool used, is in folders of this folder. */
function removeUnused(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const isUnused = entry.isDirectory() || Date.now() - statSync(path).mtimeMs > UNUSED_MS;
    if (isUnused) rmSync(path, { recursive: true, force: true });
  }
}
