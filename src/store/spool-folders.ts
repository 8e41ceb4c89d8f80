/** Lists and creates the folders of the queue. */
import { access, constants, link, lstat, readdir, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { systemCode } from '../caught.ts';
import { makeFolders, suffix, syncFolder } from './files.ts';
import { failedTo } from './spool-errors.ts';

/** Returns no names for anything but a folder. A link in the queue does not count, because what it leads to is not queued. */
export async function namesIn(folder: string, isInside = false): Promise<readonly string[]> {
  if (isInside && (await lstat(folder).catch(() => undefined))?.isSymbolicLink()) return [];
  const names = await readdir(folder).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(systemCode(error) ?? '')) return [];
    return failedTo('read', folder)(error);
  });
  return names.sort();
}

/** Creates a folder in the queue, and its missing parents. Renames anything else in its place, such as a file or a link. */
export async function makeFolderInside(folder: string): Promise<void> {
  const found = await lstat(folder).catch(() => undefined);
  if (found && !found.isDirectory()) {
    // Unlike a rename, this never moves a folder that another process has just created.
    const renamed = link(folder, `${folder}.${suffix()}`).then(() => unlink(folder));
    await renamed.catch(failedTo('use', folder));
  }
  await makeFolder(folder);
}

/** Creates a folder and its missing parents, and syncs their names to the disk. */
export async function makeFolder(folder: string): Promise<void> {
  try {
    let made = resolve(folder);
    const first = await makeFolders(made, 0o700);
    await access(made, constants.W_OK);
    // Sync the parent even if the folder existed, because the process that created it may have been killed first.
    do {
      made = dirname(made);
      await syncFolder(made);
    } while (first !== undefined && made.length >= first.length);
  } catch (error) {
    failedTo('use', folder)(error);
  }
}
