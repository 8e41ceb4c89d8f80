/** Modes of what only its owner may read. */
import { chmodSync, type Stats, statSync } from 'node:fs';
import { reasonOf } from './files.ts';

/**
 * Takes from a file or a folder what `mode` does not allow. What is to be told of one that was wider; undefined of one that
 * was not, or is not there. Never fails: what cannot be changed is told, and the file can be used all the same.
 */
export function narrow(path: string, mode: number): string | undefined {
  const found = statOf(path);
  // A folder in the place of a file, or a device that a link leads to, is not ours to change.
  const isMeant = (mode & 0o111) === 0 ? found?.isFile() : found?.isDirectory();
  if (!found || !isMeant || (found.mode & 0o777 & ~mode) === 0) return undefined;
  const was = `${path} had the mode ${textOf(found.mode)}: others may have read the secrets in it`;
  try {
    chmodSync(path, found.mode & mode);
    return `${was}; now it has ${textOf(found.mode & mode)}`;
  } catch (error) {
    return `${was}, and still may: it cannot be changed (${reasonOf(error)})`;
  }
}

/** Undefined also where it cannot be looked at: who opens it is told why. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

const textOf = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');
