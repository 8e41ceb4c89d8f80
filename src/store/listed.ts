/** What completions have asked for lately, so that the next key asks nobody: small private files, soon forgotten. */

import { readFileSync } from 'node:fs';
import { chmod, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldsOf, isRecord } from '../json-object.ts';
import { makeFolders, writeFileWhole } from './files.ts';

/** A value and what it is; `help` is '' where nothing is known of it. */
export interface Row {
  readonly value: string;
  readonly help: string;
}

const isRow = (value: unknown): value is Row =>
  isRecord(value) && typeof value.value === 'string' && typeof value.help === 'string';

/** Milliseconds. */
const lifetime = 60_000;

/** By what two keys differ in, their end; the file says of which it is. A hash would take longer to load than the rest. */
const fileOf = (folder: string, key: string) =>
  join(folder, `${Buffer.from(key).toString('base64url').slice(-200)}.json`);

/** What was kept under a key, no longer than a minute ago; undefined where there is nothing, or nothing that can be read. */
export function readListed(folder: string, key: string, now: number): readonly Row[] | undefined {
  try {
    const { of, at, rows } = fieldsOf(JSON.parse(readFileSync(fileOf(folder, key), 'utf8')));
    if (of !== key || typeof at !== 'number' || !Array.isArray(rows)) return undefined;
    return now >= at && now - at < lifetime ? rows.filter(isRow) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps rows under a key, and forgets what is too old. */
export async function keepListed(
  folder: string,
  key: string,
  now: number,
  rows: readonly Row[],
): Promise<void> {
  await makeFolders(folder, 0o700);
  await chmod(folder, 0o700);
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file);
    if (Math.abs(now - mtimeMs) >= lifetime) await rm(file, { force: true });
  }
  await writeFileWhole(fileOf(folder, key), JSON.stringify({ of: key, at: now, rows }), { replace: true });
}
