/** Folders that appear whole or not at all. */
import { access, constants, lstat, mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { reasonOf, suffix, sweepStale, syncFolder } from './files.ts';

export interface Incoming {
  /** For what is on its way. */
  readonly parts: string;
  /** What takes the folder's name. */
  readonly content: string;
  readonly claim: () => Promise<void>;
  /** Removes what did not become the folder, save what was there before. */
  readonly drop: () => Promise<void>;
}

/** Throws `usage` for a place that will not do: one that is taken, unless `replace`, or that is no folder. */
export async function checkFolder(path: string, replace: boolean): Promise<void> {
  const found = await lstat(path).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
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
  const parts = join(place, 'parts');
  const content = join(place, 'content');
  const old = join(place, 'old');
  await mkdir(place, { mode: 0o700 }).catch(failed(path));
  /** What was there before could not be moved back: then it is all that there is. */
  let holdsOld = false;
  const drop = () => (holdsOld ? Promise.resolve() : rm(place, { recursive: true, force: true }));
  try {
    await sweepStale(place);
    for (const folder of [parts, content]) await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    await drop().catch(() => undefined);
    throw notWritten(path, error);
  }
  return {
    parts,
    content,
    claim: async () => {
      // Somebody may have written there meanwhile.
      await checkFolder(path, replace);
      await syncAll(content).catch(failed(path));
      const isThere = replace
        ? await moved(path, old)
        : await rmdir(path).then(
            () => true,
            () => false,
          );
      await rename(content, path).catch(async (error: unknown) => {
        if (isThere && replace)
          await rename(old, path).catch(() => {
            holdsOld = true;
          });
        if (isThere && !replace) await mkdir(path).catch(() => undefined);
        throw notWritten(path, error, holdsOld ? `; what was there is now ${old}` : '');
      });
      await syncFolder(dirname(path)).catch(failed(path));
    },
    drop,
  };
}

/** A folder and those in it: their names are on the disk then. */
async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name));
  await syncFolder(folder);
}

/** Whether there was anything to move. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw notWritten(from, error);
  }
}

const failed = (path: string) => (error: unknown) => {
  throw notWritten(path, error);
};

function notWritten(path: string, error: unknown, more = ''): DtpError {
  const isYours = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG', 'EEXIST'].includes(
    systemCode(error) ?? '',
  );
  return new DtpError(isYours ? 'usage' : 'error', `cannot write ${path}: ${reasonOf(error)}${more}`, {
    cause: error,
  });
}
