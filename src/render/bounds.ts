/** Limits the size of a result for a model, by leaving out rows, repeated fields and the ends of long strings. */
import { exactJson, isRecord, type JsonObject } from '../json-object.ts';
import { rowsOf } from './fields.ts';
import { jsonText } from './sanitize.ts';

export const usualRows = 50;

/** The maximum size of a result, in bytes of its strings. */
export const shownLimit = 64 * 1024;

/** The number of characters to which long strings are shortened. */
const shortText = 2000;

export type Bounded = ReturnType<typeof boundValue>;

export const sizeOf = (value: unknown): number => Buffer.byteLength(jsonText(value));

/**
 * Limits a value to the rows (of the field `rows`) that fit, at most `most`. If none fits, shortens strings too. `lack`
 * describes what is not shown. If rows are left out, also returns the number of rows that are shown, the number of all
 * rows, and the query for the next rows.
 */
export function boundValue(value: unknown, rows: string | undefined, most = Number.POSITIVE_INFINITY) {
  const all = rowsOf(value, { color: false, rows });
  if ((all?.length ?? 0) <= most && sizeOf(value) <= shownLimit) return { value, lack: undefined };
  for (const some of all ? [all, all.map(withShortStrings)] : []) {
    const with_ = (few: readonly unknown[]) =>
      isRecord(value) && rows !== undefined ? { ...value, [rows]: few } : few;
    const fitting = firstRows(some.slice(0, most), shownLimit - sizeOf(with_([])));
    if (fitting.length > 0)
      return {
        value: with_(fitting),
        lack: `the first ${fitting.length} of ${some.length} rows are shown`,
        rows: fitting.length,
        total: some.length,
        next: `${rows ?? ''}[${fitting.length}:${fitting.length + usualRows}]`,
      };
  }
  const short = withShortStrings(value);
  if (sizeOf(short) <= shownLimit) return { value: short, lack: 'long strings are cut' };
  return { value: null, lack: `the result has ${sizeOf(value)} bytes, which is too long to be shown` };
}

function firstRows(rows: readonly unknown[], limit: number): readonly unknown[] {
  let left = limit;
  const end = rows.findIndex((row) => {
    left -= sizeOf(row) + 1;
    return left < 0;
  });
  return rows.slice(0, end < 0 ? rows.length : end);
}

/** Shortens the long strings of a value. Each one ends with its full length. */
export function withShortStrings(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length <= shortText ? value : `${cutText(value)}… (${value.length} characters in total)`;
  if (Array.isArray(value)) return value.map(withShortStrings);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withShortStrings(one)]));
}

/** Shortens a string, but not between the halves of a surrogate pair. */
const cutText = (text: string): string => text.slice(0, shortText).replace(/[\ud800-\udbff]$/, '');

/** Shorter lists stay as they are. */
const fewestRows = 10;

/**
 * Returns the fields that every row has with the same value, and the rows without them. If the rows then have only
 * scalars, all of them get the same fields, because TOON writes such rows as a table. A missing field becomes null.
 */
export function compactRows(rows: readonly unknown[]) {
  const records = rows.filter(isRecord);
  const [first = {}] = records;
  const isShared = (name: string, text = exactJson(first[name])) =>
    records.every((row) => Object.hasOwn(row, name) && exactJson(row[name]) === text);
  const everyRow = Object.fromEntries(Object.entries(first).filter(([name]) => isShared(name)));
  const cells = records.flatMap((row) => Object.entries(row)).filter(([name]) => !Object.hasOwn(everyRow, name));
  const names = [...new Set(cells.map(([name]) => name))];
  if (records.length < Math.max(rows.length, fewestRows) || names.length === 0) return { rows, everyRow: {} };
  // Rows that have little in common would make a table of nulls.
  const isFull = names.length * records.length <= 2 * cells.length;
  const missing = isFull && cells.every(([, value]) => typeof value !== 'object' || value === null) ? null : undefined;
  const valueIn = (row: JsonObject, name: string) => (Object.hasOwn(row, name) ? row[name] : missing);
  return { rows: records.map((row) => Object.fromEntries(names.map((name) => [name, valueIn(row, name)]))), everyRow };
}
