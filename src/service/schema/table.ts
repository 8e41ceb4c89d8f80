/** Writes the statement that creates a table. */

/**
 * `columns` are separated by commas. A column without a type is a string that must be set. The values of the columns in
 * `key` are unique together: they are the primary key, unless one of `columns` is.
 */
export function createTable(name: string, columns: string, key?: string): string {
  const typed = columns
    .split(/,\s+/)
    .map((column) => column.replace(/^\w+\b(?! (?:TEXT|INTEGER|BLOB))/, '$& TEXT NOT NULL'));
  const kind = columns.includes('PRIMARY KEY') ? 'UNIQUE' : 'PRIMARY KEY';
  return `CREATE TABLE IF NOT EXISTS ${name} (${[...typed, ...(key ? [`${kind} (${key})`] : [])].join(', ')})`;
}
