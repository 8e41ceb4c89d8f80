/** Value → text, in the format that is asked for. */
import { bare } from './bare.ts';
import { withFields } from './fields.ts';
import { type Format, writers } from './formats.ts';
import type { View } from './view.ts';

export { rowsOf, type View } from './view.ts';

/** Ends with a line break, save where there is nothing to show. */
export const render = async (value: unknown, format: Format, view: View): Promise<string> =>
  (view.bare ? bare(withFields(value, view), view) : undefined) ?? writers[format](value, view);
