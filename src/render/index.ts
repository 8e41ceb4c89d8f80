/** Formats a value in the requested format. */
import { withFields } from './fields.ts';
import { type Format, formatTable, type Written, plainScalars } from './formats.ts';
import type { View } from './view.ts';

export type { Written } from './formats.ts';
export { rowsOf, type View } from './view.ts';

/**
 * Formats a value. The result ends with a line break, unless there is nothing to show. A long result comes in pieces,
 * so that it is not in memory twice.
 */
export const renderPieces = async (value: unknown, format: Format, view: View): Promise<Written> =>
  (view.bare ? plainScalars(withFields(value, view), view) : undefined) ?? formatTable[format].write(value, view);

/** Like `renderPieces`, but returns the result in one piece. */
export async function render(value: unknown, format: Format, view: View): Promise<string> {
  const written = await renderPieces(value, format, view);
  return typeof written === 'string' ? written : [...written].join('');
}
