/** Opens the embedded service's store, in an SQLite file or on a libSQL server. Only this file imports the driver. */
import Database from 'libsql';
import { messageOf, systemCode } from '../../caught.ts';
import {
  FIND_TABLES,
  FIND_VERSION,
  latestVersion,
  scriptFrom,
  statementsFrom,
  type Versions,
  versionOf,
  versions,
} from '../schema/versions.ts';
import {
  byColumns,
  type Cell,
  type Columns,
  type Existing,
  type InsertRows,
  insertJson,
  insertValues,
  type RowCell,
} from './columns.ts';
import { ensurePrivateFile } from './private-file.ts';
import { BUSY, busyFault, EXPIRED, remoteFault, UNREACHABLE } from './remote-fault.ts';
import { endTurn, openTurn, type Turn, takeTurn } from './turn.ts';

/** A row from SQLite, by column name. */
export type DatabaseRow = Readonly<Record<string, Cell>>;

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
  if (typeof at === 'string') return openFile(at, all);
  const store = openRemote(at);
  createTables(store, at, all);
  return store;
}

function openFile(file: string, all: Versions): Store {
  if (file !== ':memory:') ensurePrivateFile(file);
  const db = new Database(file);
  db.exec(PRAGMAS);
  const { prepare, clear } = statementsOf(db);
  const store = storeOn(file, {
    insertRows: insertValues,
    do: (sql, work) => work(prepare(sql)),
    begin: (mode) => db.exec(`BEGIN ${mode}`),
    end: (how) => db.exec(how),
    close: () => {
      // The driver keeps the file open until the last statement is collected.
      clear();
      db.close();
    },
  });
  store.transaction(() => {
    const version = versionInFile(store);
    // A file of version 1 may lack tables, because they were not always counted as a new version.
    const statements = version === 0 ? [] : statementsFrom(version, all);
    db.exec([...statements, ...all.tables].join(';\n'));
    const latest = latestVersion(all);
    if (version !== latest) store.insert('meta', { key: 'schema', value: String(latest) }, 'replace');
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
    insertRows: (sql, rows) => (rows.length === 0 ? 0 : engine.insertRows(run, sql, rows)),
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
  const begin = (mode: Mode) => {
    const start = performance.now();
    if (!takeTurn(turn, PATIENCE.waitMs)) throw busyFault();
    for (; ; sleepSync(PATIENCE.everyMs))
      try {
        execute(`BEGIN ${mode}`);
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

/**
 * Creates the tables, or changes those of an older version, once, even if several processes start at the same time. One
 * request has the whole transaction, because a server ends a transaction that takes longer than some seconds.
 */
function createTables(store: Store, { url, token }: DatabaseServer, all: Versions): void {
  for (const start = performance.now(); ; sleepSync(PATIENCE.everyMs)) {
    const script = scriptFrom(versionIn(store), all);
    if (script === undefined) return;
    const db = new Database(url, { authToken: token } as object);
    try {
      db.exec(script);
    } catch (error) {
      const fault = remoteFault(error);
      rollBackIn(db);
      // Another process was faster, or has the lock.
      const isLost = fault.code === BUSY || fault.code === 'SQLITE_CONSTRAINT';
      if (!isLost || performance.now() - start > PATIENCE.waitMs) throw fault;
    }
  }
}

function rollBackIn(db: Connection): void {
  try {
    db.exec('ROLLBACK');
  } catch {
    // The transaction has not begun, or the server has ended it.
  }
}

function versionIn(store: Store): number {
  const tables = store.all(FIND_TABLES).map(({ name }) => name);
  return versionOf(tables, tables.includes('meta') && store.get(FIND_VERSION)?.value);
}

/** A file takes one statement, because each command opens it. Tables without a version have version 1. */
function versionInFile(store: Store): number {
  try {
    return versionOf(['meta'], store.get(FIND_VERSION)?.value ?? 1);
  } catch (error) {
    if (messageOf(error).includes('no such table')) return 0;
    throw error;
  }
}
