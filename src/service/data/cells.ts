/** What a column of the store holds, apart from the driver, which is loaded only when a store is opened. */

/** Throws for a cell that does not hold bytes. */
export function bytesIn(cell: unknown): Uint8Array {
  if (cell instanceof Uint8Array) return cell;
  throw new Error('the cell does not hold bytes');
}
