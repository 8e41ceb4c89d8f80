/** Formats a value in the requested format. */

import { type View, withFields } from './fields.ts';
import { type Format, formatTable, plainScalars, type RowWriter, type Written } from './formats.ts';

export { rowsOf, type View } from './fields.ts';
export type { RowWriter, Written } from './formats.ts';

/** Formats a value. The result is empty or ends with a line break. A long one comes in pieces, to save memory. */
export const renderPieces = async (value: unknown, format: Format, view: View): Promise<Written> =>
  (view.bare ? plainScalars(withFields(value, view), view) : undefined) ?? formatTable[format].write(value, view);

/** Like `renderPieces`, but returns the result in one piece. */
export async function render(value: unknown, format: Format, view: View): Promise<string> {
  const written = await renderPieces(value, format, view);
  return typeof written === 'string' ? written : [...written].join('');
}

/** Returns what writes a list row by row. Undefined if the format needs the whole list. */
export const rowWriter = async (format: Format, view: View): Promise<RowWriter | undefined> =>
  formatTable[format].open?.(view);
