/** Reads caught values, which may be anything: the message, and the code from the system or a library. */

export const messageOf = (caught: unknown): string =>
  caught instanceof Error ? caught.message : String(caught);

/** Returns a code such as `ENOENT` or `Z_DATA_ERROR`, or undefined. */
export const systemCode = (caught: unknown): string | undefined => textIn(caught, 'code');

/** Returns the system call that failed, and its path. */
export const systemCall = (caught: unknown) => ({
  syscall: textIn(caught, 'syscall'),
  path: textIn(caught, 'path'),
});

function textIn(caught: unknown, name: 'code' | 'syscall' | 'path'): string | undefined {
  if (typeof caught !== 'object' || caught === null) return undefined;
  const found: unknown = Reflect.get(caught, name);
  return typeof found === 'string' ? found : undefined;
}
