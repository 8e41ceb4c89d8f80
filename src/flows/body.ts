/** The body of a batch: events, as the JSON array that is sent. */

/** Bytes of an array without elements, as `joined` counts them: an element has one more than its own. */
export const emptySize = 1;

/** `size` is what comes out: each part and one byte more, and one for all. */
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
