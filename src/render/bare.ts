/** A scalar, or a list of them, without the quotes of JSON: what a shell takes as it is. */
import { visible } from './sanitize.ts';
import type { View } from './view.ts';

/** A line each, nothing for null; undefined for what holds records or lists. Only a terminal is spared what is hidden. */
export function bare(value: unknown, { width }: View): string | undefined {
  const all = Array.isArray(value) ? value : [value];
  if (all.some((one) => typeof one === 'object' && one !== null)) return undefined;
  return all
    .filter((one) => one !== null && one !== undefined)
    .map((one) => (width === undefined ? String(one) : visible(String(one), { lines: true })))
    .map((text) => (text.endsWith('\n') && all.length === 1 ? text : `${text}\n`))
    .join('');
}
