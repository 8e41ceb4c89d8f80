/** Writes all tables of a store as lines of JSON: a header, lines with rows of a table, and the sums of all tables. */
import { createHash, type Hash } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import { schema } from '../schema/tables.ts';
import { latestVersion } from '../schema/versions.ts';
import { bytesIn, type DatabaseRow } from './columns.ts';
import { type Store, versionIn } from './store.ts';

/** For each table, the number of its rows, and their SHA-256. */
export type TableSums = Record<string, { readonly rows: number; readonly sha256: string }>;

export type StoredTable = ReturnType<typeof storedTables>[number];

/** Returns the tables. Each one only refers to tables before it. */
export const storedTables = (store: Store) =>
  schema.flatMap((sql) => {
    const [, name] = /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(sql) ?? [];
    if (name === undefined) return [];
    const columns = store.all(
      // A server writes a name in capitals if it is a keyword.
      `SELECT lower(name) AS c0, type AS c1, pk AS c2 FROM pragma_table_info('${name}') ORDER BY pk, lower(name)`,
    );
    const primary = columns.filter(({ c2 }) => Number(c2) > 0).map(({ c0 }) => String(c0));
    return {
      name,
      columns: columns.map(({ c0, c1 }) => ({ name: String(c0), isText: c1 === 'TEXT' })),
      /** The columns that order the rows. */
      key: sql.endsWith('WITHOUT ROWID') ? primary : ['rowid'],
      /** Selects the rows that are data. The others describe the database itself. */
      where: name === 'meta' ? "key <> 'schema'" : '1',
    };
  });

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

export const headerLine = (): string => lineOf({ format: 'dtp-data', version: 1, schema: latestVersion() });

/** Whether the store has no tables, or no rows in them. */
export const isEmptyStore = (store: Store): boolean =>
  versionIn(store) === 0 ||
  !storedTables(store).some(({ name, where }) => store.get(`SELECT 1 AS one FROM ${name} WHERE ${where} LIMIT 1`));

/**
 * Yields the lines of an export. They show one moment, even if others write meanwhile. Throws Refusal for an empty
 * store, and for a file whose rows do not fit together, because no store would take them.
 */
export function* exportStore(store: Store): Generator<string> {
  const snapshot = store.begin('DEFERRED');
  try {
    if (isEmptyStore(store)) throw new Refusal(404, `there is no data in ${store.file}`);
    checkWhole(store);
    yield headerLine();
    yield lineOf(yield* tableLines(store));
  } finally {
    snapshot.rollBack();
  }
}

function checkWhole(store: Store): void {
  const [found] = store.all('PRAGMA integrity_check(1)');
  const [loose] = store.all('PRAGMA foreign_key_check');
  const fault = loose ? `a row of ${loose.table} refers to nothing` : found?.integrity_check;
  if (fault !== 'ok') throw new Refusal(500, `${store.file} is damaged: ${fault}`);
}

export function* tableLines(store: Store): Generator<string, TableSums> {
  const tally = openTally();
  const tables = storedTables(store);
  for (const table of tables)
    for (const rows of pagesOf(store, table)) {
      tally.add(table.name, rows);
      yield lineOf([table.name, ...rows]);
    }
  return tally.sums(tables.map(({ name }) => name));
}

/** Counts rows, and computes their digests. `sums` also has the tables without rows, and must be called only once. */
export function openTally() {
  const tables = new Map<string, { rows: number; readonly hash: Hash }>();
  const of = (name: string) => {
    const found = tables.get(name) ?? { rows: 0, hash: createHash('sha256') };
    tables.set(name, found);
    return found;
  };
  return {
    add: (name: string, rows: readonly unknown[]) => {
      const table = of(name);
      for (const row of rows) table.hash.update(lineOf(row));
      table.rows += rows.length;
    },
    sums: (names: readonly string[]): TableSums => {
      for (const name of names) of(name);
      return Object.fromEntries(
        [...tables].map(([name, { rows, hash }]) => [name, { rows, sha256: hash.digest('hex') }]),
      );
    },
  };
}

/** The most that is read at once, except for a row that is longer. */
const PAGE = { bytes: 1024 * 1024, rows: 256 };

function* pagesOf(store: Store, { name, columns, key, where }: StoredTable): Generator<readonly unknown[][]> {
  const keys = key.join(', ');
  const bound = `(${key.map(() => '?').join(', ')})`;
  const size = columns.map((column) => `ifnull(octet_length(${column.name}), 0)`).join(' + ');
  // The driver cuts a string off at a NUL, so strings are read as bytes.
  const cells = columns.map(
    (column, at) => `${column.isText ? `CAST(${column.name} AS BLOB)` : column.name} AS c${at}`,
  );
  const sizes = `SELECT ${key.map((column, at) => `${column} AS k${at}`)}, ${size} AS size FROM ${name} WHERE ${where}`;
  let [after, start]: [string, readonly (string | number)[]] = ['', []];
  for (;;) {
    let [last, total]: [DatabaseRow | undefined, number] = [undefined, 0];
    for (const row of store.all(`${sizes} ${after} ORDER BY ${keys} LIMIT ${PAGE.rows}`, ...start)) {
      total += Number(row.size);
      if (last && total > PAGE.bytes) break;
      last = row;
    }
    if (!last) return;
    const end = key.map((_, at) => last?.[`k${at}`] as string | number);
    const page = `SELECT ${cells} FROM ${name} WHERE ${where} AND (${keys}) <= ${bound} ${after} ORDER BY ${keys}`;
    yield store
      .all(page, ...end, ...start)
      .map((row) => columns.map(({ isText }, at) => valueIn(row[`c${at}`] ?? null, isText)));
    [after, start] = [`AND (${keys}) > ${bound}`, end];
  }
}

function valueIn(cell: unknown, isText: boolean): unknown {
  if (typeof cell !== 'object' || cell === null) return cell;
  const bytes = Buffer.from(bytesIn(cell));
  return isText ? bytes.toString() : { base64: bytes.toString('base64') };
}
