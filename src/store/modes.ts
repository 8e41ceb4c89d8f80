/** Modes of what only its owner may read. */
import { chmod, stat } from 'node:fs/promises';
import { reasonOf } from './files.ts';

/**
 * Takes from a file or a folder what `mode` does not allow. What is to be told of one that was wider; undefined of one that
 * was not, or is not there. Never fails: what cannot be changed is told, and the file can be used all the same.
 */
export async function narrow(path: string, mode: number): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || (found.mode & 0o777 & ~mode) === 0) return undefined;
  const was = `${path} had the mode ${textOf(found.mode)}: others may have read the secrets in it`;
  return chmod(path, found.mode & mode).then(
    () => `${was}; now it has ${textOf(found.mode & mode)}`,
    (error: unknown) => `${was}, and still may: it cannot be changed (${reasonOf(error)})`,
  );
}

const textOf = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');
