/** How a value is to be shown, and which part of it is a list. */
import { isRecord } from '../json-object.ts';

export interface View {
  /** The member that holds the list's rows. */
  readonly rows?: string;
  /** The members of a row that a table shows; all where absent. */
  readonly columns?: readonly string[];
  /** The path of what names the result, for `-o name`; one that ends with `[]` is a list of names. */
  readonly names?: string;
  /** The members that the user asked for, by their paths, in the user's order. */
  readonly fields?: readonly string[];
  /** False where columns are to have no titles. */
  readonly headers?: boolean;
  /** Whether a scalar is to stand without the quotes of its format. */
  readonly bare?: boolean;
  /** The terminal's; absent where nothing is to be cut. */
  readonly width?: number;
  /** Milliseconds since 1970, for a person's times; absent where times are to be exact. */
  readonly now?: number;
  readonly color: boolean;
  /** Ends the work on a long list. */
  readonly signal?: AbortSignal;
}

/** The rows of a list, or undefined for what is none. */
export function rowsOf(value: unknown, view: View): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const rows = view.rows !== undefined && isRecord(value) ? value[view.rows] : undefined;
  return Array.isArray(rows) ? rows : undefined;
}
