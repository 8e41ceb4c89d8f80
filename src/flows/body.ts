/** The body of a batch: a JSON array of events. */

/** The size of an array before its elements are counted. Each element adds its own size and one byte. */
export const emptySize = 1;

/** Joins elements into a JSON array. `size` is the size of the result, counted as described for `emptySize`. */
export function joined(
  parts: readonly Uint8Array[],
  size = parts.reduce((sum, part) => sum + part.byteLength + 1, emptySize),
): Uint8Array {
  const all = Buffer.allocUnsafe(size);
  all[0] = 0x5b;
  let at = 1;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
    all[at++] = 0x2c;
  }
  all[size - 1] = 0x5d;
  return all;
}
