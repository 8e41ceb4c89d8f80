/** Finds out whether other users could have written a file of the tool, and opens such files safely. */
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { attempt } from '../caught.ts';
import { DtpError } from '../errors.ts';

/** `foreign`: neither the current user nor root owns the file. `writable`: the group or others may write to it. */
export type Exposure = 'foreign' | 'writable';

/** Returns how users other than `uid` and root could have changed a path, if they could. Windows has no numeric ids. */
export function exposureOf(found: Stats, uid: number | undefined): Exposure | undefined {
  if (uid === undefined) return undefined;
  if (found.uid !== uid && found.uid !== 0) return 'foreign';
  return (found.mode & 0o022) === 0 ? undefined : 'writable';
}

/** Opening a pipe does not block, and links are not followed. Windows has neither of these flags. */
export const SAFE_READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The maximum size of the tool's small files. The size is checked before the file is read. */
export const smallLimit = { bytes: 16 * 1024 ** 2, text: '16 MiB' };

/**
 * Reads a private file of the tool. Throws if it is not a regular file or is too large, or if users other than `uid`
 * and root could have written it or replaced it in its folder.
 */
export function readPrivate(path: string, uid: number | undefined): Buffer {
  const folder = statSync(dirname(path));
  return useFile(path, (file, found) => {
    if (!found.isFile() || exposureOf(found, uid) || exposureOf(folder, uid))
      throw new Error(`${path} is not a private file`);
    if (found.size > smallLimit.bytes) throw new RangeError(`${path} is too large`);
    return readFileSync(file);
  });
}

/**
 * Opens a file for reading, and closes it after `use`. The open file is checked and not its path, because the path
 * may lead to another file by now. Throws file system errors.
 */
export function useFile<T>(path: string, use: (file: number, found: Stats) => T): T {
  const file = openSync(path, SAFE_READ);
  try {
    return use(file, fstatSync(file));
  } finally {
    closeSync(file);
  }
}

/**
 * Throws `config` if this is root, and one of the tool's folders, or a link in its path, belongs to another user.
 * With `sudo -E`, that user would choose what root overwrites. Returns the first folder.
 */
export function checkRootOwns(first: string, ...others: readonly string[]): string {
  for (const folder of process.geteuid?.() === 0 ? [first, ...others] : [])
    for (let one = resolve(folder); dirname(one) !== one; one = dirname(one)) {
      const found = attempt(() => lstatSync(one), undefined);
      const target = one === resolve(folder) ? attempt(() => statSync(one), undefined) : undefined;
      if (!target?.uid && !(found?.uid && found.isSymbolicLink())) continue;
      throw new DtpError('config', `nothing is written to ${folder}, because ${one} belongs to another user`, {
        hint: 'Run dtp without sudo. Or set DTP_CONFIG_DIR, DTP_STATE_DIR and DTP_DATA_DIR to folders of root.',
      });
    }
  return first;
}
