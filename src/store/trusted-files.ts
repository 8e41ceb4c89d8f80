/** The folder files that the user has trusted: for each a small private file with the digest of what was trusted. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { chmod, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { DtpError } from '../errors.ts';
import { makeFolders, reasonOf, writeFileWhole } from './files.ts';
import { readOwnFile } from './own-file.ts';

/** A file as it was read. */
export interface ReadFile {
  readonly path: string;
  readonly content: Uint8Array;
  /** The file of certificates that it names. Others could be put in their place otherwise. */
  readonly certificates?: string | undefined;
}

/** `changed`: it was trusted with another content. */
export type Trust = 'trusted' | 'changed' | 'unknown';

/** Whether the user has trusted this content at this path. What cannot be read trusts nothing. */
export function trustOf(folder: string, file: ReadFile, uid: number | undefined): Trust {
  const place = realPlace(file.path);
  const record = recordOf(folder, place);
  // Relative, it would be in the folder that is not trusted yet.
  if (!isAbsolute(folder) || !existsSync(record)) return 'unknown';
  try {
    const { path, digest } = JSON.parse(readOwnFile(record, uid).toString());
    if (path !== place) return 'unknown';
    return digest === digestOf(file) ? 'trusted' : 'changed';
  } catch {
    return 'unknown';
  }
}

/** Trusts this content at this path. Throws `config` if that cannot be stored. */
export async function trust(folder: string, file: ReadFile): Promise<void> {
  if (!isAbsolute(folder))
    throw new DtpError('config', `${folder} is not absolute; nothing is trusted there`);
  const place = realPlace(file.path);
  const content = JSON.stringify({ path: place, digest: digestOf(file) });
  try {
    await makeFolders(folder, 0o700);
    await chmod(folder, 0o700);
  } catch (error) {
    throw new DtpError('config', `cannot write ${folder}: ${reasonOf(error)}`, { cause: error });
  }
  await writeFileWhole(recordOf(folder, place), content, { replace: true });
}

/** Trusts the file of a path no more. Whether it was trusted, with whatever content. */
export async function distrust(folder: string, path: string): Promise<boolean> {
  const record = recordOf(folder, realPlace(path));
  const wasTrusted = existsSync(record);
  await rm(record, { force: true });
  return wasTrusted;
}

const recordOf = (folder: string, place: string) => join(folder, `${sha256(place)}.json`);

/** One path of a file, whichever links lead to its folder. */
function realPlace(path: string): string {
  try {
    return join(realpathSync.native(dirname(path)), basename(path));
  } catch {
    return path;
  }
}

const digestOf = ({ content, certificates }: ReadFile): string =>
  sha256(JSON.stringify([sha256(content), certificates === undefined ? '' : digestAt(certificates)]));

/** '' for what can be no file of certificates, such as a device. */
function digestAt(path: string): string {
  try {
    const found = statSync(path);
    return found.isFile() && found.size < 16 * 1024 ** 2 ? sha256(readFileSync(path)) : '';
  } catch {
    return '';
  }
}

const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');
