/** The body of a batch: a JSON array of events. */

/** The size of an empty array, as `joined` counts it: each element adds its size and one byte. */
export const emptySize = 1;

/** `size` is the size of the result: each part plus one byte, plus one. */
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
