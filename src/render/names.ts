/** Prints the names in a value, one per line, for use as arguments of another command. */
import { afterCommand, DtpError } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import { memberAt, rowsOf, type View } from './fields.ts';
import { visible } from './sanitize.ts';

/** Prints nothing for an empty list. Throws `usage` for an entry without id and name: a script would pass on ''. */
export function writeNames(value: unknown, view: View): string {
  const all = namedIn(value, view);
  const { look, write } = openNameRows(view, all.length > 1);
  look(all);
  return write(all);
}

/** Looks at all rows before it writes the first, because one of them may have no name. */
export function openNameRows(view: View, areMany = true) {
  let count = 0;
  return {
    look: (rows: readonly unknown[]) => {
      for (const row of rows) {
        count++;
        if (isName(nameOf(row, view))) continue;
        throw new DtpError(
          'usage',
          `${areMany ? `row ${count} of the result` : 'the result'} has no id or name to print`,
          {
            hint: `${afterCommand}Choose another format with -o, or a field with --query.`,
          },
        );
      }
    },
    write: (rows: readonly unknown[]): string => rows.map((row) => `${visible(String(nameOf(row, view)))}\n`).join(''),
    end: () => '',
  };
}

/** Returns the rows of a list, or a single record as one row. If the service omits the list, there are no rows. */
function namedIn(value: unknown, view: View): readonly unknown[] {
  const [, path] = /^(.*)\[\]$/.exec(view.names ?? '') ?? [];
  if (path !== undefined && isRecord(value)) return rowsOf(memberAt(value, path) ?? [], view) ?? [value];
  const rows = rowsOf(value, view);
  if (rows) return rows;
  return view.rows !== undefined && isRecord(value) && (value[view.rows] ?? undefined) === undefined ? [] : [value];
}

function nameOf(value: unknown, { columns = [], names: path }: View): unknown {
  if (!isRecord(value)) return value;
  const own = path === undefined ? undefined : memberAt(value, path);
  return [own, ...[...columns.slice(0, 1), ...usual].map((name) => value[name])].find(isName);
}

const usual = ['id', 'name', 'slug', 'digest', 'url'];

const isName = (value: unknown) => value !== '' && ['string', 'number', 'bigint'].includes(typeof value);
