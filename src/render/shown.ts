/** Formats values as people read them: sizes, durations, times, and lists as one string. */
import { ageText, amount, durationText, instantOf, sizeText, zonedText } from './amounts.ts';
import { cell } from './cells.ts';
import type { View } from './fields.ts';
import { jsonText, visible } from './sanitize.ts';

/** A number whose field says that it is a size or a duration. Undefined for any other value. */
export function amountText(field: string, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined;
  if (/(^|_)(ms|duration_ms)$/.test(field)) return durationText(value);
  return /(^|_)(bytes|size)$/.test(field) ? sizeText(value) : undefined;
}

/** `2026-01-31 13:05 UTC (5 min ago)`. Undefined for a value that is not a time. */
export function shownTimeOf(value: unknown, { now }: View): string | undefined {
  const at = instantOf(value);
  if (at === undefined || now === undefined) return undefined;
  const [full, age] = [zonedText(at), ageText(at, now)];
  return full.startsWith(age) ? full : `${full} (${age})`;
}

/** Whether there is nothing to show: null, '', an empty list or an empty record. */
export const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Records in a cell are only counted. */
export const countText = (value: unknown): string | undefined =>
  Array.isArray(value) && value.some((one) => typeof one === 'object' && one !== null)
    ? amount(value.length, 'item')
    : undefined;

/** Any other value on one line. */
export const oneLineText = (field: string, value: unknown): string => amountText(field, value) ?? cell(value);

/** A value of a request: a string without quotes, anything else as JSON. */
export const sentText = (value: unknown): string =>
  typeof value === 'string' && value !== '' ? visible(value) : jsonText(value);
