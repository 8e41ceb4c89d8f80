/** Compares paths. On Windows, paths that differ only in case, or in the kind of slashes, are equal. */
import * as ours from 'node:path';

/** The rules of a platform: `node:path`, or one of its parts `posix` and `win32`. */
type Rules = Pick<typeof ours, 'relative' | 'isAbsolute' | 'sep'>;

/** Whether `path` is the folder or is in it. Both are absolute. */
export function isWithin(folder: string, path: string, { relative, isAbsolute, sep }: Rules = ours): boolean {
  const rest = relative(folder, path);
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

/** Whether two absolute paths are equal. */
export const isSamePath = (one: string, other: string, { relative }: Pick<Rules, 'relative'> = ours): boolean =>
  relative(one, other) === '';
