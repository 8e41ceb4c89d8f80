/** Formats a value as a table cell, and colors it. */
import { Chalk } from 'chalk';
import { ageText, amount, durationText, instantOf, sizeText, zonedText } from './amounts.ts';
import type { View } from './fields.ts';
import { jsonText, visible } from './sanitize.ts';
import { stateColors, stateOf } from './signs.ts';

/** The number of characters of a string in a list and in a record on a terminal. An ellipsis replaces the rest. */
export const longest = { list: 4096, record: 64 * 1024 };

/** In a list, a row is one line, so a longer string is cut to its first line. A pipe gets the exact value. */
export function listCell(value: unknown, { width, now }: View): string {
  if (width === undefined || value === undefined) return cell(value);
  const at = instantOf(value);
  if (at !== undefined && now !== undefined) return ageText(at, now);
  if (typeof value !== 'string') return cell(value);
  const [first = '', ...rest] = linesOf(value.slice(0, longest.list));
  return rest.length > 0 || value.length > longest.list ? `${visible(first)}…` : visible(first);
}

/** A record in a pipe shows all lines of a string. */
export const recordCell = (value: unknown): readonly string[] =>
  typeof value === 'string' ? linesOf(value).map((line) => visible(line)) : [cell(value)];

/** Splits a string into lines, without empty lines at the end. */
export function linesOf(text: string): readonly string[] {
  let end = text.length;
  while (text[end - 1] === '\n' || text[end - 1] === '\r') end--;
  return text.slice(0, end).split(/\r?\n/);
}

/** Formats a value exactly, on one line. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && !value.some((one) => typeof one === 'object' && one !== null))
    return value.map(cell).join(', ');
  return typeof value === 'object' ? jsonText(value) : visible(String(value));
}

/** Returns a function that colors a cell by its words, such as `failed`. */
export function painter(view: View): (text: string) => string {
  const chalk = new Chalk({ level: view.color ? 1 : 0 });
  return (text) => {
    if (text === 'no') return chalk.dim(text);
    const state = stateOf(text);
    return state === undefined ? text : chalk[stateColors[state]](text);
  };
}

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
