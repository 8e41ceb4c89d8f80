/** Creates the file of a store. */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../../caught.ts';

/**
 * Creates a file and its folder if they do not exist. It holds keys, so only its owner may read it. SQLite gives its
 * other files the same permissions.
 */
export function ensurePrivateFile(file: string): void {
  makeFolder(dirname(file));
  for (const suffix of ['', '-wal', '-shm', '-journal']) refuseOther(`${file}${suffix}`);
  closeSync(openSync(file, 'a', 0o600));
}

/** Throws EINVAL for a pipe, a device or a folder. SQLite would wait for a pipe forever. */
function refuseOther(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: 'EINVAL', path });
}

/** Creates a folder and its parents. Node's recursive mkdir never returns if one refuses folders, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it first.
    if (systemCode(error) !== 'EEXIST' || !existsSync(folder)) throw error;
  }
}
