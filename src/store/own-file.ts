/** Reads a small file that is as well protected as its folder. */
import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { orThrow } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { useFile } from '../system/owner.ts';
import { reasonOf } from './files.ts';

/** The maximum size in bytes. Settings files are never larger. */
const LIMIT = 64 * 1024;

/**
 * Reads a regular file that belongs to the user `uid`, to root or to the owner of its folder, and that nobody else can
 * write to, except those who can replace it in its folder. So it works in a checkout of another user, as in a
 * container, and with a umask of 002. Without `uid`, as on Windows, owner and permissions are not checked. Symbolic
 * links are not followed. Throws `config`, and never includes content in the error.
 */
export function readOwnFile(path: string, uid: number | undefined): Buffer {
  const refused = (why: string, hint: string) => new DtpError('config', `${path} ${why}`, { hint });
  // Check for a link here, because Windows has no O_NOFOLLOW.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw refused('is a symbolic link, which is not followed', 'Replace the link with a file, or delete it.');
  const unread = (error: unknown) =>
    error instanceof DtpError ? error : refused(`cannot be read: ${reasonOf(error)}`, 'Fix the file or delete it.');
  const read = (file: number, found: Stats) => {
    if (!found.isFile()) throw refused('is not a file', 'Delete it.');
    const folder = statSync(dirname(path));
    if (uid !== undefined && ![uid, 0, folder.uid].includes(found.uid))
      throw refused(`belongs to another user (uid ${found.uid})`, 'Take ownership of it (chown), or delete it.');
    const mode = found.mode & 0o777;
    if (uid !== undefined && (mode & 0o022 & ~sharedBits(folder, found)) !== 0)
      throw refused(
        `can be changed by other users (mode ${mode.toString(8).padStart(4, '0')})`,
        'Check its content, then make it writable only for you: chmod go-w FILE',
      );
    if (found.size > LIMIT) throw refused(`is longer than ${LIMIT / 1024} KiB`, 'Fix the file or delete it.');
    return readFileSync(file);
  };
  return orThrow(() => useFile(path, read), unread);
}

/** Returns the write permissions that give nobody more than the permissions of the folder do. */
function sharedBits(folder: Stats, { gid }: Stats): number {
  // In a sticky folder such as /tmp, only the owner of a file can replace it.
  if ((folder.mode & 0o1000) !== 0) return 0;
  return folder.mode & (folder.gid === gid ? 0o022 : 0o002);
}
