/** Defines how to show a value, and which part of it is a list. */
import { isRecord } from '../json-object.ts';
import type { ScreenColumn } from '../operations/operation.ts';

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
