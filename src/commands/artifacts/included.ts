/** `--include`: files that a pushed document may refer to although they hide, or are of another kind. */
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { DtpError } from '../../errors.ts';
import { nameBelow } from '../../input/references.ts';
import { shellLine } from '../../shell.ts';

export interface Included {
  /** Whether a file is one of them, or in a folder that is. */
  readonly has: (path: string) => boolean;
  readonly hintFor: (path: string) => string;
}

/** Throws `usage` for a path that is not there, or not in the folder of the document: a bundle has no place for it. */
export async function openIncluded(
  cwd: string,
  include: readonly string[],
  folder: string,
): Promise<Included> {
  const [real, here] = await Promise.all([realpath(folder), realpath(cwd)]);
  const paths = new Set<string>();
  for (const given of include) {
    const path = resolve(cwd, given);
    const to = await realpath(path).catch(() => undefined);
    if (to === undefined) throw new DtpError('usage', `--include: ${given} is not there`);
    if (!isWithin(real, to))
      throw new DtpError('usage', `--include: ${given} is outside the document's folder`, {
        hint: 'Move the file into that folder.',
      });
    paths.add(path).add(to);
  }
  return {
    has: (path) => [...paths].some((one) => isWithin(one, path)),
    hintFor: (path) => {
      const shown = nameBelow(isWithin(real, path) ? here : cwd, path);
      return `If it is meant to be sent, add: --include ${shellLine([shown])}`;
    },
  };
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
