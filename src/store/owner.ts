/** Finds out whether other users could have written a file of the tool, and opens such files safely. */
import { closeSync, constants, fstatSync, openSync, type Stats } from 'node:fs';

/** `foreign` means that another user owns the file, `writable` that the group or others may write to it. */
export type Exposure = 'foreign' | 'writable';

/**
 * Returns how users other than `uid` and root could have changed a file or folder, or undefined if they could not.
 * Windows has no numeric user ids, so without `uid` nothing is checked.
 */
export function exposureOf(found: Stats, uid: number | undefined): Exposure | undefined {
  if (uid === undefined) return undefined;
  if (found.uid !== uid && found.uid !== 0) return 'foreign';
  return (found.mode & 0o022) === 0 ? undefined : 'writable';
}

/**
 * Opens a file for reading, and closes it after `use`. Opening a pipe does not block, and links are not followed. The
 * open file is checked and not its path, because the path may lead to another file by now. Throws file system errors.
 */
export function useFile<T>(path: string, use: (file: number, found: Stats) => T): T {
  // Windows has neither of these flags.
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  const file = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    return use(file, fstatSync(file));
  } finally {
    closeSync(file);
  }
}
