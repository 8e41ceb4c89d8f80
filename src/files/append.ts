/** Appends lines to a file that the user named, such as DTP_OUTPUT_FILE. Follows no link inside the boundary. */
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { messageOf, systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { realPathOf } from '../system/repository.ts';
import { checkBoundary, checkedPlace, type FileContext, type NamedPath, namedPath } from './boundary.ts';
import { descriptors, folderFlags, hasDescriptors } from './open.ts';
import { isOwnFile } from './own.ts';

interface RunnerFile {
  /** The size in bytes that it must not exceed, because the runner would discard it. */
  readonly most: number;
}

/**
 * Appends a line in a single write, so that lines of several processes do not mix. Inside the boundary of the current
 * folder, the target must be a new file, or a regular file without other hard links that no symbolic link leads to.
 * A runner's file must exist as a regular file, wherever it is. Returns the fault, if any.
 */
export function appendLine(context: FileContext, typed: string, line: string, runner?: RunnerFile): string | undefined {
  try {
    // `resolve` throws if the current folder was deleted.
    const named = namedPath(context, typed);
    const file = openTarget(named, runner);
    try {
      const stats = fstatSync(file, { bigint: true });
      const bytes = Buffer.from(line);
      const fault = faultOf(context, named, { file, stats, runner });
      if (fault !== undefined) return fault;
      if (runner && Number(stats.size) + bytes.byteLength > runner.most) return undefined;
      return writeSync(file, bytes) === bytes.byteLength ? undefined : 'only a part was written';
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof DtpError) return messageOf(error);
    return systemCode(error) ?? String(error);
  }
}

/** Opens the target. Creates it if it is missing and not a runner's file. */
function openTarget(named: NamedPath, runner: RunnerFile | undefined): number {
  // Without O_NONBLOCK, opening a pipe that has no reader would block the command.
  const create = runner ? 0 : constants.O_CREAT;
  const flags = constants.O_WRONLY | constants.O_APPEND | create | (constants.O_NONBLOCK ?? 0);
  const isOutside = named.boundary === undefined;
  if (isOutside && !runner) return openSync(named.path, flags, 0o600);
  const target = isOutside ? named.path : checkedPlace(named, 'it', true);
  const [folder, name] = [dirname(target), basename(target)];
  // Check this before opening, because opening a device may have effects, and Windows has no O_NOFOLLOW.
  const there = lstatSync(target, { throwIfNoEntry: false });
  if (there?.isSymbolicLink()) throw new DtpError('usage', 'it is a symbolic link, which is not followed');
  if (there && !there.isFile()) throw new DtpError('usage', 'it is not a file');
  const noFollow = constants.O_NOFOLLOW ?? 0;
  if (isOutside || !hasDescriptors()) return openSync(target, flags | noFollow, 0o600);
  // The folder is held open, so that nobody can replace it between the check and the creation of the file.
  const held = openSync(folder, folderFlags);
  try {
    checkBoundary(named, readlinkSync(`${descriptors}/${held}`), 'it');
    return openSync(join(descriptors, String(held), name), flags | noFollow, 0o600);
  } finally {
    closeSync(held);
  }
}

interface OpenFile {
  readonly file: number;
  readonly stats: BigIntStats;
  readonly runner: RunnerFile | undefined;
}

/** Returns why nothing may be appended to an open file, or undefined if it may. */
function faultOf(context: FileContext, { path, boundary }: NamedPath, { file, stats, runner }: OpenFile) {
  if (!stats.isFile()) return boundary === undefined && !runner ? undefined : 'it is not a file';
  if (boundary !== undefined && stats.nlink > 1n) return 'it is a hard link to another file';
  const real = hasDescriptors() ? readlinkSync(`${descriptors}/${file}`) : realPathOf(path);
  return isOwnFile(context, real, stats) ? "it is one of dtp's own files" : undefined;
}
