/** Reads a small file that only the user or root can write to. */
import { closeSync, fstatSync, lstatSync, openSync, readFileSync } from 'node:fs';
import { DtpError } from '../errors.ts';
import { reasonOf } from './files.ts';
import { SAFE } from './owner.ts';

/** The maximum size in bytes. Settings files are never larger. */
const LIMIT = 64 * 1024;

/**
 * Reads a regular file that belongs to the user `uid` or to root, and that nobody else can write to. Without `uid`, as
 * on Windows, owner and permissions are not checked. Symbolic links are not followed. Throws `config`, and never
 * includes content in the error.
 */
export function readOwnFile(path: string, uid: number | undefined): Buffer {
  const refused = (why: string, hint: string) => new DtpError('config', `${path} ${why}`, { hint });
  // Check for a link here, because Windows has no O_NOFOLLOW.
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    throw refused('is a symbolic link, which is not followed', 'Replace the link with a file, or delete it.');
  let file: number;
  try {
    file = openSync(path, SAFE);
  } catch (error) {
    throw refused(`cannot be read: ${reasonOf(error)}`, 'Fix the file or delete it.');
  }
  try {
    // Check the open file and not its path, because the path may lead to another file by now.
    const found = fstatSync(file);
    if (!found.isFile()) throw refused('is not a file', 'Delete it.');
    if (uid !== undefined && found.uid !== uid && found.uid !== 0)
      throw refused(
        `belongs to another user (uid ${found.uid})`,
        'Take ownership of it (chown), or delete it.',
      );
    const mode = found.mode & 0o777;
    if (uid !== undefined && (mode & 0o022) !== 0)
      throw refused(
        `can be changed by other users (mode ${mode.toString(8).padStart(4, '0')})`,
        'Check its content, then make it writable only for you: chmod go-w FILE',
      );
    if (found.size > LIMIT) throw refused(`is longer than ${LIMIT / 1024} KiB`, 'Fix the file or delete it.');
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
