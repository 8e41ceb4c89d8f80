/** Formats a scalar, or a list of scalars, without JSON quotes, for use in a shell. */
import { visible } from './sanitize.ts';
import type { View } from './view.ts';

/**
 * Formats each scalar as one line, and leaves out null. Returns undefined for values that contain records or lists.
 * Hidden characters are only escaped on a terminal.
 */
export function plainScalars(value: unknown, { width }: View): string | undefined {
  const all = Array.isArray(value) ? value : [value];
  if (all.some((one) => typeof one === 'object' && one !== null)) return undefined;
  return all
    .filter((one) => one !== null && one !== undefined)
    .map((one) => (width === undefined ? String(one) : visible(String(one), { lines: true })))
    .map((text) => (text.endsWith('\n') && all.length === 1 ? text : `${text}\n`))
    .join('');
}
