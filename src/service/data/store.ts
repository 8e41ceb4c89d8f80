/** Opens the embedded service's store in an SQLite file. Only this file imports the driver. */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { messageOf, systemCode } from '../../caught.ts';
import { Refusal } from '../refusal.ts';
import { FIND_TABLES, FIND_VERSION, latestVersion, statementsFrom, versionOf, versions } from '../schema/versions.ts';
import {
  byColumns,
  type DatabaseRow,
  type InsertRows,
  insertValues,
  type RowCell,
  type Statements,
} from './columns.ts';

export type Mode = 'IMMEDIATE' | 'DEFERRED';

interface Transaction {
  readonly commit: () => void;
  /** Never throws. */
  readonly rollBack: () => void;
}

export interface Store extends Statements, ReturnType<typeof byColumns> {
  /** The path of the file, or `:memory:`. */
  readonly file: string;
  /** Executes `INSERT INTO … ROWS …` in several statements: use a transaction. Returns the number of changed rows. */
  readonly insertRows: (sql: string, rows: readonly (readonly RowCell[])[]) => number;
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

/** How much the rows of one statement may hold in memory, in bytes. */
const ROWS_LIMIT = 8 * 2 ** 20;

/**
 * Opens the store in `file` or `:memory:`. With `creates`, an empty one gets its tables. Throws, and changes nothing, if
 * the tables are newer, or belong to something else.
 */
export function openStore(file: string, all = versions, creates = true): Store {
  if (file !== ':memory:') ensurePrivateFile(file);
  const db = new Database(file);
  db.exec(PRAGMAS);
  const prepared = new Map<string, ReturnType<typeof db.prepare>>();
  const prepare = (sql: string) => {
    const statement = prepared.get(sql) ?? db.prepare(sql);
    prepared.set(sql, statement);
    return statement;
  };
  const store = storeOn(file, {
    get: (sql, ...values) => {
      const row = prepare(sql).get(values) as DatabaseRow | undefined;
      if (!row) return undefined;
      // The driver adds a field with its timing to the row.
      const { _metadata, ...cells } = row;
      return cells;
    },
    all: (sql, ...values) => {
      const statement = prepare(sql);
      const rows: DatabaseRow[] = [];
      let left = ROWS_LIMIT;
      for (const row of statement.iterate(values) as Iterable<DatabaseRow>) {
        rows.push(row);
        left -= sizeOf(row);
        if (left >= 0) continue;
        // Executing it again ends the open one, which keeps other processes from writing.
        statement.get(values);
        throw new Refusal(422, `there are more than ${ROWS_LIMIT / 2 ** 20} MiB of these records: delete some of them`);
      }
      return rows;
    },
    run: (sql, ...values) => Number(prepare(sql).run(values).changes),
    insertRows: insertValues,
    begin: (mode) => db.exec(`BEGIN ${mode}`),
    end: (how) => db.exec(how),
    close: () => {
      // The driver keeps the file open until the last statement is collected.
      prepared.clear();
      db.close();
    },
  });
  store.transaction(() => {
    const version = versionIn(store);
    if (version === 0 && !creates) return;
    // A file of version 1 may lack tables, because they were not always counted as a new version.
    const statements = version === 0 ? [] : statementsFrom(version, all);
    db.exec([...statements, ...all.tables].join(';\n'));
    const latest = latestVersion(all);
    if (version !== latest) store.insert('meta', { key: 'schema', value: String(latest) }, 'replace');
  });
  return store;
}

/** What a file and a server do in different ways. */
interface Engine extends Statements, Pick<Store, 'close'> {
  readonly insertRows: InsertRows;
  readonly begin: (mode: Mode) => void;
  readonly end: (how: 'COMMIT' | 'ROLLBACK') => void;
}

export function storeOn(file: string, engine: Engine): Store {
  const { get, all, run, close } = engine;
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
    ...{ file, get, all, run, begin, close },
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
  };
}

const sizeOf = (row: DatabaseRow): number =>
  Object.values(row).reduce(
    (sum: number, cell) => sum + (cell instanceof Object ? cell.byteLength : String(cell).length),
    0,
  );

/**
 * Returns the version of the tables: 0 without any, and NaN if they belong to something else. Reads it in one statement,
 * because each command opens the file. Tables without a version have version 1.
 */
export function versionIn(store: Statements): number {
  try {
    return versionOf(['meta'], store.get(FIND_VERSION)?.value ?? 1);
  } catch (error) {
    if (!messageOf(error).includes('no such table')) throw error;
    return versionOf(store.all(FIND_TABLES), undefined);
  }
}

/** Creates a file and its folder, if needed. It holds keys, so it is private. SQLite copies its permissions. */
function ensurePrivateFile(file: string): void {
  makeFolder(dirname(file));
  for (const suffix of ['', '-wal', '-shm', '-journal']) refuseOther(`${file}${suffix}`);
  closeSync(openSync(file, 'a', 0o600));
}

/** Throws EINVAL for a pipe, a device or a folder. SQLite would wait for a pipe forever. */
function refuseOther(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found && !found.isFile()) throw Object.assign(new Error(`${path} is not a file`), { code: 'EINVAL', path });
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
