/** Limits the memory that V8 gives to new objects. */
import { setFlagsFromString } from 'node:v8';

/** Whether this version of V8 was tested with our flags. It prints a warning for an unknown flag. */
export const isTested = /^v2[0-6]\./.test(process.version);

/**
 * Stops or allows the growth of the space for new objects, which otherwise grows to 48 MB in long work. V8 rejects
 * cached code while the flag is set, so set it when most code is loaded, and allow the growth at the end.
 */
export function limitYoungObjects(isLimited: boolean): void {
  if (isTested) setFlagsFromString(`--semi-space-growth-factor=${isLimited ? 1 : 2}`);
}
