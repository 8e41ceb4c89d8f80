/** Reads column values without importing the driver, which is loaded only when a store is opened. */

export function bytesIn(cell: unknown): Uint8Array {
  if (cell instanceof Uint8Array) return cell;
  // The driver returns these for the rows of a list.
  if (cell instanceof ArrayBuffer) return new Uint8Array(cell);
  throw new Error('the cell does not hold bytes');
}
