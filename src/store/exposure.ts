/** Finds out whether other users could have written the configuration file. */
import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../caught.ts';
import { shellLine, unsettingLine } from '../shell.ts';
import { exposureOf } from '../system/owner.ts';

/** A configuration file that other users could have written. */
export interface Exposed {
  readonly file: string;
  /** The reason, phrased to follow the path of the file and a comma. */
  readonly why: string;
  /** Whether the folder of the file is the problem. Writing the file again does not correct this. */
  readonly isFolder: boolean;
  /** What to do, phrased to follow "Or". Ends with a colon if `next` has commands. */
  readonly advice: string;
  /** The commands that correct the owner and the permissions, or select another folder. */
  readonly next: readonly string[];
}

/**
 * The user of this process, and the user who called sudo. Windows has no numeric user ids. `inRepository` is set if a
 * variable puts the folder into a repository.
 */
export interface User {
  readonly uid?: number | undefined;
  readonly sudoUid?: number | undefined;
  readonly inRepository?: { readonly variable: string; readonly repository: string } | undefined;
}

interface Found {
  readonly path: string;
  readonly stats: Stats;
  readonly isFolder: boolean;
}

/**
 * Checks the folder of a file and the file, if it exists. If the file is a link, also checks its target. Folders above
 * are not checked. In a repository, everybody who can commit there could have written the file. Returns undefined if
 * only this user and root could have written it.
 */
export function exposedBy(file: string, user: User): Exposed | undefined {
  const { uid, inRepository } = user;
  if (inRepository) return exposedInRepository(file, inRepository);
  const found: Found[] = [];
  for (const path of withTarget(file)) {
    const [stats, folder] = [statOf(path), statOf(dirname(path))];
    if (folder && isExposedFolder(folder, uid)) found.push({ path: dirname(path), stats: folder, isFolder: true });
    if (stats && exposureOf(stats, uid)) found.push({ path, stats, isFolder: false });
  }
  const [first] = found;
  if (!first) return undefined;
  const why = `${first.isFolder ? 'whose folder' : 'which'} ${describe(first.stats, uid)}`;
  return { file, why, isFolder: first.isFolder, ...fixes(found, user) };
}

const exposedInRepository = (file: string, { variable, repository }: NonNullable<User['inRepository']>): Exposed => ({
  file,
  why: `whose folder is in ${repository}, where other people may have put it`,
  isFolder: true,
  advice: `set ${variable} to a folder outside of it, or run:`,
  next: [unsettingLine([variable])],
});

/** Checks a folder. Returns undefined if only this user and root can write to it, or if it does not exist. */
export function exposedFolder(path: string, user: User): Omit<Exposed, 'file' | 'isFolder'> | undefined {
  const stats = statOf(path);
  if (!stats || !isExposedFolder(stats, user.uid)) return undefined;
  return { why: describe(stats, user.uid), ...fixes([{ path, stats, isFolder: true }], user) };
}

/** In a sticky folder such as /tmp, only the owner of a file can replace it. */
const isExposedFolder = (found: Stats, uid: number | undefined): boolean =>
  exposureOf(found, uid) === 'foreign' || (exposureOf(found, uid) === 'writable' && (found.mode & 0o1000) === 0);

function describe(found: Stats, uid: number | undefined): string {
  const mode = (found.mode & 0o777).toString(8).padStart(4, '0');
  return exposureOf(found, uid) === 'foreign'
    ? `belongs to another user (uid ${found.uid})`
    : `can be changed by other users (mode ${mode})`;
}

function fixes(found: readonly Found[], { uid, sudoUid }: User): Pick<Exposed, 'advice' | 'next'> {
  const lineFor = (words: readonly string[], some: readonly Found[]) => {
    const paths = [...new Set(some.map(({ path }) => path))];
    const needsRoot = uid !== 0 && some.some(({ stats }) => stats.uid !== uid);
    return paths.length === 0 ? [] : [shellLine([...(needsRoot ? ['sudo'] : []), ...words, ...paths])];
  };
  const foreign = found.filter(({ stats }) => exposureOf(stats, uid) === 'foreign');
  // `chown 0` would take the file away from the user who called sudo.
  if (foreign.some(({ stats }) => stats.uid === sudoUid)) return { advice: 'run dtp without sudo.', next: [] };
  const writable = found.filter(({ stats }) => (stats.mode & 0o022) !== 0);
  const next = [...lineFor(['chown', String(uid)], foreign), ...lineFor(['chmod', 'go-w'], writable)];
  return { advice: 'check the content, then run:', next };
}

/** Returns the file and, if it is a link, its target. */
const withTarget = (file: string): readonly string[] =>
  attempt(() => (lstatSync(file).isSymbolicLink() ? [file, realpathSync(file)] : [file]), [file]);

/** Returns undefined if the path does not exist or cannot be inspected. */
const statOf = (path: string): Stats | undefined => attempt(() => statSync(path), undefined);
