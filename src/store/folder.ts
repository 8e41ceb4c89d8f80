/** Writes folders atomically: fills a temporary folder next to the target, then renames it. */
import { access, constants, lstat, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { REPLACED_NAME, reasonOf, suffix, sweepStale, syncFolder } from './files.ts';
import { rename } from './rename.ts';

export type IncomingFolder = Awaited<ReturnType<typeof openIncoming>>;

/** Throws `usage` if the target is not a folder, or not empty and `replace` is false. `name` is for messages. */
export async function checkTargetFolder(path: string, replace: boolean, name = path): Promise<void> {
  const found = await lstat(path).catch((error) => (systemCode(error) === 'ENOENT' ? undefined : failed(name)(error)));
  if (found && !found.isDirectory())
    throw new DtpError('usage', `cannot write ${name}: it is not a folder`, { hint: 'Choose another path with -O.' });
  if (found && !replace && (await readdir(path).catch(failed(name))).length > 0)
    throw new DtpError('usage', `cannot write ${name}: the folder is not empty`, {
      hint: 'Choose another path with -O, or replace its content with --force.',
    });
  await access(dirname(path), constants.W_OK).catch(failed(name));
}

/** Creates a hidden temporary folder next to the target. Throws `usage` if the target is unsuitable. */
export async function openIncoming(path: string, replace: boolean, name = path) {
  await checkTargetFolder(path, replace, name);
  const place = join(dirname(path), `.dtp-${suffix()}`);
  const parts = join(place, 'parts');
  const content = join(place, 'content');
  const old = join(place, REPLACED_NAME);
  await mkdir(place, { mode: 0o700 }).catch(failed(name));
  /** Whether `old` is the only copy of the previous content, because it could not be moved back. */
  let holdsOld = false;
  const drop = (): Promise<void> => (holdsOld ? Promise.resolve() : rm(place, { recursive: true, force: true }));
  try {
    await sweepStale(place);
    for (const folder of [parts, content]) await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    await drop().catch(() => undefined);
    throw notWritten(name, error);
  }
  return {
    /** A folder for temporary files. */
    parts,
    /** The folder that `claim` renames to the target. */
    content,
    claim: async () => {
      // Check again, because another process may have written to the target in the meantime.
      await checkTargetFolder(path, replace, name);
      await syncAll(content).catch(failed(name));
      const isThere = replace
        ? await moved(path, old, name)
        : await rmdir(path)
            .then(() => true)
            .catch(() => false);
      await rename(content, path).catch(async (error: unknown) => {
        if (isThere && replace)
          await rename(old, path).catch(() => {
            holdsOld = true;
          });
        if (isThere && !replace) await mkdir(path).catch(() => undefined);
        throw notWritten(
          name,
          error,
          holdsOld ? ` (the previous content is now in ${join(dirname(name), basename(place), REPLACED_NAME)})` : '',
        );
      });
      await syncFolder(dirname(path)).catch(failed(name));
    },
    /** Deletes the temporary folder, unless it holds the only copy of the previous content. */
    drop,
  };
}

async function syncAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name));
  await syncFolder(folder);
}

/** Moves a folder. Returns false if there is no folder to move. */
async function moved(from: string, to: string, name: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw notWritten(name, error);
  }
}

const failed = (path: string) => (error: unknown) => {
  throw notWritten(path, error);
};

function notWritten(path: string, error: unknown, more = ''): DtpError {
  const isYours = ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG', 'EEXIST'].includes(
    systemCode(error) ?? '',
  );
  return new DtpError(isYours ? 'usage' : 'error', `cannot write ${path}: ${reasonOf(error)}${more}`, { cause: error });
}
