/** Opens the SQLite file that holds the embedded service's state. No other source file imports the driver. */
import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { systemCode } from '../../caught.ts';
import { schema } from '../schema/index.ts';

type Cell = string | number | bigint | null | Uint8Array;

/** A row from SQLite, by column name. */
export type DatabaseRow = Readonly<Record<string, Cell>>;

/** Statements are prepared on first use. `values` are bound in order. */
export interface Store {
  /** The path of the file, or `:memory:`. */
  readonly file: string;
  readonly get: (sql: string, ...values: readonly Cell[]) => DatabaseRow | undefined;
  readonly all: (sql: string, ...values: readonly Cell[]) => readonly DatabaseRow[];
  /** Returns the number of changed rows. */
  readonly run: (sql: string, ...values: readonly Cell[]) => number;
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
  return {
    file,
    get: (sql, ...values) => {
      const row = prepare(sql).get(values) as DatabaseRow | undefined;
      if (!row) return undefined;
      // The driver adds a field with its timing to the row.
      const { _metadata, ...cells } = row;
      return cells;
    },
    all: (sql, ...values) => prepare(sql).all(values) as DatabaseRow[],
    run: (sql, ...values) => Number(prepare(sql).run(values).changes),
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

/**
 * Creates a folder and its parents. Node's recursive mkdir never returns if an existing parent refuses new folders, as
 * /proc does.
 */
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
