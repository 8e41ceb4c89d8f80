/** Reads column values without importing the driver, which is loaded only when a store is opened. */

export function bytesIn(cell: unknown): Uint8Array {
  if (cell instanceof Uint8Array) return cell;
  throw new Error('the cell does not hold bytes');
}
