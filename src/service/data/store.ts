/** Opens the SQLite file that holds the embedded service's state. No other source file imports the driver. */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { systemCode } from '../../caught.ts';
import {
  FIND_TABLES,
  FIND_VERSION,
  latestVersion,
  statementsFrom,
  type Versions,
  versionOf,
  versions,
} from '../schema/versions.ts';
import { BUSY, busyFault, EXPIRED, remoteFault, UNREACHABLE } from './remote-fault.ts';
import { endTurn, openTurn, type Turn, takeTurn } from './turn.ts';

type Cell = string | number | bigint | null | Uint8Array;

/** A cell that JSON can hold. */
type RowCell = string | number | null;

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
  /**
   * Executes `INSERT INTO … ROWS …` for many rows, and returns the number of changed rows. It takes few statements, so
   * some rows may be inserted if it fails outside of a transaction.
   */
  readonly insertRows: (sql: string, rows: readonly (readonly RowCell[])[]) => number;
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

type InsertRows = (run: Store['run'], ...[sql, rows]: Parameters<Store['insertRows']>) => number;

/** The number of rows in one statement for a file. More rows are not faster. */
const ROWS = 50;

const insertValues: InsertRows = (run, sql, rows) => {
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
const insertJson: InsertRows = (run, sql, rows) => {
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

/** A libSQL server, through the gateway of this process. */
export interface DatabaseServer {
  readonly url: string;
  readonly token: string;
  /** For the threads that use the same gateway. */
  readonly turn?: Turn;
}

/**
 * Opens the store in `file`, or in memory for `:memory:`, or on a server. Creates the file and its folder if needed,
 * and the tables. Throws, and changes nothing, if the store has the tables of a newer version.
 */
export function openStore(at: string | DatabaseServer, all = versions): Store {
  const store = typeof at === 'string' ? openFile(at, all) : openRemote(at);
  if (typeof at !== 'string') createTables(store, all);
  return store;
}

function openFile(file: string, all: Versions): Store {
  if (file !== ':memory:') {
    makeFolder(dirname(file));
    // The file holds keys, so only its owner may read it. SQLite gives its other files the same permissions.
    for (const suffix of ['', '-wal', '-shm', '-journal']) refuseOther(`${file}${suffix}`);
    closeSync(openSync(file, 'a', 0o600));
  }
  const db = new Database(file);
  db.exec(PRAGMAS);
  const { prepare, clear } = statementsOf(db);
  const store = storeOn(file, {
    insertRows: insertValues,
    do: (sql, work) => work(prepare(sql)),
    begin: () => db.exec('BEGIN IMMEDIATE'),
    end: (how) => db.exec(how),
    close: () => {
      // The driver keeps the file open until the last statement is collected.
      clear();
      db.close();
    },
  });
  store.transaction(() => {
    const version = versionIn(store, 1);
    // A file of version 1 may lack tables, because they were not always counted as a new version.
    const statements = version === 0 ? [] : statementsFrom(version, all);
    db.exec([...statements, ...all.tables].join(';\n'));
    if (version !== latestVersion(all)) setVersion(store, all);
  });
  return store;
}

type Connection = InstanceType<typeof Database>;
type Statement = ReturnType<Connection['prepare']>;

/** Prepares each statement once. */
function statementsOf(db: Connection) {
  const prepared = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = prepared.get(sql);
    if (known) return known;
    const statement = db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  return { prepare, clear: () => prepared.clear() };
}

/** What a file and a server do in different ways. */
interface Engine {
  readonly insertRows: InsertRows;
  readonly do: <T>(sql: string, work: (statement: Statement) => T) => T;
  readonly begin: () => void;
  readonly end: (how: 'COMMIT' | 'ROLLBACK') => void;
  readonly close: () => void;
}

function storeOn(file: string, engine: Engine): Store {
  const get: Store['get'] = (sql, ...values) => {
    const row = engine.do(sql, (statement) => statement.get(values)) as DatabaseRow | undefined;
    if (!row) return undefined;
    // The driver adds a field with its timing to the row.
    const { _metadata, ...cells } = row;
    return cells;
  };
  const all: Store['all'] = (sql, ...values) => engine.do(sql, (statement) => statement.all(values)) as DatabaseRow[];
  const run: Store['run'] = (sql, ...values) => Number(engine.do(sql, (statement) => statement.run(values)).changes);
  return {
    ...{ file, get, all, run },
    ...byColumns({ get, all, run }),
    insertRows: (sql, rows) => (rows.length === 0 ? 0 : engine.insertRows(run, sql, rows)),
    transaction: (work) => {
      engine.begin();
      try {
        const result = work();
        engine.end('COMMIT');
        return result;
      } catch (error) {
        try {
          engine.end('ROLLBACK');
        } catch {
          // SQLite has already rolled back if the disk is full or has failed.
        }
        throw error;
      }
    },
    close: engine.close,
  };
}

/** How long a writer waits for another one, in milliseconds, and how often it asks. */
const PATIENCE = { waitMs: 5000, everyMs: 20 };

/**
 * Opens the store on a server. Its connection ends when it is idle, and then a statement opens another one. A statement
 * that fails for another reason may have been executed, so it is not sent again.
 */
function openRemote({ url, token, turn = openTurn() }: DatabaseServer): Store {
  // A statement that was prepared outside of a transaction ends the connection when it is done, and the transaction.
  const connect = () => {
    const db = new Database(url, { authToken: token } as object);
    return { inside: statementsOf(db), outside: statementsOf(db) };
  };
  let open: ReturnType<typeof connect> | undefined;
  let isInTransaction = false;
  const reset = () => {
    open = undefined;
  };
  const once = <T>(sql: string, work: (statement: Statement) => T): T => {
    // The server rolls the transaction back. A statement on another connection would be executed outside of it.
    if (isInTransaction && !open) throw remoteFault('the connection has ended within the transaction');
    open ??= connect();
    try {
      return work((isInTransaction ? open.inside : open.outside).prepare(sql));
    } catch (error) {
      const fault = remoteFault(error);
      // Otherwise, the connection has nothing to lose, and the driver would not free its memory.
      if (fault.code === EXPIRED || (isInTransaction && fault.code === UNREACHABLE)) reset();
      throw fault;
    }
  };
  const perform: Engine['do'] = (sql, work) => {
    try {
      return once(sql, work);
    } catch (error) {
      if (isInTransaction || systemCode(error) !== EXPIRED) throw error;
      return once(sql, work);
    }
  };
  const execute = (sql: string) => perform(sql, (statement) => statement.run([]));
  const begin = () => {
    const start = performance.now();
    if (!takeTurn(turn, PATIENCE.waitMs)) throw busyFault();
    for (; ; sleepSync(PATIENCE.everyMs))
      try {
        execute('BEGIN IMMEDIATE');
        isInTransaction = true;
        return;
      } catch (error) {
        if (systemCode(error) === BUSY && performance.now() - start < PATIENCE.waitMs) continue;
        endTurn(turn);
        throw error;
      }
  };
  const end: Engine['end'] = (how) => {
    try {
      execute(how);
      isInTransaction = false;
    } finally {
      // A ROLLBACK follows a COMMIT that has failed.
      if (how === 'ROLLBACK') isInTransaction = false;
      if (!isInTransaction) endTurn(turn);
    }
  };
  return storeOn('the database', { insertRows: insertJson, do: perform, begin, end, close: reset });
}

const sleepSync = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/** Creates the tables, or changes those of an older version, once, even if several processes start at the same time. */
function createTables(store: Store, all: Versions): void {
  if (statementsFrom(versionIn(store), all).length === 0) return;
  store.transaction(() => {
    const statements = statementsFrom(versionIn(store), all);
    for (const sql of statements) store.run(sql);
    if (statements.length > 0) setVersion(store, all);
  });
}

/** Returns the version of the tables. `unset` is that of tables without a version. */
function versionIn(store: Store, unset?: number): number {
  const tables = store.all(FIND_TABLES).map(({ name }) => name);
  return versionOf(tables, (tables.includes('meta') && store.get(FIND_VERSION)?.value) || unset);
}

const setVersion = (store: Store, all: Versions): void => {
  store.insert('meta', { key: 'schema', value: String(latestVersion(all)) }, 'replace');
};

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
