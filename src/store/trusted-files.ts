/** Stores which .dtp.json files the user trusts: for each, a small private record with a digest of its content. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, type Stats } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { attempt } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { checkRootOwns, readPrivate, smallLimit, useFile } from '../system/owner.ts';
import { isSamePath } from '../system/paths.ts';
import { reasonOf, writePrivate } from './files.ts';

export interface ReadFile {
  readonly path: string;
  readonly content: Uint8Array;
  /** The path of the certificate file that this file names. The digest covers its content, to detect a change. */
  readonly certificates?: string | undefined;
}

/** `changed` means that the user trusted the file, but that its content has changed since then. */
export type TrustState = 'trusted' | 'changed' | 'unknown';

/** Returns whether the user trusts this content at this path, or trusted another one. Without a record, no. */
export function trustOf(folder: string, file: ReadFile, uid: number | undefined): TrustState {
  const place = realPlace(file.path);
  const record = recordOf(folder, place);
  // A relative path could lead to records in the current folder, which is not trusted.
  if (!isAbsolute(folder) || !existsSync(record)) return 'unknown';
  return attempt((): TrustState => {
    const { path, digest } = JSON.parse(readPrivate(record, uid).toString());
    if (!isSamePath(String(path), place)) return 'unknown';
    return digest === digestOf(file) ? 'trusted' : 'changed';
  }, 'unknown');
}

/** Trusts this content at this path. Throws `config` if the folder for the record cannot be used. */
export async function trust(folder: string, file: ReadFile): Promise<void> {
  if (!isAbsolute(folder))
    throw new DtpError('config', `cannot store the list of trusted files in ${folder}: the path is not absolute`);
  const place = realPlace(file.path);
  const content = JSON.stringify({ path: place, digest: digestOf(file) });
  await writePrivate(recordOf(folder, place), content, dirname(folder)).catch((error: unknown) => {
    if (error instanceof DtpError) throw error;
    throw new DtpError('config', `cannot write ${folder}: ${reasonOf(error)}`, { cause: error });
  });
}

/** Stops trusting the file at a path. Returns whether it was trusted, with any content. */
export async function distrust(folder: string, path: string): Promise<boolean> {
  const record = recordOf(folder, realPlace(path));
  const wasTrusted = existsSync(record);
  checkRootOwns(folder, dirname(folder));
  await rm(record, { force: true });
  return wasTrusted;
}

const recordOf = (folder: string, place: string) => join(folder, `${sha256(place)}.json`);

/** Resolves symbolic links in the path of the file's folder, so that each file has exactly one path. */
const realPlace = (path: string): string =>
  attempt(() => join(realpathSync.native(dirname(path)), basename(path)), path);

const digestOf = ({ content, certificates }: ReadFile): string =>
  sha256(JSON.stringify([sha256(content), certificates === undefined ? '' : digestAt(certificates)]));

/** Returns the digest of a file, or '' if it cannot be a certificate file, such as a device. Never waits for a pipe. */
function digestAt(path: string): string {
  const read = (file: number, found: Stats) =>
    found.isFile() && found.size < smallLimit.bytes ? sha256(readFileSync(file)) : '';
  return attempt(() => useFile(realpathSync(path), read), '');
}

const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');
