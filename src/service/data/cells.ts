/** Reads the bytes in a column. It is a separate file, because importing store.ts would load the SQLite driver. */

export function bytesIn(cell: unknown): Uint8Array {
  if (cell instanceof Uint8Array) return cell;
  // The driver returns an ArrayBuffer if the query returns a list of rows.
  if (cell instanceof ArrayBuffer) return new Uint8Array(cell);
  throw new Error('the cell does not hold bytes');
}
