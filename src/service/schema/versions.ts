/** Numbers the versions of the tables. A store has its number in the row `schema` of the table `meta`. */
import { schema } from './tables.ts';

export interface Versions {
  /** The statements that create all tables as they are now. */
  readonly tables: readonly string[];
  /** The statements that lead from version 1 to 2, from 2 to 3 and so on. */
  readonly changes: readonly (readonly string[])[];
}

export const versions: Versions = { tables: schema, changes: [] };

export const latestVersion = ({ changes } = versions): number => changes.length + 1;

export const FIND_TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'
  AND name NOT LIKE 'libsql%'`;
export const FIND_VERSION = "SELECT value FROM meta WHERE key = 'schema'";

/** Returns the version of a store: 0 if it is empty, and NaN if its tables belong to something else. */
export const versionOf = (tables: readonly unknown[], value: unknown): number =>
  tables.length === 0 ? 0 : /^[1-9]\d{0,5}$/.test(String(value)) ? Number(value) : Number.NaN;

/** Returns the statements that a store needs. Throws if its version is newer or unknown. */
export function statementsFrom(version: number, all = versions): readonly string[] {
  if (version === 0) return all.tables;
  if (version <= latestVersion(all)) return all.changes.slice(version - 1).flat();
  if (Number.isNaN(version)) throw refusedStore('it has tables of something else', 'Use an empty database');
  const known = `this version of dtp only knows versions up to ${latestVersion(all)}`;
  throw refusedStore(`its tables have version ${version}, but ${known}`, 'Update dtp');
}

/** Returns the transaction that brings an old store up to date. It fails if another process has changed the version. */
export function transactionFrom(version: number, all: Versions): readonly string[] | undefined {
  const statements = statementsFrom(version, all);
  if (statements.length === 0) return undefined;
  const latest = latestVersion(all);
  const numbered =
    version === 0
      ? [...statements, `INSERT OR IGNORE INTO meta (key, value) VALUES ('schema', '${latest}')`]
      : [
          `INSERT INTO meta (key, value) SELECT key, value FROM meta WHERE key = 'schema' AND value <> '${version}'`,
          ...statements,
          `UPDATE meta SET value = '${latest}' WHERE key = 'schema'`,
        ];
  return ['BEGIN IMMEDIATE', ...numbered, 'COMMIT'];
}

/** The error for a store that must not be used, although it could be. `fix` says what to do. */
export const refusedStore = (message: string, fix: string): Error =>
  Object.assign(new Error(message), { code: 'STORE_REFUSED', fix });
