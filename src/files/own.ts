/** Recognizes the files of dtp itself, which contain secrets, even under another name. */
import { lstatSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { configFolder, dataFolder, stateFolder } from '../system/folders.ts';
import { type FileContext, isWithin, realPathOf } from './boundary.ts';

/** What identifies a file, and how many names it has. */
export interface Identity {
  readonly dev: bigint | number;
  readonly ino: bigint | number;
  readonly nlink: bigint | number;
}

/** Whether an open file is in one of dtp's folders, or is a hard link to a file there. `real` is its real path. */
export function isOwnFile(context: FileContext, real: string, identity: Identity): boolean {
  const folders = ownFolders(context);
  if (folders.some((folder) => isWithin(folder, real))) return true;
  // Only a file with several names can be one of these files. Reading the folders takes time.
  if (Number(identity.nlink) < 2) return false;
  return folders.some((folder) => filesIn(folder).some((path) => isSame(path, identity)));
}

function ownFolders(context: FileContext): readonly string[] {
  const here = realPathOf(context.cwd);
  return [configFolder, dataFolder, stateFolder].flatMap((folderOf) => {
    try {
      const folder = realPathOf(resolve(context.cwd, folderOf(context)));
      // If one of the folders is set to the current directory or above it, only the credentials are recognized.
      return isWithin(folder, here) ? [join(folder, 'config.json')] : [folder];
    } catch {
      // Without a home folder, there are no files of dtp.
      return [];
    }
  });
}

/** Returns the paths of a file, or of all files in a folder. */
function filesIn(path: string): readonly string[] {
  try {
    if (lstatSync(path).isFile()) return [path];
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}

function isSame(path: string, { dev, ino }: Identity): boolean {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found !== undefined && found.dev === BigInt(dev) && found.ino === BigInt(ino);
}
