/** Files that are whole or not there. */
import { randomBytes } from 'node:crypto';
import { access, constants, link, lstat, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../caught.ts';
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
      await sweepStale(temporary);
      for await (const chunk of chunksOf(content)) await file.writeFile(chunk).catch(failed);
      await file.sync().catch(failed);
    } finally {
      await file.close();
    }
    await (options.replace ? rename(temporary, path) : claim(temporary, path)).catch(failed);
    await syncFolder(dirname(path)).catch(failed);
  } finally {
    // Where it cannot be removed now, a later write does it.
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** What is on its way, a file or a folder, until it takes its name. */
const TEMPORARY = /^\.dtp-[0-9a-f]{12}$/;

/** Nothing is on its way for longer. */
const DAY = 24 * 60 * 60 * 1000;

/**
 * Removes from beside a temporary file those that killed processes have left there a day ago, by the file system's own
 * clock: a younger one may be somebody's. Never fails.
 */
export async function sweepStale(temporary: string): Promise<void> {
  const folder = dirname(temporary);
  const names = await readdir(folder).catch(() => []);
  const others = names.filter((name) => TEMPORARY.test(name)).map((name) => join(folder, name));
  if (others.length < 2) return;
  const now = (await lstat(temporary).catch(() => undefined))?.mtimeMs ?? 0;
  for (const path of others) {
    const found = await lstat(path).catch(() => undefined);
    if (found && now - found.mtimeMs > DAY)
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

export const suffix = () => randomBytes(6).toString('hex');

const chunksOf = (content: Uint8Array | string | AsyncIterable<Uint8Array>) =>
  typeof content === 'string' || content instanceof Uint8Array ? [content] : content;

/** Throws `usage` for a target that will not do. */
export async function checkTarget(path: string, replace: boolean): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
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
export async function claim(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EPERM', 'EACCES', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error;
    // A file system without hard links: an empty file holds the name, until it is replaced.
    const file = await open(to, 'wx', 0o600);
    try {
      await file.close();
      await rename(from, to);
    } catch (failure) {
      await rm(to, { force: true });
      throw failure;
    }
  }
}

/**
 * Makes a folder and those above it that are not there; the highest that was made, or undefined where it was there. Node's
 * own way never ends where a folder that is there takes no other, as in /proc.
 */
export async function makeFolders(folder: string, mode: number): Promise<string | undefined> {
  try {
    return await makeFolder(folder, mode);
  } catch (error) {
    const above = dirname(folder);
    if (systemCode(error) !== 'ENOENT' || above === folder) throw error;
    const isAbove = await stat(above).then(
      () => true,
      () => false,
    );
    // Another process has made it meanwhile, or it takes no folder.
    if (isAbove) return makeFolder(folder, mode);
    const first = await makeFolders(above, mode);
    return (await makeFolders(folder, mode)) === undefined ? first : (first ?? folder);
  }
}

/** The folder; undefined if it is there already. */
async function makeFolder(folder: string, mode: number): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode });
    return folder;
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return undefined;
    throw error;
  }
}

/** A name is on the disk only when its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch((error: unknown) => {
    // Windows opens no folder, and nobody one that he may not read.
    if (['EISDIR', 'EPERM', 'EACCES'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  });
  try {
    await handle?.sync();
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    await handle?.close();
  }
}

/** Why a file operation failed, as the end of a sentence. */
export const reasonOf = (error: unknown): string =>
  reasons[systemCode(error) ?? '']?.words ?? systemCode(error) ?? String(error);

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
  const code = systemCode(error) ?? '';
  return new DtpError(reasons[code]?.yours ? 'usage' : 'error', `cannot write ${path}: ${reasonOf(error)}`, {
    ...(code === 'EEXIST' ? { hint: 'Replace it with --force.' } : {}),
    cause: error,
  });
}
