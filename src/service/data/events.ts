/** Stores the events of a workspace, each event id only once. */
import { isDeepStrictEqual } from 'node:util';
import { isRecord, type JsonObject, requiredTime } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';
import { eventColumns, eventFlags, eventTexts, WORKSPACE } from '../schema/events.ts';
import type { DatabaseRow, Store } from './store.ts';
import { noteEvents, type StoredEvent } from './target-events.ts';

type IdentifiedEvent = JsonObject & { readonly id: string };

function eventAt(batch: readonly unknown[], index: number, workspaceId: string): IdentifiedEvent {
  const event = batch[index];
  if (!isRecord(event)) throw new Refusal(422, `body[${index}] must be a JSON object`);
  const { id, workspace_id } = event;
  if (typeof id !== 'string' || id === '') throw new Refusal(422, `body[${index}].id must be a string`);
  if (workspace_id !== undefined && workspace_id !== workspaceId)
    throw new Refusal(422, `body[${index}].workspace_id does not match the workspace of the path`);
  return event as IdentifiedEvent;
}

/** Converts a field to the string that filters compare with. */
function cellOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return String(Number(value));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The number of rows in one INSERT statement. More rows are not faster. */
const ROWS = 50;

const insertOf = (rows: number): string => {
  const row = `(${eventColumns.map(() => '?').join(', ')})`;
  return `INSERT OR IGNORE INTO events (${eventColumns.join(', ')})
    VALUES ${Array.from({ length: rows }, () => row).join(', ')}`;
};

const searchedFields = [...eventTexts, ...eventFlags];

interface EventScope {
  readonly workspaceId: string;
  readonly workspace: number;
  /** In milliseconds. */
  readonly now: number;
}

interface Incoming {
  readonly event: IdentifiedEvent;
  readonly time: number;
  readonly record: string;
  readonly cells: readonly (string | number | null)[];
}

/**
 * Returns the event with its workspace and creation time. Most clients send both, and then the event is not copied,
 * which saves time.
 */
function completed(event: IdentifiedEvent, time: number, workspaceId: string): JsonObject {
  const createdAt = new Date(time).toISOString();
  return event.workspace_id === workspaceId && event.created_at === createdAt
    ? event
    : { ...event, workspace_id: workspaceId, created_at: createdAt };
}

function incoming(batch: readonly unknown[], index: number, scope: EventScope): Incoming {
  const event = eventAt(batch, index, scope.workspaceId);
  const time = event.created_at === undefined ? scope.now : requiredTime(event.created_at, `body[${index}].created_at`);
  const record = JSON.stringify(completed(event, time, scope.workspaceId));
  const searched = searchedFields.map((name) => cellOf(event[name]));
  return { event, time, record, cells: [scope.workspace, event.id, time, record, ...searched] };
}

/**
 * Whether the event has the same content as the stored one. The order of fields does not matter. If the event has no
 * `created_at`, the stored `created_at` is not compared either.
 */
function isSame({ event, record }: Incoming, known: DatabaseRow | undefined): boolean {
  const stored = JSON.parse(String(known?.record));
  const given = JSON.parse(record);
  return isDeepStrictEqual(
    event.created_at === undefined ? { ...given, created_at: stored.created_at } : given,
    stored,
  );
}

export const workspaceNumber = (store: Store, workspaceId: string): number =>
  Number(store.get(`SELECT ${WORKSPACE} AS number`, workspaceId)?.number);

/** Stores all events or nothing. Throws Refusal for an invalid event, and for another event with the same id. */
export function storeEvents(store: Store, workspaceId: string, body: readonly unknown[], now: Date): void {
  const workspace = workspaceNumber(store, workspaceId);
  // The checks do not need the database. Other processes wait during the transaction, so do the checks before it.
  const batch = batchOf(body, { workspaceId, workspace, now: now.getTime() });
  store.transaction(() => insertBatch(store, workspace, batch));
}

/** Does the same as `storeEvents`, but within the caller's transaction. */
export function insertEvents(store: Store, workspaceId: string, body: readonly unknown[], now: Date): void {
  const workspace = workspaceNumber(store, workspaceId);
  insertBatch(store, workspace, batchOf(body, { workspaceId, workspace, now: now.getTime() }));
}

const batchOf = (body: readonly unknown[], of: EventScope): readonly Incoming[] =>
  Array.from(body, (_, index) => incoming(body, index, of));

function insertBatch(store: Store, workspace: number, batch: readonly Incoming[]): void {
  const before = Number(store.get('SELECT max(seq) AS seq FROM events')?.seq ?? 0);
  const stored: StoredEvent[] = [];
  for (let start = 0; start < batch.length; start += ROWS) {
    const rows = batch.slice(start, start + ROWS);
    // New rows get consecutive numbers, in order.
    const last = before + stored.length;
    const isNew = store.run(insertOf(rows.length), ...rows.flatMap(({ cells }) => cells)) === rows.length;
    for (const [at, row] of rows.entries()) {
      const seq = isNew ? last + at + 1 : knownAs(store, row, workspace, start + at);
      if (seq > last) stored.push({ workspace, seq, time: row.time, event: row.event });
    }
  }
  noteEvents(store, stored);
}

/** Returns the row number of the stored event with the same id. Throws Refusal if its content is different. */
function knownAs(store: Store, row: Incoming, workspace: number, index: number): number {
  const { id } = row.event;
  const known = store.get('SELECT seq, record FROM events WHERE id = ? AND workspace = ?', id, workspace);
  if (isSame(row, known)) return Number(known?.seq);
  throw new Refusal(409, `body[${index}].id is already used by an event with different content`);
}
