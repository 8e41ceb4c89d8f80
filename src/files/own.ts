/** Recognizes the files of dtp itself, which contain secrets, even under another name. */
import { type BigIntStats, lstatSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { attempt } from '../caught.ts';
import { type FolderKind, folderKinds, folderOf } from '../system/folders.ts';
import { isWithin } from '../system/paths.ts';
import { folderInRepository, realPathOf } from '../system/repository.ts';
import { checkedPlace, type FileContext } from './boundary.ts';

/** What identifies a file, and how many names it has. */
type Identity = Pick<BigIntStats, 'dev' | 'ino' | 'nlink'>;

/** Whether an open file is in one of dtp's folders, or is a hard link to a file there. `real` is its real path. */
export function isOwnFile(context: FileContext, real: string, identity: Identity): boolean {
  const folders = ownFolders(context);
  if (folders.some((folder) => isWithin(folder, real))) return true;
  // Only a file with several names can be one of these files. Reading the folders takes time.
  if (identity.nlink < 2n) return false;
  return folders.some((folder) => filesIn(folder).some((path) => isSame(path, identity)));
}

function ownFolders(context: FileContext): readonly string[] {
  const here = realPathOf(context.cwd);
  return folderKinds.flatMap((kind) => {
    // Without a home folder, there are no files of dtp.
    const folder = attempt(() => realPathOf(resolve(context.cwd, folderOf(context, kind))), undefined);
    if (folder === undefined) return [];
    // If one of the folders is set to the current folder or above it, only the credentials are recognized.
    return [isWithin(folder, here) ? join(folder, 'config.json') : folder];
  });
}

/** Throws `usage` if a folder of dtp is in a repository, and a link leads out of it: somebody may have committed it. */
export function checkOwnFolders(context: FileContext): void {
  for (const kind of folderKinds) checkOwnFile(context, kind, '');
}

/** Does the same for a file in one of dtp's folders. */
export function checkOwnFile(context: FileContext, kind: FolderKind, name: string): void {
  const found = folderInRepository(context, kind);
  if (!found) return;
  const path = join(found.path, name);
  checkedPlace({ path, boundary: found.repository }, `${found.variable}: ${path}`);
}

const filesIn = (path: string): readonly string[] =>
  attempt(() => {
    if (lstatSync(path).isFile()) return [path];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  }, []);

function isSame(path: string, { dev, ino }: Identity): boolean {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found !== undefined && found.dev === dev && found.ino === ino;
}
