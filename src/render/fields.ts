/** The members that `--fields` names, by paths such as `owner.name`. */
import { DtpError } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import { rowsOf, type View } from './view.ts';

/** The member at a path; undefined where there is none. */
export function memberAt(value: unknown, path: string): unknown {
  // A name may hold a dot itself.
  if (isRecord(value) && Object.hasOwn(value, path)) return value[path];
  if (!path.includes('.')) return undefined;
  let at = value;
  for (const name of path.split('.')) {
    if (!isRecord(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** Every member of any row, in the order in which they come. Throws `bad_response` for more than `most`: all rows have a cell for each. */
export function membersOf(
  rows: readonly Readonly<Record<string, unknown>>[],
  most: number,
): readonly string[] {
  const names = new Set<string>();
  for (const row of rows) for (const name of Object.keys(row)) names.add(name);
  if (names.size > most)
    throw new DtpError(
      'bad_response',
      `the rows have ${names.size} different members, which are too many columns (${most} at most)`,
      { hint: 'Name those to show with --fields, or use -o json.' },
    );
  return [...names];
}

/** The value with these members alone, in their places: of each row where it is a list, null where there is none. */
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
