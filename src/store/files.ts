/** Writes files atomically, and creates folders. */
import { randomBytes } from 'node:crypto';
import { access, chmod, constants, link, lstat, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ignoring, systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { checkRootOwns } from '../system/owner.ts';
import { rename } from './rename.ts';
import { writeBehind } from './write-behind.ts';

export interface WriteOptions {
  /** The permissions of the file. The default is 0600. */
  readonly mode?: number;
  readonly replace: boolean;
  /** The path for messages, if it is not the path of the file. */
  readonly name?: string;
}

/**
 * Writes a file atomically: a temporary file next to it is synced to the disk, then renamed. Only regular files are
 * replaced, never a link or a device. Throws `usage` for an unsuitable target. Passes on errors thrown by `content`.
 */
export async function writeFileWhole(
  path: string,
  content: Uint8Array | string | AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<void> {
  // Check before requesting the content, so that a download does not start if its target is unsuitable.
  const { name = path } = options;
  await checkTarget(path, options.replace, name);
  const temporary = join(dirname(path), `.dtp-${suffix()}`);
  const failed = (error: unknown) => {
    throw notWritten(name, error);
  };

  const file = await open(temporary, 'wx', options.mode ?? 0o600).catch(failed);
  try {
    try {
      await sweepStale(temporary);
      if (isWhole(content)) await file.writeFile(content).catch(failed);
      else await writeBehind(file, content, failed);
      await file.sync().catch(failed);
    } finally {
      await file.close();
    }
    await (options.replace ? rename(temporary, path) : renameExclusively(temporary, path)).catch(failed);
    await syncFolder(dirname(path)).catch(failed);
  } finally {
    // If the temporary file cannot be deleted now, a later write deletes it.
    await rm(temporary, { force: true }).catch(() => undefined);
  }
}

/** Matches the names that temporary files and folders have until they are renamed. */
const TEMPORARY = /^\.dtp-[0-9a-f]{12}$/;

/** The name that the content of a folder has in a temporary folder, before it is replaced. */
export const REPLACED_NAME = 'old';

/** The longest time that a temporary file can be in use, in milliseconds. */
const DAY = 24 * 60 * 60 * 1000;

/**
 * Deletes temporary files that killed processes left in the same folder, if they are more than a day old by the file
 * system's clock. Younger files may be in use. Never deletes the previous content of a folder, because it may be the
 * only copy. Never fails.
 */
export async function sweepStale(temporary: string): Promise<void> {
  const folder = dirname(temporary);
  const names = await readdir(folder).catch(() => []);
  const others = names.filter((name) => TEMPORARY.test(name)).map((name) => join(folder, name));
  if (others.length < 2) return;
  const now = (await lstat(temporary).catch(() => undefined))?.mtimeMs ?? 0;
  for (const path of others) {
    const found = await lstat(path).catch(() => undefined);
    if (found && now - found.mtimeMs > DAY && !(await mayExist(join(path, REPLACED_NAME))))
      await rm(path, { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Returns false only if there is certainly nothing at a path. */
export const mayExist = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    (error: unknown) => !['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? ''),
  );

export const suffix = () => randomBytes(6).toString('hex');

const isWhole = (content: Uint8Array | string | AsyncIterable<Uint8Array>): content is Uint8Array | string =>
  typeof content === 'string' || content instanceof Uint8Array;

/** Checks that a file can be written at a path. `name` is its path in messages. Throws `usage` if it cannot. */
export async function checkTarget(path: string, replace: boolean, name = path): Promise<void> {
  const failed = (error: unknown) => Promise.reject(notWritten(name, error));
  const found = await lstat(path).catch((error) => (systemCode(error) === 'ENOENT' ? undefined : failed(error)));
  if (!found) return access(dirname(path), constants.W_OK).catch(failed);
  if (!found.isFile()) throw new DtpError('usage', `cannot write ${name}: it is ${kindOf(found)}, not a file`);
  if (!replace) throw notWritten(name, { code: 'EEXIST' });
}

function kindOf(found: { isDirectory(): boolean; isSymbolicLink(): boolean }): string {
  if (found.isDirectory()) return 'a folder';
  return found.isSymbolicLink() ? 'a symbolic link' : 'a device';
}

/** Renames `from` to `to`, which must not exist. Throws EEXIST if it does. */
export async function renameExclusively(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!['EPERM', 'EACCES', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error;
    // The file system does not support hard links. Reserve the name with an empty file, then replace that file.
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
 * Creates a folder and its missing parents. Returns the topmost new folder, or undefined if nothing was created. Does
 * not use Node's recursive mkdir, which never returns if an existing folder cannot have subfolders, as in /proc.
 */
export async function makeFolders(folder: string, mode: number): Promise<string | undefined> {
  try {
    return await makeFolder(folder, mode);
  } catch (error) {
    const above = dirname(folder);
    if (systemCode(error) !== 'ENOENT' || above === folder) throw error;
    const isAbove = await stat(above).then(Boolean, () => false);
    // Another process has just created the parent, or the parent cannot have subfolders.
    if (isAbove) return makeFolder(folder, mode);
    const first = await makeFolders(above, mode);
    return (await makeFolders(folder, mode)) === undefined ? first : (first ?? folder);
  }
}

/** Creates a folder. Returns undefined if it already exists. */
async function makeFolder(folder: string, mode: number): Promise<string | undefined> {
  try {
    await mkdir(folder, { mode });
    return folder;
  } catch (error) {
    if (systemCode(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return undefined;
    throw error;
  }
}

/** Writes a private file to a folder of the tool, or to one in the folder `own`. Throws `config` like `checkRootOwns`. */
export async function writePrivate(file: string, content: string, own = dirname(file)): Promise<void> {
  const folder = dirname(file);
  checkRootOwns(folder, own);
  await makeFolders(folder, 0o700);
  await chmod(folder, 0o700);
  await writeFileWhole(file, content, { replace: true });
}

/** Syncs a folder. The name of a new file is safely on the disk only after its folder is synced. */
export async function syncFolder(folder: string): Promise<void> {
  // Windows does not open folders, and a folder may be unreadable.
  const isClosed = (error: unknown) => ['EISDIR', 'EPERM', 'EACCES'].includes(systemCode(error) ?? '');
  const handle = await open(folder, 'r').catch(ignoring(isClosed));
  try {
    await handle?.sync();
  } catch (error) {
    if (!['EINVAL', 'ENOTSUP', 'EPERM'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    await handle?.close();
  }
}

/** Describes why a file operation failed, phrased to follow a colon. */
export const reasonOf = (error: unknown): string =>
  reasons[systemCode(error) ?? '']?.words ?? systemCode(error) ?? String(error);

/** Descriptions by error code. `yours` means that the user can fix the problem with another path or a flag. */
const reasons: Readonly<Record<string, { readonly words: string; readonly yours?: true }>> = {
  EEXIST: { words: 'it already exists', yours: true },
  ENOENT: { words: 'its folder does not exist', yours: true },
  ENOTDIR: { words: 'a part of its path is not a folder', yours: true },
  EISDIR: { words: 'it is a folder, not a file', yours: true },
  ENAMETOOLONG: { words: 'its name is too long', yours: true },
  EACCES: { words: 'permission denied', yours: true },
  EPERM: { words: 'permission denied', yours: true },
  EBUSY: { words: 'another program has it open', yours: true },
  EROFS: { words: 'the disk is read-only', yours: true },
  ENOSPC: { words: 'no space left on the disk' },
  EDQUOT: { words: 'your disk quota is used up' },
  EFBIG: { words: 'it would exceed the file size limit' },
  EIO: { words: 'the disk failed' },
};

export function notWritten(path: string, error: unknown): DtpError {
  const code = systemCode(error) ?? '';
  return new DtpError(reasons[code]?.yours ? 'usage' : 'error', `cannot write ${path}: ${reasonOf(error)}`, {
    ...(code === 'EEXIST' ? { hint: 'Overwrite it with --force.' } : {}),
    cause: error,
  });
}
