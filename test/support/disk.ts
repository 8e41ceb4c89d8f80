/** A file system for a process that may end before any call, find the disk full, or lose power. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import type * as promises from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

type Real = typeof promises;

/**
 * `power`: the process ends, and everything that was not synced is lost. `full`: no space is left from that call
 * on.
 */
export interface Fate {
  readonly what: 'kill' | 'power' | 'full';
  /** The number of calls before the fault. */
  readonly after: number;
}

/** Names that are not yet on the disk, with the function that undoes each. */
interface Name {
  readonly folder: string;
  readonly undo: () => void;
}

export interface Process {
  readonly pid: number;
  /** A step outside the disk, such as a request, during which the process may end. */
  readonly call: <T>(work: () => Promise<T>) => Promise<T>;
  /** The result of the work; undefined if the process ended first. */
  readonly run: <T>(work: () => Promise<T>) => Promise<{ readonly result: T } | undefined>;
}

interface Running {
  left: number;
  fate: Fate | undefined;
  isDead: boolean;
  isFull: boolean;
  /** Calls in progress. */
  under: number;
  readonly files: Set<FileHandle>;
  readonly died: () => void;
}

/**
 * The process that makes the call. The work of an ended process may continue after one of its awaits, and must
 * not pass for the next process's work.
 */
const running = new AsyncLocalStorage<Running>();
let names: Name[] = [];
/** Files, by inode, whose content is not yet on the disk. */
let unsynced = new Set<number>();
let pids = 0;

const never = new Promise<never>(() => undefined);
const turn = () => new Promise((done) => setImmediate(done));
const noSpace = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });

/** A disk with nothing left to sync. */
export function freshDisk(): void {
  names = [];
  unsynced = new Set();
}

/** A process that works on `folder`. Only one runs at a time. */
export function startProcess(folder: string, fate?: Fate): Process {
  let died: () => void = () => undefined;
  const death = new Promise<undefined>((done) => {
    died = () => done(undefined);
  });
  const own: Running = {
    left: fate?.after ?? Number.POSITIVE_INFINITY,
    fate,
    isDead: false,
    isFull: false,
    under: 0,
    files: new Set(),
    died,
  };
  return {
    pid: ++pids,
    call: (work) => during(own, work),
    run: async (work) => {
      try {
        return await Promise.race([running.run(own, work).then((result) => ({ result })), death]);
      } finally {
        if (own.isDead) await bury(own, folder);
      }
    },
  };
}

/** Waits until the calls in progress are done. Their effects stay. */
async function bury(own: Running, folder: string): Promise<void> {
  for (let quiet = 0; quiet < 3; quiet++) {
    await turn();
    if (own.under > 0) quiet = 0;
  }
  for (const file of own.files) await file.close().catch(() => undefined);
  if (own.fate?.what !== 'power') return;
  for (const { undo } of names.reverse()) undo();
  for (const path of filesUnder(folder)) if (unsynced.has(lstatSync(path).ino)) truncateSync(path);
  freshDisk();
}

export function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

/** `spoil` is what a write leaves if it fails for lack of space. A call without `spoil` needs no space. */
async function during<T>(own: Running | undefined, work: () => Promise<T>, spoil?: () => Promise<unknown>): Promise<T> {
  if (!own) return work();
  if (own.isDead) return never;
  if (own.left-- === 0) {
    if (own.fate?.what !== 'full') {
      own.isDead = true;
      own.died();
      return never;
    }
    own.isFull = true;
  }
  own.under++;
  try {
    if (!(own.isFull && spoil)) return await work();
    await spoil();
    throw noSpace();
  } finally {
    own.under--;
    if (own.isDead) await never;
  }
}

/** Stands in for `node:fs/promises`. Nothing is really synced; the disk only records what would be. */
export function overDisk(real: Real) {
  const plain =
    <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A) =>
      during(running.getStore(), () => work(...args));
  const writing =
    <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A) =>
      during(
        running.getStore(),
        () => work(...args),
        async () => undefined,
      );
  const named = (path: string, undo: () => void) => names.push({ folder: dirname(path), undo });
  const fs = {
    constants: real.constants,
    access: plain(real.access),
    lstat: plain(real.lstat),
    stat: plain(real.stat),
    readdir: plain((path: string) => real.readdir(path)),
    readFile: plain(real.readFile),
    rm: plain(real.rm),
    unlink: plain(real.unlink),
    rmdir: plain(real.rmdir),
    mkdir: writing(async (path: string, options: { recursive: true; mode: number }) => {
      const first = await real.mkdir(path, options);
      for (let at = path; first !== undefined && at.length >= first.length; at = dirname(at))
        named(at, () => rmSync(at, { recursive: true, force: true }));
      return first;
    }),
    link: writing(async (from: string, to: string) => {
      await real.link(from, to);
      named(to, () => rmSync(to, { force: true }));
    }),
    rename: plain(async (from: string, to: string) => {
      const before = existsSync(to) ? readFileSync(to) : undefined;
      await real.rename(from, to);
      named(to, () => {
        try {
          renameSync(to, from);
          if (before) writeFileSync(to, before);
        } catch {
          // The process has continued since, or its folder is lost.
        }
      });
    }),
    writeFile: writing(async (path: string, text: string, options: { flush?: boolean }) => {
      const { flush, ...others } = options;
      await real.writeFile(path, text, others);
      const { ino } = lstatSync(path);
      if (flush) unsynced.delete(ino);
      else unsynced.add(ino);
    }),
    open: plain(async (path: string, flags: string, mode?: number) =>
      wrapped(await real.open(path, flags, mode), path),
    ),
  };
  return { ...fs, default: fs };
}

/** An open file or folder. Each call belongs to the process that opened it. */
async function wrapped(file: FileHandle, path: string) {
  const own = running.getStore();
  own?.files.add(file);
  const found = await file.stat();
  if (found.isFile() && found.size === 0) unsynced.add(found.ino);
  return {
    stat: () => file.stat(),
    read: (...args: Parameters<FileHandle['read']>) => during(own, () => file.read(...args)),
    readFile: (encoding?: 'utf8') => during(own, () => file.readFile(encoding)),
    writeFile: (bytes: Uint8Array | string) => {
      const half = Buffer.from(bytes);
      return during(
        own,
        () => file.writeFile(bytes),
        () => file.writeFile(half.subarray(0, half.byteLength / 2)),
      );
    },
    writev: (group: readonly Uint8Array[]) => {
      const half = Buffer.concat(group);
      return during(
        own,
        () => file.writev(group),
        () => file.writeFile(half.subarray(0, half.byteLength / 2)),
      );
    },
    sync: () =>
      during(
        own,
        async () => {
          unsynced.delete(found.ino);
          if (found.isDirectory()) names = names.filter(({ folder }) => folder !== path);
        },
        async () => undefined,
      ),
    close: () =>
      during(own, async () => {
        own?.files.delete(file);
        await file.close();
      }),
  };
}
