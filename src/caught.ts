/** Reads and replaces caught values, which may be anything. */

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

/** Passes bytes through and replaces the error that ends them. */
export async function* mapErrors(
  bytes: AsyncIterable<Uint8Array>,
  map: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw map(error);
  }
}
