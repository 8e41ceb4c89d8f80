/** What completions have asked for lately, so that the next key asks nobody: small private files, soon forgotten. */
import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders, writeFileWhole } from './files.ts';

/** A value and what it is; `help` is '' where nothing is known of it. */
export interface Row {
  readonly value: string;
  readonly help: string;
}

/** Milliseconds. */
const lifetime = 60_000;

const fileOf = (folder: string, key: string) =>
  join(folder, `${createHash('sha256').update(key).digest('hex').slice(0, 32)}.json`);

/** What was kept under a key, no longer than a minute ago; undefined where there is nothing, or nothing that can be read. */
export async function readListed(
  folder: string,
  key: string,
  now: number,
): Promise<readonly Row[] | undefined> {
  try {
    const { at, rows } = JSON.parse(await readFile(fileOf(folder, key), 'utf8')) as {
      readonly at: number;
      readonly rows: readonly Row[];
    };
    return now >= at && now - at < lifetime ? rows : undefined;
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
  await writeFileWhole(fileOf(folder, key), JSON.stringify({ at: now, rows }), { replace: true });
}
