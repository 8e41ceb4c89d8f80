/** Folders that appear whole or not at all. */
import { access, constants, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DtpError } from '../errors.ts';
import { reasonOf, suffix, syncFolder } from './files.ts';

export interface Incoming {
  /** For what is on its way. */
  readonly parts: string;
  /** What takes the folder's name. */
  readonly content: string;
  readonly claim: () => Promise<void>;
  /** Removes what did not become the folder. */
  readonly drop: () => Promise<void>;
}

/** Throws `usage` for a place that will not do: one that is taken, unless `replace`, or that is no folder. */
export async function checkFolder(path: string, replace: boolean): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (codeIn(error) === 'ENOENT') return undefined;
    throw notWritten(path, error);
  });
  if (found && !found.isDirectory())
    throw new DtpError('usage', `cannot write ${path}: it is no folder`, { hint: 'Name another with -O.' });
  if (found && !replace && (await readdir(path).catch(failed(path))).length > 0)
    throw new DtpError('usage', `cannot write ${path}: the folder is not empty`, {
      hint: 'Name another with -O, or replace all of it with --force.',
    });
  await access(dirname(path), constants.W_OK).catch(failed(path));
}

/** A folder in the making, hidden beside the place that it is to have. */
export async function openIncoming(path: string, replace: boolean): Promise<Incoming> {
  await checkFolder(path, replace);
  const place = join(dirname(path), `.dtp-${suffix()}`);
  const [parts, content, old] = ['parts', 'content', 'old'].map((name) => join(place, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(place, { mode: 0o700 }).catch(failed(path));
  for (const folder of [parts, content]) await mkdir(folder, { mode: 0o700 });
  return {
    parts,
    content,
    claim: async () => {
      // Somebody may have written there meanwhile.
      await checkFolder(path, replace);
      for (const entry of await readdir(content, { recursive: true, withFileTypes: true }))
        if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name));
      await syncFolder(content);
      const isThere = replace
        ? await moved(path, old)
        : await rmdir(path).then(
            () => true,
            () => false,
          );
      await rename(content, path).catch(async (error: unknown) => {
        if (isThere) await (replace ? rename(old, path) : mkdir(path)).catch(() => undefined);
        throw notWritten(path, error);
      });
      await syncFolder(dirname(path));
    },
    drop: () => rm(place, { recursive: true, force: true }),
  };
}

/** Whether there was anything to move. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (codeIn(error) === 'ENOENT') return false;
    throw notWritten(from, error);
  }
}

const codeIn = (error: unknown) => (error as { readonly code?: string }).code;

const failed = (path: string) => (error: unknown) => {
  throw notWritten(path, error);
};

function notWritten(path: string, error: unknown): DtpError {
  const isYours = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG', 'EEXIST'].includes(
    codeIn(error) ?? '',
  );
  return new DtpError(isYours ? 'usage' : 'error', `cannot write ${path}: ${reasonOf(error)}`, {
    cause: error,
  });
}
