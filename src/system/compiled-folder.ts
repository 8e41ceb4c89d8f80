/** Chooses the folder for compiled code. V8 executes the code there, so nobody else may write to it. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { attempt } from '../caught.ts';
import { type FolderEnvironment, stateFolder } from './folders.ts';
import { checkRootOwns, exposureOf } from './owner.ts';
import { folderInRepository } from './repository.ts';

/** Returns the folder, and creates it if necessary. Undefined if that fails or other users can write to it. */
export function compiledFolder(place: FolderEnvironment & { readonly cwd: string }, uid: number | undefined) {
  // A command that needs the folder reports that it is unusable.
  const state = attempt(() => checkRootOwns(stateFolder(place)), undefined);
  // In a repository, somebody else may have committed the code.
  if (state === undefined || !isAbsolute(state) || folderInRepository(place, 'state')) return undefined;
  const folder = join(state, 'compiled');
  if (!existsSync(folder))
    // Create them one by one: Node's recursive mkdir never returns if a folder cannot have subfolders, as in /proc.
    for (const one of [dirname(dirname(state)), dirname(state), state, folder])
      try {
        mkdirSync(one, { mode: 0o700 });
      } catch {}
  return isOwn(state, uid) && isOwn(folder, uid) ? folder : undefined;
}

/** Whether only the user and root can write to a folder. */
const isOwn = (folder: string, uid: number | undefined): boolean =>
  attempt(() => {
    const found = lstatSync(folder);
    return found.isDirectory() && exposureOf(found, uid) === undefined;
  }, false);
