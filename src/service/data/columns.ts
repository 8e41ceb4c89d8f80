/** Writes the statements that only compare, set and insert columns. It does not load the SQLite driver. */

/** A value that the database holds. */
export type Cell = string | number | bigint | null | Uint8Array;

/** Reads the bytes in a cell. */
export function bytesIn(cell: unknown): Uint8Array {
  if (cell instanceof Uint8Array) return cell;
  // The driver returns an ArrayBuffer if the query returns a list of rows.
  if (cell instanceof ArrayBuffer) return new Uint8Array(cell);
  throw new Error('the cell does not hold bytes');
}

/** A cell that JSON can hold. */
export type RowCell = string | number | null;

export type Columns = Readonly<Record<string, Cell>>;

/** What happens if the row exists: by default an error, and with `update NAME` only this column is set. */
export type Existing = 'abort' | 'ignore' | 'replace' | `update ${string}`;

/** A row from SQLite, by column name. */
export type DatabaseRow = Readonly<Record<string, Cell>>;

type Ask<Answer> = (sql: string, ...values: readonly Cell[]) => Answer;

/** Statements are prepared on first use. `values` are bound in order. */
export interface Statements {
  readonly get: Ask<DatabaseRow | undefined>;
  readonly all: Ask<readonly DatabaseRow[]>;
  /** Returns the number of changed rows. */
  readonly run: Ask<number>;
}

const equal = (columns: Columns, between: string): string =>
  Object.keys(columns)
    .map((name) => `${name} = ?`)
    .join(between);

function insertSql(table: string, row: Columns, existing: Existing): string {
  const [what, column] = existing.split(' ');
  const start = `INSERT ${column === undefined ? `OR ${what}` : ''} INTO ${table}`;
  const end = column === undefined ? '' : `ON CONFLICT DO UPDATE SET ${column} = excluded.${column}`;
  const names = Object.keys(row);
  return `${start} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ${end}`;
}

export type InsertRows = (run: Ask<number>, sql: string, rows: readonly (readonly RowCell[])[]) => number;

/** The number of rows in one statement for a file. More rows are not faster. */
const ROWS = 50;

export const insertValues: InsertRows = (run, sql, rows) => {
  let changed = 0;
  for (let start = 0; start < rows.length; start += ROWS) {
    const some = rows.slice(start, start + ROWS);
    const values = some.map((row) => `(${row.map(() => '?').join(', ')})`).join(', ');
    changed += run(sql.replace('ROWS', `VALUES ${values}`), ...some.flat());
  }
  return changed;
};

/** Matches the escapes that SQLite does not read unchanged from JSON: NUL, and a surrogate without its other half. */
const LOSSY = /\\u(0000|d[89a-f])/;

/** The maximum length of the JSON in a statement. A server takes values of 5 MB, and a character has up to 3 bytes. */
const LONGEST = 1_000_000;

/** Inserts rows as one JSON value: faster on a server, where each statement and value takes long, but not in a file. */
export const insertJson: InsertRows = (run, sql, rows) => {
  const json = JSON.stringify(rows);
  const half = Math.ceil(rows.length / 2);
  if (json.length > LONGEST && rows.length > 1)
    return insertJson(run, sql, rows.slice(0, half)) + insertJson(run, sql, rows.slice(half));
  if (LOSSY.test(json)) return insertValues(run, sql, rows);
  const cells = rows[0]?.map((_, at) => `value ->> ${at}`) ?? [];
  // Without WHERE, SQLite would read ON CONFLICT as the condition of a join.
  return run(sql.replace('ROWS', `SELECT ${cells.join(', ')} FROM json_each(?) WHERE true`), json);
};

/** Returns the functions whose statements only compare and set columns. */
export const byColumns = ({ get, all, run }: Statements) => ({
  find: (table: string, where: Columns) =>
    get(`SELECT * FROM ${table} WHERE ${equal(where, ' AND ')}`, ...Object.values(where)),
  /** Returns the rows in the order of a column. */
  list: (table: string, where: Columns, order: string) =>
    all(`SELECT * FROM ${table} WHERE ${equal(where, ' AND ')} ORDER BY ${order}`, ...Object.values(where)),
  /** Like `update` and `delete`, returns the number of changed rows. */
  insert: (table: string, row: Columns, existing: Existing = 'abort') =>
    run(insertSql(table, row, existing), ...Object.values(row)),
  update: (table: string, where: Columns, change: Columns) =>
    run(
      `UPDATE ${table} SET ${equal(change, ', ')} WHERE ${equal(where, ' AND ')}`,
      ...Object.values(change),
      ...Object.values(where),
    ),
  delete: (table: string, where: Columns) =>
    run(`DELETE FROM ${table} WHERE ${equal(where, ' AND ')}`, ...Object.values(where)),
});
