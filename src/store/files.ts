/** Files that are whole or not there, and locks between processes. */
import { randomBytes } from 'node:crypto';
import {
  access,
  constants,
  link,
  lstat,
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DtpError } from '../errors.ts';

export interface WriteOptions {
  /** 0600 where absent. */
  readonly mode?: number;
  /** Whether a file that is there may be replaced. */
  readonly replace: boolean;
}

/**
 * Writes a file that is whole and on the disk, or leaves what was there: a temporary file beside it takes its name at the
 * end. Only regular files are replaced, never a link or a device. Throws `usage` for a target that will not do; errors
 * of the content are given on as they are.
 */
export async function writeFileWhole(
  path: string,
  content: Uint8Array | string | AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<void> {
  // Before the content is asked for: a download that has no place need not begin.
  await checkTarget(path, options.replace);
  const temporary = join(dirname(path), `.dtp-${suffix()}`);
  const failed = (error: unknown) => {
    throw notWritten(path, error);
  };

  const file = await open(temporary, 'wx', options.mode ?? 0o600).catch(failed);
  try {
    try {
      for await (const chunk of chunksOf(content)) await file.writeFile(chunk).catch(failed);
      await file.sync().catch(failed);
    } finally {
      await file.close();
    }
    await (options.replace ? rename(temporary, path) : claim(temporary, path)).catch(failed);
    await syncFolder(dirname(path)).catch(failed);
  } finally {
    await rm(temporary, { force: true });
  }
}

export const suffix = () => randomBytes(6).toString('hex');

const chunksOf = (content: Uint8Array | string | AsyncIterable<Uint8Array>) =>
  typeof content === 'string' || content instanceof Uint8Array ? [content] : content;

/** Throws `usage` for a target that will not do. */
export async function checkTarget(path: string, replace: boolean): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (codeIn(error) === 'ENOENT') return undefined;
    throw notWritten(path, error);
  });
  if (!found)
    return access(dirname(path), constants.W_OK).catch((error) => Promise.reject(notWritten(path, error)));
  if (!found.isFile())
    throw new DtpError('usage', `cannot write ${path}: it is ${kindOf(found)}, not a file`);
  if (!replace) throw notWritten(path, { code: 'EEXIST' });
}

function kindOf(found: { isDirectory(): boolean; isSymbolicLink(): boolean }): string {
  if (found.isDirectory()) return 'a folder';
  return found.isSymbolicLink() ? 'a symbolic link' : 'a device';
}

/** Gives `from` the name `to`, which must be free. Throws EEXIST where it is not. */
async function claim(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EPERM', 'EACCES', 'ENOTSUP', 'ENOSYS'].includes(codeIn(error) ?? '')) throw error;
    // A file system without hard links: an empty file holds the name, until it is replaced.
    await writeFile(to, '', { flag: 'wx', mode: 0o600 });
    await rename(from, to).catch(async (failure: unknown) => {
      await rm(to, { force: true });
      throw failure;
    });
  }
}

/**
 * Makes a folder and those above it that are not there; the highest that was made, or undefined where it was there. Node's
 * own way never ends where a folder that is there takes no other, as in /proc.
 */
export async function makeFolders(folder: string, mode: number): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode });
    return folder;
  } catch (error) {
    if (codeIn(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return undefined;
    const above = dirname(folder);
    const isAbove = await stat(above).then(
      () => true,
      () => false,
    );
    if (codeIn(error) !== 'ENOENT' || isAbove || above === folder) throw error;
    const first = await makeFolders(above, mode);
    return (await makeFolders(folder, mode)) === undefined ? first : (first ?? folder);
  }
}

/** A name is on the disk only when its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch((error: unknown) => {
    // Windows opens no folder, and nobody one that he may not read.
    if (['EISDIR', 'EPERM', 'EACCES'].includes(codeIn(error) ?? '')) return undefined;
    throw error;
  });
  try {
    await handle?.sync();
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(codeIn(error) ?? '')) throw error;
  } finally {
    await handle?.close();
  }
}

const codeIn = (error: unknown) => (error as { readonly code?: string }).code;

/** Why a file operation failed, as the end of a sentence. */
export const reasonOf = (error: unknown): string =>
  reasons[codeIn(error) ?? '']?.words ?? codeIn(error) ?? String(error);

/** `yours`: what the user can mend by another path or a flag. */
const reasons: Readonly<Record<string, { readonly words: string; readonly yours?: true }>> = {
  EEXIST: { words: 'it is already there', yours: true },
  ENOENT: { words: 'its folder is not there', yours: true },
  ENOTDIR: { words: 'a part of its path is not a folder', yours: true },
  EISDIR: { words: 'it is a folder, not a file', yours: true },
  ENAMETOOLONG: { words: 'its name is too long', yours: true },
  EACCES: { words: 'you may not', yours: true },
  EPERM: { words: 'you may not', yours: true },
  EROFS: { words: 'the disk is read-only', yours: true },
  ENOSPC: { words: 'no space is left on the disk' },
  EDQUOT: { words: 'your disk quota is used up' },
  EFBIG: { words: 'it would be larger than is allowed' },
  EIO: { words: 'the disk failed' },
};

function notWritten(path: string, error: unknown): DtpError {
  const code = codeIn(error) ?? '';
  return new DtpError(reasons[code]?.yours ? 'usage' : 'error', `cannot write ${path}: ${reasonOf(error)}`, {
    ...(code === 'EEXIST' ? { hint: 'Replace it with --force.' } : {}),
    cause: error,
  });
}

/** Who holds a lock, and how it waits for one. */
export interface LockHolder {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly pid: number;
  /** Whether a process is there. */
  readonly isAlive: (pid: number) => boolean;
}

/**
 * Does `work` while no other process does work under the same path. A lock whose holder has died is broken, once. Throws
 * `config` where the lock is not free within `waitMs`.
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  holder: LockHolder,
  waitMs = 10_000,
): Promise<T> {
  const done = await withFreeLock(path, work, holder, waitMs);
  if (done) return done.result;
  throw held(path, await holderOf(path));
}

/** The same, and undefined where the lock is not free within `waitMs`. */
export async function withFreeLock<T>(
  path: string,
  work: () => Promise<T>,
  holder: LockHolder,
  waitMs = 0,
): Promise<{ readonly result: T } | undefined> {
  if (!(await acquire(path, holder, waitMs))) return undefined;
  try {
    return { result: await work() };
  } finally {
    await rm(path, { force: true });
  }
}

/** Whether the lock was got. */
async function acquire(path: string, holder: LockHolder, waitMs: number): Promise<boolean> {
  const mine = `${path}.${suffix()}`;
  const options = { flag: 'wx', mode: 0o600, flush: true };
  const failed = (error: unknown) => {
    throw new DtpError('config', `cannot make the lock ${path}: ${reasonOf(error)}`, { cause: error });
  };
  try {
    // On the disk before it takes the lock's name: a lock without its holder's pid could never be broken.
    await writeFile(mine, String(holder.pid), options).catch(failed);
    const start = holder.now();
    let broken = false;
    while (!(await took(mine, path).catch(failed))) {
      const left = waitMs - (holder.now() - start);
      if (!broken && (await isDead(path, holder))) {
        broken = true;
        await breakLock(path, holder, left);
      } else if (left > 0) await holder.sleep(20);
      else return false;
    }
    return true;
  } finally {
    await rm(mine, { force: true });
  }
}

const took = (mine: string, path: string): Promise<boolean> =>
  claim(mine, path).then(
    () => true,
    (error: unknown) => {
      if (codeIn(error) === 'EEXIST') return false;
      throw error;
    },
  );

/** Under a lock of its own, or two could break it, the second one that which the first has just taken. */
const breakLock = (path: string, holder: LockHolder, waitMs: number): Promise<unknown> =>
  withFreeLock(
    `${path}.break`,
    async () => {
      if (await isDead(path, holder)) await rm(path, { force: true });
    },
    holder,
    waitMs,
  );

/** Whether a living process holds the lock. */
export async function isHeld(path: string, holder: LockHolder): Promise<boolean> {
  const there = await lstat(path).catch(() => undefined);
  return there !== undefined && !(await isDead(path, holder));
}

async function isDead(path: string, holder: LockHolder): Promise<boolean> {
  const pid = await holderOf(path);
  return pid !== undefined && !holder.isAlive(pid);
}

async function holderOf(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

const held = (path: string, pid: number | undefined) =>
  new DtpError(
    'config',
    `the lock ${path} is held by ${pid === undefined ? 'another process' : `process ${pid}`}`,
    {
      hint: 'Wait until it has ended; if it is no dtp, remove the file.',
    },
  );
