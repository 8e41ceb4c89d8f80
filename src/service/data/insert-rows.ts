/** Inserts many rows in few statements. */

/** A cell that JSON can hold. */
export type RowCell = string | number | null;

export type InsertRows = (
  run: (sql: string, ...values: readonly RowCell[]) => number,
  sql: string,
  rows: readonly (readonly RowCell[])[],
) => number;

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

/** What SQLite does not read from JSON as it is: the character NUL, and half of a character. */
const LOSSY = /\\u(0000|d[89a-f])/;

/** The longest JSON of a statement. A server takes values of up to 5 MB, and a character has up to 3 bytes. */
const LONGEST = 1_000_000;

/** A server takes longer for each statement, and for each value of a statement. A file takes longer for JSON. */
export const insertJson: InsertRows = (run, sql, rows) => {
  if (rows.length === 0) return 0;
  const json = JSON.stringify(rows);
  const half = Math.ceil(rows.length / 2);
  if (json.length > LONGEST && rows.length > 1)
    return insertJson(run, sql, rows.slice(0, half)) + insertJson(run, sql, rows.slice(half));
  if (LOSSY.test(json)) return insertValues(run, sql, rows);
  const cells = rows[0]?.map((_, at) => `value ->> ${at}`) ?? [];
  // Without WHERE, SQLite would read ON CONFLICT as the condition of a join.
  return run(sql.replace('ROWS', `SELECT ${cells.join(', ')} FROM json_each(?) WHERE true`), json);
};
