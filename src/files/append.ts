/**
 * Appends lines to a file that the user named, such as DTP_OUTPUT_FILE. It never follows a link in a working folder.
 */
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf, systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { realPathOf } from '../system/repository.ts';
import { checkBoundary, checkedPlace, type FileContext, type NamedPath, namedPath } from './boundary.ts';
import { descriptors, folderFlags, hasDescriptors } from './descriptors.ts';
import { isOwnFile } from './own.ts';

/**
 * Appends a line in a single write, so that lines of several processes do not mix. Inside the boundary of the working
 * folder, the target must be a new file, or a regular file without other hard links that no symbolic link leads to.
 * Returns the fault, if any.
 */
export function appendLine(context: FileContext, typed: string, line: string): string | undefined {
  try {
    // `resolve` throws if the current directory was deleted.
    const named = namedPath(context, typed);
    const file = openTarget(named);
    try {
      const fault = faultOf(context, named, file);
      if (fault !== undefined) return fault;
      const bytes = Buffer.from(line);
      return writeSync(file, bytes) === bytes.byteLength ? undefined : 'only a part was written';
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof DtpError) return messageOf(error);
    return systemCode(error) ?? String(error);
  }
}

/** Opens the target, and creates it if it is missing. */
function openTarget(named: NamedPath): number {
  // Without O_NONBLOCK, opening a pipe that has no reader would block the command.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | (constants.O_NONBLOCK ?? 0);
  if (named.boundary === undefined) return openSync(named.path, flags, 0o600);
  const target = checkedPlace(named, 'it', true);
  const [folder, name] = [dirname(target), basename(target)];
  // Check this before opening, because opening a device may have effects, and Windows has no O_NOFOLLOW.
  const there = lstatSync(target, { throwIfNoEntry: false });
  if (there?.isSymbolicLink()) throw new DtpError('usage', 'it is a symbolic link, which is not followed');
  if (there && !there.isFile()) throw new DtpError('usage', 'it is not a file');
  const noFollow = constants.O_NOFOLLOW ?? 0;
  if (!hasDescriptors()) return openSync(target, flags | noFollow, 0o600);
  // The folder is held open, so that nobody can replace it between the check and the creation of the file.
  const held = openSync(folder, folderFlags);
  try {
    checkBoundary(named, readlinkSync(`${descriptors}/${held}`), 'it');
    return openSync(join(descriptors, String(held), name), flags | noFollow, 0o600);
  } finally {
    closeSync(held);
  }
}

/** Returns the reason why nothing may be written to an open file. */
function faultOf(context: FileContext, { path, boundary }: NamedPath, file: number): string | undefined {
  const stats = fstatSync(file, { bigint: true });
  if (!stats.isFile()) return boundary === undefined ? undefined : 'it is not a file';
  if (boundary !== undefined && stats.nlink > 1n) return 'it is a hard link to another file';
  const real = hasDescriptors() ? readlinkSync(`${descriptors}/${file}`) : realPathOf(path);
  return isOwnFile(context, real, stats) ? "it is one of dtp's own files" : undefined;
}
