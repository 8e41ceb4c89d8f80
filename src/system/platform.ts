/** Says what kind of system this process runs on. */
import { dirname } from 'node:path';

export const isOnWindows: boolean = process.platform === 'win32';

/** Helper programs start in the folder of Node, because Windows looks for them in their current folder first. */
export const helperFolder: string = dirname(process.execPath);

/** The variables of this process, for code that has no Context. */
export const ownVariables: Readonly<Record<string, string | undefined>> = process.env;
