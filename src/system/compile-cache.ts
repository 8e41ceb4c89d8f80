/** Where Node may keep what it compiles: it runs what it finds there. */
import { existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { type Place, stateFolder } from './folders.ts';

/** The folder, made where it is absent; undefined where there is none that nobody but the user `uid` may write to. */
export function compiledFolder(place: Place, uid: number | undefined): string | undefined {
  const state = stateIn(place);
  // Another would be one of the folder that the command happens to run in.
  if (state === undefined || !isAbsolute(state)) return undefined;
  const folder = join(state, 'compiled');
  if (!existsSync(folder))
    // One by one: all at once, Node never ends where a folder that is there takes no other, as in /proc.
    for (const one of [dirname(dirname(state)), dirname(state), state, folder])
      try {
        mkdirSync(one, { mode: 0o700 });
      } catch {}
  return isOwn(state, uid) && isOwn(folder, uid) ? folder : undefined;
}

/** Undefined if there is no usable home folder, which a command that needs one will say. */
function stateIn(place: Place): string | undefined {
  try {
    return stateFolder(place);
  } catch {
    return undefined;
  }
}

/** Windows has no users by number, and keeps its folders private by other means. */
function isOwn(folder: string, uid: number | undefined): boolean {
  try {
    const found = lstatSync(folder);
    return found.isDirectory() && (uid === undefined || (found.uid === uid && (found.mode & 0o022) === 0));
  } catch {
    return false;
  }
}
