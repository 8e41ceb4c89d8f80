/** Caches lists for shell completion in small private files, so that pressing Tab again makes no request. */
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { attempt } from '../caught.ts';
import { fieldsOf, isRecord } from '../json-object.ts';
import { readPrivate } from '../system/owner.ts';
import { writePrivate } from './files.ts';
import { lifetime } from './recalled.ts';

export { completionsFolder, keepAnswer } from './recalled.ts';

/** A value and its description, which may be empty. */
export interface ListedValue {
  readonly value: string;
  readonly help: string;
}

const isRow = (value: unknown): value is ListedValue =>
  isRecord(value) && typeof value.value === 'string' && typeof value.help === 'string';

/**
 * Returns the path of the file for a key. The name is made from the end of the key, because keys differ at the end. The
 * file contains the whole key. The name is not a hash, because loading a hash function takes longer than anything else.
 */
export const listedFile = (folder: string, key: string): string =>
  join(folder, `${Buffer.from(key).toString('base64url').slice(-200)}.json`);

/** Returns the cached rows of a key, if they are less than a minute old and readable. */
export function readCachedValues(folder: string, key: string, now: number, uid?: number) {
  return attempt(() => {
    const { of, at, rows } = fieldsOf(JSON.parse(readPrivate(listedFile(folder, key), uid).toString()));
    if (of !== key || typeof at !== 'number' || !Array.isArray(rows)) return undefined;
    return now >= at && now - at < lifetime ? rows.filter(isRow) : undefined;
  }, undefined);
}

/** Caches rows under a key, and deletes files that are more than a minute old. */
export async function keepListed(folder: string, key: string, now: number, rows: readonly ListedValue[]) {
  const written = listedFile(folder, key);
  await writePrivate(written, JSON.stringify({ of: key, at: now, rows }), dirname(folder));
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file);
    if (file !== written && Math.abs(now - mtimeMs) >= lifetime) await rm(file, { force: true });
  }
}
