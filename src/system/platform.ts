/** Says what kind of system this process runs on. */

export const isOnWindows: boolean = process.platform === 'win32';

/** The variables of this process, for code that has no Context. */
export const ownVariables: Readonly<Record<string, string | undefined>> = process.env;
