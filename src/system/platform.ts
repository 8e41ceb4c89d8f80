/** Says what kind of system this process runs on. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { attempt } from '../caught.ts';

export const isOnWindows: boolean = process.platform === 'win32';

/** Helper programs start in the folder of Node, because Windows looks for them in their current folder first. */
export const helperFolder: string = dirname(process.execPath);

/** The variables of this process, for code that has no Context. */
export const ownVariables: Readonly<Record<string, string | undefined>> = process.env;

/** Returns the number of files that this process may open, as far as the system tells. */
export function openFilesLimit(): number {
  const text = attempt(() => readFileSync('/proc/self/limits', 'utf8'), '');
  const [, limit] = /^Max open files +(\d+)/m.exec(text) ?? [];
  return Number(limit ?? Number.POSITIVE_INFINITY);
}
