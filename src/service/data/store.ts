/** Opens the SQLite file that holds the embedded service's state. No other source file imports the driver. */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { systemCode } from '../../caught.ts';
import { schema } from '../schema/tables.ts';

type Cell = string | number | bigint | null | Uint8Array;

/** A row from SQLite, by column name. */
export type DatabaseRow = Readonly<Record<string, Cell>>;

/** Columns of a table and their values. */
type Columns = Readonly<Record<string, Cell>>;

/** What happens if the row exists: by default an error, and with `update NAME` only this column is set. */
type Existing = 'abort' | 'ignore' | 'replace' | `update ${string}`;

/** Statements are prepared on first use. `values` are bound in order. */
export interface Store {
  /** The path of the file, or `:memory:`. */
  readonly file: string;
  readonly get: (sql: string, ...values: readonly Cell[]) => DatabaseRow | undefined;
  readonly all: (sql: string, ...values: readonly Cell[]) => readonly DatabaseRow[];
  /** Returns the number of changed rows. */
  readonly run: (sql: string, ...values: readonly Cell[]) => number;
  readonly find: (table: string, where: Columns) => DatabaseRow | undefined;
  /** Returns the rows in the order of a column. */
  readonly list: (table: string, where: Columns, order: string) => readonly DatabaseRow[];
  /** Like `update` and `delete`, returns the number of changed rows. */
  readonly insert: (table: string, row: Columns, existing?: Existing) => number;
  readonly update: (table: string, where: Columns, change: Columns) => number;
  readonly delete: (table: string, where: Columns) => number;
  /** Commits everything or nothing. No other process can write meanwhile. `work` must be synchronous. */
  readonly transaction: <T>(work: () => T) => T;
  readonly close: () => void;
}

/**
 * The cache is larger than by default, and checkpoints are less frequent (every 128 MiB of log). A batch of events
 * touches pages all over the indexes, and the next batch touches the same pages again.
 */
const PRAGMAS = `PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON; PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 32768;`;

/** Throws EINVAL for a pipe, a device or a folder. SQLite would wait for a pipe forever. */
function refuseOther(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: 'EINVAL', path });
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

/** Returns the functions whose statements only compare and set columns. */
const byColumns = ({ get, all, run }: Pick<Store, 'get' | 'all' | 'run'>) =>
  ({
    find: (table, where) => get(`SELECT * FROM ${table} WHERE ${equal(where, ' AND ')}`, ...Object.values(where)),
    list: (table, where, order) =>
      all(`SELECT * FROM ${table} WHERE ${equal(where, ' AND ')} ORDER BY ${order}`, ...Object.values(where)),
    insert: (table, row, existing = 'abort') => run(insertSql(table, row, existing), ...Object.values(row)),
    update: (table, where, change) =>
      run(
        `UPDATE ${table} SET ${equal(change, ', ')} WHERE ${equal(where, ' AND ')}`,
        ...Object.values(change),
        ...Object.values(where),
      ),
    delete: (table, where) => run(`DELETE FROM ${table} WHERE ${equal(where, ' AND ')}`, ...Object.values(where)),
  }) satisfies Partial<Store>;

/** Opens the store in `file`, or in memory for `:memory:`. Creates the file and its folder if needed. */
export function openStore(file: string): Store {
  if (file !== ':memory:') {
    makeFolder(dirname(file));
    // The file holds keys, so only its owner may read it. SQLite gives its other files the same permissions.
    for (const suffix of ['', '-wal', '-shm', '-journal']) refuseOther(`${file}${suffix}`);
    closeSync(openSync(file, 'a', 0o600));
  }
  const db = new Database(file);
  db.exec(PRAGMAS);
  db.exec('BEGIN IMMEDIATE');
  db.exec(`${schema.join(';\n')}; COMMIT;`);
  const prepared = new Map<string, ReturnType<typeof db.prepare>>();
  const prepare = (sql: string) => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const get: Store['get'] = (sql, ...values) => {
    const row = prepare(sql).get(values) as DatabaseRow | undefined;
    if (!row) return undefined;
    // The driver adds a field with its timing to the row.
    const { _metadata, ...cells } = row;
    return cells;
  };
  const all: Store['all'] = (sql, ...values) => prepare(sql).all(values) as DatabaseRow[];
  const run: Store['run'] = (sql, ...values) => Number(prepare(sql).run(values).changes);
  return {
    ...{ file, get, all, run },
    ...byColumns({ get, all, run }),
    transaction: (work) => {
      db.exec('BEGIN IMMEDIATE');
      try {
        const result = work();
        db.exec('COMMIT');
        return result;
      } catch (error) {
        try {
          db.exec('ROLLBACK');
        } catch {
          // SQLite has already rolled back if the disk is full or has failed.
        }
        throw error;
      }
    },
    close: () => {
      // The driver keeps the file open until the last statement is collected.
      prepared.clear();
      db.close();
    },
  };
}

/** Creates a folder and its parents. Node's recursive mkdir never returns if one refuses folders, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it first.
    if (systemCode(error) !== 'EEXIST' || !existsSync(folder)) throw error;
  }
}
