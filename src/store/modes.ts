/** Restricts the permissions of private files and folders. */
import { chmodSync, statSync } from 'node:fs';
import { attempt } from '../caught.ts';
import { reasonOf } from './files.ts';

/**
 * Removes permissions that `mode` does not allow. Returns a warning if there were any, or undefined otherwise. Never
 * fails: if the permissions cannot be changed, the warning says so and the file can still be used. Without secrets, the
 * permissions of such a file may stay, as that of an administrator or of a read-only disk.
 */
export function narrowMode(path: string, mode: number, hasSecrets: () => boolean = () => true): string | undefined {
  const found = attempt(() => statSync(path), undefined);
  // Do not change other kinds of files, such as a folder in place of a file, or a device that a link leads to.
  const isExpectedKind = (mode & 0o111) === 0 ? found?.isFile() : found?.isDirectory();
  if (!found || !isExpectedKind || (found.mode & 0o777 & ~mode) === 0) return undefined;
  const was = `${path} had permissions ${textOf(found.mode)}, so others may have read the secrets in it`;
  try {
    chmodSync(path, found.mode & mode);
    return `${was}. They are now ${textOf(found.mode & mode)}`;
  } catch (error) {
    return hasSecrets() ? `${was}. They cannot be changed: ${reasonOf(error)}` : undefined;
  }
}

const textOf = (mode: number) => (mode & 0o777).toString(8).padStart(4, '0');
