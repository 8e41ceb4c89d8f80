/** What was caught, which may be anything: its message, and the code that the system or a library gave it. */

export const messageOf = (caught: unknown): string =>
  caught instanceof Error ? caught.message : String(caught);

/** The code, such as `ENOENT` or `Z_DATA_ERROR`; undefined if it has no code. */
export const systemCode = (caught: unknown): string | undefined => textIn(caught, 'code');

/** The call of the system that failed, and the path that it was about. */
export const systemCall = (caught: unknown) => ({
  syscall: textIn(caught, 'syscall'),
  path: textIn(caught, 'path'),
});

function textIn(caught: unknown, name: 'code' | 'syscall' | 'path'): string | undefined {
  if (typeof caught !== 'object' || caught === null) return undefined;
  const found: unknown = Reflect.get(caught, name);
  return typeof found === 'string' ? found : undefined;
}
