/** Reads what the page shows and no operation returns: how many events there were, one event, reports, and waiting runs. */
import type { JsonObject } from '../http/fields.ts';
import { workspaceNumber } from './events.ts';
import type { DatabaseRow, Store } from './store.ts';

/** How many events of a period succeeded, failed, or say neither. */
export interface EventCounts {
  readonly good: number;
  readonly bad: number;
  readonly other: number;
}

const PERIOD = 'workspace = ? AND created_at >= ? AND created_at < ?';
const OF_SUCCESS = `SELECT count(*) AS n FROM events WHERE success = ? AND ${PERIOD}`;

/** Counts the events of a workspace from one time to before another one, both in milliseconds. Reads only indexes. */
export function countOutcomes(store: Store, workspaceId: string, from: number, to: number): EventCounts {
  const workspace = workspaceNumber(store, workspaceId);
  const count = (row: DatabaseRow | undefined) => Number(row?.n ?? 0);
  const all = count(store.get(`SELECT count(*) AS n FROM events WHERE ${PERIOD}`, workspace, from, to));
  if (all === 0) return { good: 0, bad: 0, other: 0 };
  const [bad = 0, good = 0] = [0, 1].map((success) => count(store.get(OF_SUCCESS, success, workspace, from, to)));
  return { good, bad, other: all - good - bad };
}

/** The time of the newest event of a workspace, in milliseconds. */
export function newestEventTime(store: Store, workspaceId: string): number | undefined {
  const sql = 'SELECT max(created_at) AS time FROM events WHERE workspace = ?';
  const time = store.get(sql, workspaceNumber(store, workspaceId))?.time;
  return time === null || time === undefined ? undefined : Number(time);
}

export function findEvent(store: Store, workspaceId: string, id: string): JsonObject | undefined {
  const sql = 'SELECT record FROM events WHERE id = ? AND workspace = ?';
  const row = store.get(sql, id, workspaceNumber(store, workspaceId));
  return row && JSON.parse(String(row.record));
}

export interface StoredReport {
  readonly type: string;
  readonly checksum: string;
  /** The name of the uploaded file. */
  readonly name: string;
  /** In bytes. */
  readonly size: number;
  readonly createdAt: string;
}

export const newestReports = (store: Store, workspaceId: string, limit: number): readonly StoredReport[] =>
  store
    .all(
      `SELECT type, checksum, size, created_at, record ->> '$.name' AS name FROM reports
       WHERE workspace_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ?`,
      workspaceId,
      limit,
    )
    .map((row) => ({
      type: String(row.type),
      checksum: String(row.checksum),
      name: String(row.name ?? ''),
      size: Number(row.size),
      createdAt: String(row.created_at),
    }));

export interface WaitingRun {
  readonly id: string;
  readonly repository: string;
  readonly createdAt: string;
}

/** Returns the runs of a workspace that have not ended, the newest first. */
export const waitingRuns = (store: Store, workspaceId: string, limit: number): readonly WaitingRun[] =>
  store
    .all(
      `SELECT id, org || '/' || repo AS repository, created_at
       FROM codehost_outcomes JOIN codehost_runs ON run_id = id
       WHERE codehost_outcomes.record IS NULL AND workspace_id = ? ORDER BY seq DESC LIMIT ?`,
      workspaceId,
      limit,
    )
    .map((row) => ({ id: String(row.id), repository: String(row.repository), createdAt: String(row.created_at) }));

/** A number that changes when another process has changed the database. */
export const foreignChanges = (store: Store): number => Number(store.get('PRAGMA data_version')?.data_version);
