/** Implements `--include`: the files that a document may refer to although they are hidden or of another type. */
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { DtpError } from '../../errors.ts';
import { nameBelow } from '../../input/references.ts';
import { shellLine } from '../../shell.ts';
import { isSamePath, isWithin } from '../../system/paths.ts';

export interface Included {
  /** Whether a file is in the list of included paths, or in an included folder. */
  readonly has: (path: string) => boolean;
  readonly hintFor: (path: string) => string;
}

/** Resolves the included paths. Throws `usage` unless each exists and is the document or in its folder. */
export async function openIncluded(
  cwd: string,
  include: readonly string[],
  folder: string,
  document?: string,
): Promise<Included> {
  const [real, here] = await Promise.all([realpath(folder), realpath(cwd)]);
  const paths = new Set<string>();
  for (const given of include) {
    const path = resolve(cwd, given);
    if (document !== undefined && isSamePath(path, document)) continue;
    const to = await realpath(path).catch(() => undefined);
    if (to === undefined) throw new DtpError('usage', `--include: file not found: ${given}`);
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
      return `To send it anyway, add: --include ${shellLine([shown])}`;
    },
  };
}
