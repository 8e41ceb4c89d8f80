/** Finds the repository that a folder is in. Files there may come from somebody else. */
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { attempt } from '../caught.ts';
import { type FolderEnvironment, type FolderKind, folderOf, folderVariable } from './folders.ts';
import { isSamePath, isWithin } from './paths.ts';

/** Returns the path without symbolic links, or the path itself if it does not exist. */
export const realPathOf = (path: string): string => attempt(() => realpathSync.native(path), path);

/** Returns the nearest folder with `.git` at or above the current folder, but below the home folder. */
export function repositoryOf({ cwd, home }: { readonly cwd: string; readonly home: string }): string | undefined {
  const homes = [home, realPathOf(home)];
  const isHome = (folder: string) => homes.some((one) => isSamePath(one, folder));
  for (let folder = cwd; dirname(folder) !== folder && !isHome(folder); folder = dirname(folder))
    if (existsSync(join(folder, '.git'))) return folder;
  return undefined;
}

/** Whether a path belongs neither to the user or root, nor to the owner of its folder, as in a checkout of that user. */
export function isForeign(path: string, { uid }: { readonly uid?: number | undefined }): boolean {
  const owner = lstatSync(path, { throwIfNoEntry: false })?.uid;
  return owner !== undefined && uid !== undefined && ![uid, 0, statSync(dirname(path)).uid].includes(owner);
}

/** Whether a path is inside a folder, perhaps with another name of it, such as /tmp/x for /private/tmp/x. */
export function isInside(folder: string, path: string): boolean {
  if (isWithin(folder, path)) return true;
  for (let above = path; ; above = dirname(above)) {
    if (isSamePath(realPathOf(above), folder)) return true;
    if (dirname(above) === above) return false;
  }
}

/**
 * Checks whether a variable puts one of dtp's own folders into the repository of the current folder, or makes it
 * depend on the current folder. What is stored there may then have been committed by somebody else. The default
 * folders are never in a repository, unless the home folder is, which the user trusts. The returned `path` is the
 * absolute path as it was typed, `repository` a real path.
 */
export function folderInRepository(place: FolderEnvironment & { readonly cwd: string }, kind: FolderKind) {
  const variable = folderVariable(place, kind);
  if (variable === undefined) return undefined;
  const folder = folderOf(place, kind);
  // Nobody can have put files into a folder that was deleted.
  const cwd = attempt(() => place.cwd, undefined);
  if (cwd === undefined) return undefined;
  const found = repositoryOf({ cwd, home: place.home }) ?? (isAbsolute(folder) ? undefined : cwd);
  if (found === undefined) return undefined;
  const [path, repository] = [resolve(cwd, folder), realPathOf(found)];
  if (isWithin(repository, realPathOf(place.home)) && isWithin(place.home, path)) return undefined;
  const isThere = isInside(repository, path) || isWithin(repository, realPathOf(path));
  return isThere ? { variable, path, repository } : undefined;
}
