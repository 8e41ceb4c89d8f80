/** Selects fields of records: those that `--fields` names, by paths such as `owner.name`, and those with a name. */
import { DtpError } from '../errors.ts';
import { isRecord, type JsonObject } from '../json-object.ts';
import { rowsOf, type View } from './view.ts';

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
  if (names.size > most) {
    const text = `the rows have ${names.size} different fields, which is too many for a table (limit: ${most})`;
    throw new DtpError('bad_response', text, { hint: 'Choose fields with --fields, or use -o json.' });
  }
  return [...names];
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
