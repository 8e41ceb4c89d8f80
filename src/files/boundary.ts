/** Finds the boundary of the current folder, in which others may have put links that lead out of it. */
import { lstatSync, realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { attempt } from '../caught.ts';
import { DtpError } from '../errors.ts';
import type { FolderEnvironment } from '../system/folders.ts';
import { isSamePath, isWithin } from '../system/paths.ts';
import { isForeign, isInside, realPathOf, repositoryOf } from '../system/repository.ts';

/** The current folder, and what determines the folders of dtp. */
export interface FileContext extends FolderEnvironment {
  readonly cwd: string;
  readonly uid?: number | undefined;
  /** The real path of the folder that an agent may read. */
  readonly root?: string;
}

/** A path that a user or a file of the user named. */
export interface NamedPath {
  /** The absolute path, as it was typed. */
  readonly path: string;
  /** The real path of the boundary, if the path is inside it. Otherwise the user named a place outside. */
  readonly boundary?: string;
}

/** Returns the real path of the repository, or else the current folder. Undefined for the root of the disk. */
export function folderBoundaryOf(context: FileContext): string | undefined {
  const boundary = realPathOf(repositoryOf(context) ?? context.cwd);
  return dirname(boundary) === boundary ? undefined : boundary;
}

/** Returns the absolute path and its boundary: the repository of the current folder, or of the path, or the folder. */
export function namedPath(context: FileContext, typed: string): NamedPath {
  const path = resolve(context.cwd, typed);
  const own = folderBoundaryOf(context);
  if (own !== undefined && repositoryOf(context) !== undefined && isInside(own, path)) return { path, boundary: own };
  const other = outerRepositoryOf(path, context);
  if (other !== undefined) return { path, boundary: other };
  return own !== undefined && isInside(own, path) ? { path, boundary: own } : { path };
}

/**
 * Returns the folder that the files of a document must be in: the nearest repository of its folder, or else its folder.
 * Anyone can make a repository of a folder such as /tmp, so that of another user does not count. An agent's root may be
 * in the repository, and is then the boundary.
 */
export function documentBoundaryOf(context: FileContext, folder: string) {
  const repository = repositoryOf({ cwd: folder, home: context.home });
  if (repository === undefined || isForeign(join(repository, '.git'), context)) return { boundary: folder };
  let boundary = folder;
  const isTop = (one: string) => context.root !== undefined && isSamePath(realPathOf(one), context.root);
  while (!isSamePath(boundary, repository) && !isTop(boundary)) boundary = dirname(boundary);
  return { boundary, repository };
}

/** Returns the real path of the topmost repository of a path, because a link in it may lead to another repository. */
function outerRepositoryOf(path: string, { home }: Pick<FileContext, 'home'>): string | undefined {
  let top: string | undefined;
  for (let cwd = path; ; cwd = dirname(cwd)) {
    const found = repositoryOf({ cwd, home });
    if (found === undefined) return top && realPathOf(top);
    top = cwd = found;
  }
}

/**
 * Throws `usage` if a real path is outside of the boundary. The message names the link that leads out of it. `name` is
 * the beginning of the message, such as `--body: event.json`. `more` is another solution for the user.
 */
export function checkBoundary({ path, boundary }: NamedPath, real: string, name: string, more = ''): void {
  if (boundary === undefined || isWithin(boundary, real)) return;
  const [link, to] = leavingLink(path, boundary) ?? [path, real];
  throw new DtpError('usage', `${name} is outside of ${boundary}, because the link ${link} leads to ${to}`, {
    hint: `To use it anyway, ${more && `${more}, or `}pass its real path: ${real}`,
  });
}

/** Returns the first part of a path whose real path is outside of the boundary, and that real path. */
function leavingLink(path: string, boundary: string): readonly [link: string, to: string] | undefined {
  const parts: string[] = [];
  for (let one = path; !isSamePath(realPathOf(one), boundary) && dirname(one) !== one; one = dirname(one))
    parts.unshift(one);
  return parts.map((one) => [one, realPathOf(one)] as const).find(([, to]) => !isWithin(boundary, to));
}

/**
 * Returns the real path of a file or folder that may not exist yet. With `isTarget`, a link at the end of the path is
 * not followed, because it is never written to. Throws `usage` if the real path is outside of the boundary, or if
 * a link leads to nothing.
 */
export function checkedPlace(named: NamedPath, name: string, isTarget = false): string {
  if (isTarget && named.boundary !== undefined && isSamePath(realPathOf(named.path), named.boundary)) return named.path;
  let [above, rest] = isTarget ? [dirname(named.path), basename(named.path)] : [named.path, ''];
  for (;;) {
    try {
      const real = join(realpathSync.native(above), rest);
      checkBoundary(named, real, name);
      return real;
    } catch (error) {
      if (error instanceof DtpError || dirname(above) === above) throw error;
      // Its target could be created outside of the boundary.
      if (named.boundary !== undefined && attempt(() => lstatSync(above).isSymbolicLink(), false))
        throw new DtpError('usage', `${name} is not used, because the link ${above} leads to nothing`);
      [above, rest] = [dirname(above), join(basename(above), rest)];
    }
  }
}

/** Returns the real path of a folder that may not exist yet. Throws `usage`, beginning with `name`, if outside or ''. */
export function checkedFolder(context: FileContext, typed: string, name: string): string {
  if (typed === '') throw new DtpError('usage', `${name}the name of the folder is empty`);
  return checkedPlace(namedPath(context, typed), name);
}
