/** The embedded service's state: one SQLite file. The only importer of its driver. */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { systemCode } from '../../caught.ts';
import { dateOldUploads, HAS_OLD_UPLOADS } from '../schema/content.ts';
import { HAS_OLD_EVENTS, moveOldEvents } from '../schema/events.ts';
import { schema } from '../schema/index.ts';

type Cell = string | number | bigint | null | Uint8Array;

/** A row as SQLite gives it, by column name. */
export type Row = Readonly<Record<string, Cell>>;

/** Prepared on first use; `values` are bound in order. */
export interface Store {
  /** `:memory:` for one that has none. */
  readonly file: string;
  readonly get: (sql: string, ...values: readonly Cell[]) => Row | undefined;
  readonly all: (sql: string, ...values: readonly Cell[]) => readonly Row[];
  /** The number of rows that changed. */
  readonly run: (sql: string, ...values: readonly Cell[]) => number;
  /** All or nothing, and alone: no other process writes meanwhile. `work` is synchronous. */
  readonly transaction: <T>(work: () => T) => T;
  readonly close: () => void;
}

/**
 * A larger cache and rarer checkpoints (128 MiB of log) than SQLite's own: a batch of events touches pages all
 * over the indexes, and the same ones again with the next batch.
 */
const PRAGMAS = `PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  PRAGMA foreign_keys = ON; PRAGMA cache_size = -32768; PRAGMA wal_autocheckpoint = 32768;`;

/** Opens the store in `file` (made where it is absent, with its folder), or in memory for `:memory:`. */
export function openStore(file: string): Store {
  if (file !== ':memory:') {
    makeFolder(dirname(file));
    // It holds keys; SQLite gives its other files the mode of this one.
    closeSync(openSync(file, 'a', 0o600));
  }
  const db = new Database(file);
  db.exec(PRAGMAS);
  db.exec('BEGIN IMMEDIATE');
  if (db.prepare(HAS_OLD_EVENTS).get()) db.exec(moveOldEvents.join(';\n'));
  if (db.prepare(HAS_OLD_UPLOADS).get()) db.exec(dateOldUploads);
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
      const row = prepare(sql).get(values) as Row | undefined;
      if (!row) return undefined;
      // The driver puts how long it took into the row.
      const { _metadata, ...cells } = row;
      return cells;
    },
    all: (sql, ...values) => prepare(sql).all(values) as Row[],
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
          // A disk that is full or fails has had SQLite do it already.
        }
        throw error;
      }
    },
    close: () => {
      db.close();
    },
  };
}

/** With those above it. Node's own way never ends where a folder that is there takes no other, as in /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (systemCode(error) !== 'EEXIST' || !existsSync(folder)) throw error;
  }
}
