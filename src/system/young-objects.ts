/** Limits the memory that V8 gives to new objects. */
import { builtin } from './builtin.ts';

/** Whether this version of V8 was tested with our flags. It prints a warning for an unknown flag. */
export const isTested = /^v2[0-6]\./.test(process.version);

/** The flags of a space that grows, with which V8 accepts cached code. */
export const GROWING = '--semi-space-growth-factor=2';

/** The bytes after which the space stops growing, again each time. By then, most code has been loaded. */
const LONG = 1024 * 1024;

/**
 * Returns what sees the bytes that long work reads, and its end. Meanwhile, the space for new objects does not grow, which
 * otherwise takes 48 MB. V8 rejects cached code while the flag is set, so the loader resets it where it must.
 */
export function limitYoungObjects() {
  let left = LONG;
  let isLong = false;
  return {
    see: ({ byteLength }: Uint8Array): void => {
      left -= byteLength;
      if (left > 0) return;
      left = LONG;
      isLong = true;
      set('--semi-space-growth-factor=1');
    },
    end: (): void => {
      if (isLong) set(GROWING);
    },
  };
}

function set(flag: string): void {
  // Loaded only for long work.
  if (isTested) builtin('node:v8').setFlagsFromString(flag);
}
