/** Limits the memory that V8 gives to new objects. */
import { builtin } from './builtin.ts';

/** Whether this version of V8 was tested with our flags. It prints a warning for an unknown flag. */
export const isTested = /^v2[0-6]\./.test(process.version);

/** The bytes after which the space stops growing. By then, most code has been loaded. */
const LONG = 1024 * 1024;

/**
 * Returns what sees the bytes that long work reads, and its end. Meanwhile, the space for new objects does not grow, which
 * otherwise takes 48 MB. V8 rejects cached code while the flag is set.
 */
export function limitYoungObjects() {
  let left = LONG;
  return {
    see: ({ byteLength }: Uint8Array): void => {
      if (left > 0 && left <= byteLength) limit(true);
      left -= byteLength;
    },
    end: (): void => {
      if (left <= 0) limit(false);
    },
  };
}

function limit(isLimited: boolean): void {
  // Loaded only for long work.
  if (isTested) builtin('node:v8').setFlagsFromString(`--semi-space-growth-factor=${isLimited ? 1 : 2}`);
}
