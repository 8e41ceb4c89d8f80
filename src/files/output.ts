/** Writes files that the user named. No link on their path may lead out of the boundary of the current folder. */
import { close, open } from 'node:fs';
import { mkdir, readlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import type { WriteOptions } from '../store/files.ts';
import { isWithin } from '../system/paths.ts';
import { checkBoundary, checkedPlace, type FileContext, namedPath } from './boundary.ts';
import { descriptors, folderFlags, hasDescriptors } from './open.ts';

/**
 * Checks the path of a file or folder to write. Holds its folder open, so that nobody can put a link in its place
 * between the check and the use: the returned path does not change its meaning until `close`. Throws `usage` if a link
 * leads out of the boundary.
 */
export async function holdTarget(context: FileContext, typed: string) {
  const named = namedPath(context, typed);
  const free = { path: named.path, close: async () => undefined };
  if (named.boundary === undefined) return free;
  const path = checkedPlace(named, named.path, true);
  if (!isWithin(named.boundary, dirname(path))) return free;
  if (!hasDescriptors()) return { ...free, path };
  const fd = await promisify(open)(dirname(path), folderFlags).catch(async (error: unknown) => {
    const { notWritten } = await import('../store/files.ts');
    throw notWritten(named.path, error);
  });
  const held = join(descriptors, String(fd));
  try {
    checkBoundary(named, await readlink(held), named.path);
  } catch (error) {
    await promisify(close)(fd);
    throw error;
  }
  return { path: join(held, basename(path)), close: () => promisify(close)(fd) };
}

/** Creates a folder at a path that the user named. Throws `usage` if there is anything at the path. */
export async function makeNamedFolder(context: FileContext, typed: string): Promise<void> {
  const { notWritten } = await import('../store/files.ts');
  const target = await holdTarget(context, typed);
  try {
    await mkdir(target.path);
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw notWritten(typed, error);
    const hint = 'Choose a folder that does not exist yet.';
    throw new DtpError('usage', `${typed} already exists and was not changed`, { hint });
  } finally {
    await target.close();
  }
}

/** Throws `usage` if a file cannot be written at a path that the user named. */
export async function checkNamedTarget(context: FileContext, typed: string, replace: boolean): Promise<void> {
  const { checkTarget } = await import('../store/files.ts');
  const target = await holdTarget(context, typed);
  await checkTarget(target.path, replace, typed).finally(target.close);
}

/** Writes a file atomically at a path that the user named. Throws like `writeFileWhole`. */
export async function writeNamedFile(
  context: FileContext & { readonly setGrace?: (ms: number) => void },
  typed: string,
  content: Uint8Array | string | AsyncIterable<Uint8Array>,
  options: WriteOptions,
): Promise<void> {
  const { writeFileWhole } = await import('../store/files.ts');
  const target = await holdTarget(context, typed);
  // After an interrupt, deleting the incomplete file may take longer on a busy machine.
  if (typeof content !== 'string' && !(content instanceof Uint8Array)) context.setGrace?.(2000);
  await writeFileWhole(target.path, content, { ...options, name: typed }).finally(target.close);
}
