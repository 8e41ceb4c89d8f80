/** Opens the SQLite file that holds the embedded service's state. No other source file imports the driver. */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { systemCode } from '../../caught.ts';
import { schema, schemaVersion } from '../schema/tables.ts';
import { EXPIRED, remoteFault } from './remote-fault.ts';

type Cell = string | number | bigint | null | Uint8Array;

/** A row from SQLite, by column name. */
export type DatabaseRow = Readonly<Record<string, Cell>>;

/** Columns of a table and their values. */
type Columns = Readonly<Record<string, Cell>>;

/** What happens if the row exists: by default an error, and with `update NAME` only this column is set. */
type Existing = 'abort' | 'ignore' | 'replace' | `update ${string}`;

type Mode = 'IMMEDIATE' | 'DEFERRED';

interface Transaction {
  readonly commit: () => void;
  /** Never throws. */
  readonly rollBack: () => void;
}

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
  /** Begins a transaction for work that waits in between. `DEFERRED` is for reading: all reads see the same moment. */
  readonly begin: (mode: Mode) => Transaction;
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

/** A libSQL server, through the gateway of this process. */
export interface DatabaseServer {
  readonly url: string;
  readonly token: string;
}

/** Opens the store in `file`, or in memory for `:memory:`, or on a server. Creates the file and its folder if needed. */
export const openStore = (at: string | DatabaseServer): Store =>
  typeof at === 'string' ? openFile(at) : openRemote(at);

function openFile(file: string): Store {
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
  const { prepare, clear } = statementsOf(db);
  return storeOn(file, {
    do: (sql, work) => work(prepare(sql)),
    begin: (mode) => db.exec(`BEGIN ${mode}`),
    end: (how) => db.exec(how),
    close: () => {
      // The driver keeps the file open until the last statement is collected.
      clear();
      db.close();
    },
  });
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
  readonly do: <T>(sql: string, work: (statement: Statement) => T) => T;
  readonly begin: (mode: Mode) => void;
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
  const begin: Store['begin'] = (mode) => {
    engine.begin(mode);
    return {
      commit: () => engine.end('COMMIT'),
      rollBack: () => {
        try {
          engine.end('ROLLBACK');
        } catch {
          // SQLite has already rolled back if the disk is full or has failed.
        }
      },
    };
  };
  return {
    ...{ file, get, all, run, begin },
    ...byColumns({ get, all, run }),
    transaction: (work) => {
      const { commit, rollBack } = begin('IMMEDIATE');
      try {
        const result = work();
        commit();
        return result;
      } catch (error) {
        rollBack();
        throw error;
      }
    },
    close: engine.close,
  };
}

/** How long a writer waits for another one, in milliseconds, and how often it asks. A file waits as long. */
const PATIENCE = { waitMs: 10_000, everyMs: 20 };

/**
 * Opens the store on a server. Its connection ends when it is idle, and then a statement opens another one. A statement
 * that fails for another reason may have been executed, so it is not sent again.
 */
function openRemote({ url, token }: DatabaseServer): Store {
  let open: ReturnType<typeof statementsOf> | undefined;
  let isInTransaction = false;
  const reset = () => {
    open = undefined;
  };
  const once = <T>(sql: string, work: (statement: Statement) => T): T => {
    open ??= statementsOf(new Database(url, { authToken: token } as object));
    try {
      return work(open.prepare(sql));
    } catch (error) {
      const fault = remoteFault(error);
      if (fault.code !== 'SQLITE_CONSTRAINT') reset();
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
  const begin = (mode: Mode) => {
    for (const start = performance.now(); ; sleepSync(PATIENCE.everyMs))
      try {
        execute(`BEGIN ${mode}`);
        isInTransaction = true;
        return;
      } catch (error) {
        if (systemCode(error) !== 'SQLITE_BUSY' || performance.now() - start > PATIENCE.waitMs) throw error;
      }
  };
  const end: Engine['end'] = (how) => {
    try {
      execute(how);
    } finally {
      isInTransaction = false;
    }
  };
  const store = storeOn(`the database at ${new URL(url).host}`, { do: perform, begin, end, close: reset });
  createTables(store);
  return store;
}

const sleepSync = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

/** Creates the tables once, even if several processes start at the same time. */
function createTables(store: Store): void {
  const version = schemaVersion();
  const isCurrent = () => store.find('meta', { key: 'schema' })?.value === version;
  const hasMeta = () => store.get("SELECT name FROM sqlite_master WHERE name = 'meta'") !== undefined;
  if (hasMeta() && isCurrent()) return;
  store.transaction(() => {
    if (hasMeta() && isCurrent()) return;
    for (const sql of schema) store.run(sql);
    store.insert('meta', { key: 'schema', value: version }, 'replace');
  });
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
