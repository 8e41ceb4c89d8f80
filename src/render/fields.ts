/** Defines how to show a value, which part of it is a list, and which fields of a record are shown. */
import { DtpError } from '../errors.ts';
import { isRecord, type JsonObject } from '../json-object.ts';
import type { ScreenColumn } from '../operations/operation.ts';

/** The fields that people know records by, best first, whatever the record is. */
export const nameFields: readonly string[] = ['name', 'token_name', 'display_name', 'title', 'email', 'slug'];

export const isTable = (value: unknown): value is readonly JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord);

/** Returns the field at a path, or undefined if it does not exist. */
export function memberAt(value: unknown, path: string): unknown {
  // A name may contain a dot.
  if (isRecord(value) && Object.hasOwn(value, path)) return value[path];
  if (!path.includes('.')) return undefined;
  let at = value;
  for (const name of path.split('.')) {
    if (!isRecord(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** Returns every field of any row, in order of appearance. Throws `bad_response` for more than `most`. */
export function fieldNamesOf(rows: readonly Readonly<Record<string, unknown>>[], most: number): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  checkFieldCount(names.size, most);
  return [...names];
}

/** Throws `bad_response` for more fields than `most`. */
export function checkFieldCount(count: number, most: number): void {
  if (count <= most) return;
  const text = `the rows have ${count} different fields, which is too many for a table (limit: ${most})`;
  throw new DtpError('bad_response', text, { hint: 'Choose fields with --fields, or use -o json.' });
}

/** Returns only these fields of a value, or of each row of a list. Missing fields are null. */
export function withFields(value: unknown, view: View): unknown {
  const { fields } = view;
  if (!fields) return value;
  const rows = rowsOf(value, view);
  if (!rows) return picked(value, fields);
  const all = rows.map((row) => picked(row, fields));
  return isRecord(value) && view.rows !== undefined ? { ...value, [view.rows]: all } : all;
}

function picked(value: unknown, fields: readonly string[]): unknown {
  if (!isRecord(value)) return value;
  const kept: Record<string, unknown> = Object.create(null);
  for (const path of fields) {
    const names = Object.hasOwn(value, path) ? [path] : path.split('.');
    let at = kept;
    for (const name of names.slice(0, -1)) {
      const inner: Record<string, unknown> = isRecord(at[name]) ? at[name] : Object.create(null);
      at[name] = inner;
      at = inner;
    }
    at[names.at(-1) ?? ''] = memberAt(value, path) ?? null;
  }
  return kept;
}

export interface View {
  /** The field of the value with the rows, if the value itself is not the list. */
  readonly rows?: string | undefined;
  readonly isList?: boolean | undefined;
  /** The fields of a row that a table shows. Absent for all. */
  readonly columns?: readonly string[] | undefined;
  /** The columns on a terminal, if they differ from `columns`. */
  readonly screen?: readonly ScreenColumn[] | undefined;
  /** Whether a table on a terminal has every column, in full. */
  readonly wide?: boolean | undefined;
  /** Whether a terminal also shows the empty fields of a record. */
  readonly allFields?: boolean | undefined;
  /** Whether it is a request: inner records have their own names, and values are as they are sent. */
  readonly asSent?: boolean | undefined;
  /** Whether a table on a terminal shows ids in full instead of shortened. */
  readonly wholeIds?: boolean | undefined;
  /** The id, slug or name of the row to mark on a terminal. */
  readonly selected?: string | undefined;
  readonly links?: boolean | undefined;
  readonly plainSigns?: boolean | undefined;
  /** The path of the name, for `-o name`. A path that ends with `[]` is a list of names. */
  readonly names?: string | undefined;
  /** The fields that the user chose, by path, in the user's order. */
  readonly fields?: readonly string[] | undefined;
  /** False to omit the header row. */
  readonly headers?: boolean | undefined;
  /** Whether to print a scalar without quotes. */
  readonly bare?: boolean | undefined;
  /** The width of the terminal. Absent if nothing is to be cut. */
  readonly width?: number | undefined;
  /** The current time in milliseconds since 1970, for relative times. Absent if times are shown exactly. */
  readonly now?: number | undefined;
  readonly color: boolean;
  /** Whether JSON has color in a pipe too. */
  readonly alwaysColor?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the rows of a list, or undefined if the value is not a list. Services may send null for an empty list. */
export function rowsOf(value: unknown, view: View): readonly unknown[] | undefined {
  const rows = view.rows !== undefined && isRecord(value) ? value[view.rows] : value;
  if (rows === null && (view.isList || view.rows !== undefined)) return [];
  if (Array.isArray(value)) return value;
  return Array.isArray(rows) ? rows : undefined;
}
