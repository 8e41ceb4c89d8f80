/** Value → text, in the format that is asked for. */
import { bare } from './bare.ts';
import { withFields } from './fields.ts';
import { type Format, formatTable, type Written } from './formats.ts';
import type { View } from './view.ts';

export type { Written } from './formats.ts';
export { rowsOf, type View } from './view.ts';

/** Ends with a line break, except where there is nothing to show. A long text comes in pieces, so that it is not held twice. */
export const renderPieces = async (value: unknown, format: Format, view: View): Promise<Written> =>
  (view.bare ? bare(withFields(value, view), view) : undefined) ?? formatTable[format].write(value, view);

/** The same in one piece. */
export async function render(value: unknown, format: Format, view: View): Promise<string> {
  const written = await renderPieces(value, format, view);
  return typeof written === 'string' ? written : [...written].join('');
}
