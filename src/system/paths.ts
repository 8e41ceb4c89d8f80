/** Compares paths. On Windows, paths that differ only in case, or in the kind of slashes, are equal. */
import { isAbsolute, type PlatformPath, relative, sep } from 'node:path';

/** The rules of a platform: `node:path`, or one of its parts `posix` and `win32`. */
type Rules = Pick<PlatformPath, 'relative' | 'isAbsolute' | 'sep'>;

const ours: Rules = { isAbsolute, relative, sep };

/** Whether `path` is the folder or is in it. Both are absolute. */
export function isWithin(folder: string, path: string, rules: Rules = ours): boolean {
  const rest = rules.relative(folder, path);
  return rest !== '..' && !rest.startsWith(`..${rules.sep}`) && !rules.isAbsolute(rest);
}

export const isSamePath = (one: string, other: string, rules: Pick<Rules, 'relative'> = ours): boolean =>
  rules.relative(one, other) === '';
