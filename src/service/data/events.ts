/** Stores the events of a workspace, each event id only once. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { exactJson } from '../../json-object.ts';
import { parseJson } from '../../request/json.ts';
import { fieldsOf, isRecord, type JsonObject, requiredTime } from '../http/fields.ts';
import type { JsonParts } from '../http/json.ts';
import { Refusal } from '../refusal.ts';
import { eventColumns, eventFlags, eventTexts, WORKSPACE } from '../schema/events.ts';
import type { Share } from '../shares.ts';
import type { DatabaseRow } from './columns.ts';
import type { Store } from './store.ts';
import { noteEvents, type StoredEvent } from './target-events.ts';

type IdentifiedEvent = JsonObject & { readonly id: string };

function checked(event: unknown, at: number, workspaceId: string): IdentifiedEvent {
  if (!isRecord(event)) throw new Refusal(422, `body[${at}] must be a JSON object`);
  const { id, workspace_id } = event;
  if (typeof id !== 'string' || id === '') throw new Refusal(422, `body[${at}].id must be a string`);
  if (workspace_id !== undefined && workspace_id !== workspaceId)
    throw new Refusal(422, `body[${at}].workspace_id does not match the workspace of the path`);
  return event as IdentifiedEvent;
}

/** Returns what filters compare a field with. Throws Refusal for a value of another type: no filter would find it. */
function cellOf(event: JsonObject, name: string, isFlag: boolean, at: number): string | null {
  const value = event[name];
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' && !isFlag) return value;
  if (typeof value === 'boolean' && isFlag) return value ? '1' : '0';
  throw new Refusal(422, `body[${at}].${name} must be ${isFlag ? 'true or false' : 'a string'}`);
}

const INSERT = `INSERT OR IGNORE INTO events (${eventColumns.join(', ')}) ROWS`;

type Incoming = ReturnType<typeof incoming>;

/** Adds the workspace and the creation time. Most clients send both: the event is then not copied, to save time. */
function completed(event: IdentifiedEvent, time: number, workspaceId: string): JsonObject {
  const createdAt = new Date(time).toISOString();
  return event.workspace_id === workspaceId && event.created_at === createdAt
    ? event
    : { ...event, workspace_id: workspaceId, created_at: createdAt };
}

/** Reads an event at a position of the body. The cells are those of the row after the number of the workspace. */
function incoming(given: unknown, at: number, workspaceId: string, now: Date) {
  const event = checked(given, at, workspaceId);
  const { created_at } = event;
  const time = created_at === undefined ? now.getTime() : requiredTime(created_at, `body[${at}].created_at`);
  const record = exactJson(completed(event, time, workspaceId));
  const texts = eventTexts.map((name) => cellOf(event, name, false, at));
  const flags = eventFlags.map((name) => cellOf(event, name, true, at));
  return { at, event, time, record, cells: [event.id, time, record, ...texts, ...flags] };
}

/** Whether the event equals the stored one. The order of fields and a missing `created_at` do not matter. */
function isSame({ event, record }: Incoming, known: DatabaseRow | undefined): boolean {
  if (known?.record === record) return true;
  const [stored, given] = [known?.record, record].map((text) => fieldsOf(parseJson(String(text))));
  return isDeepStrictEqual(
    event.created_at === undefined ? { ...given, created_at: stored?.created_at } : given,
    stored,
  );
}

/** Stores all events or nothing. Throws Refusal for an invalid event, and for another event with the same id. */
export async function storeEvents(
  store: Store,
  workspaceId: string,
  parts: JsonParts,
  { now, turn }: { readonly now: Date; readonly turn: Share['turn'] },
): Promise<void> {
  const [first = [], another] = parts();
  if (first.length === 0) throw new Refusal(422, 'body must be an array of at least one event');
  if (!another) return storeBatch(store, workspaceId, batchOf(first, workspaceId, now));
  // A long list takes several transactions, so the whole list is checked before a part is stored.
  const batches = function* () {
    let from = 0;
    for (const part of parts()) {
      yield batchOf(part, workspaceId, now, from);
      from += part.length;
    }
  };
  const digests = new Map<string, string>();
  for (const batch of batches()) {
    checkIds(store, workspaceId, batch, digests);
    await turn();
  }
  for (const batch of batches()) {
    storeBatch(store, workspaceId, batch);
    await turn();
  }
}

/** The checks of `batchOf` come before this, because other processes wait during a transaction. */
const storeBatch = (store: Store, workspaceId: string, batch: readonly Incoming[]): void =>
  store.transaction(() => insertBatch(store, workspaceId, batch));

/** Stores events like `storeEvents`, but within the caller's transaction. */
export function insertEvents(store: Store, workspaceId: string, body: readonly unknown[], now: Date): void {
  insertBatch(store, workspaceId, batchOf(body, workspaceId, now));
}

const batchOf = (body: readonly unknown[], workspaceId: string, now: Date, from = 0): readonly Incoming[] =>
  body.map((event, at) => incoming(event, from + at, workspaceId, now));

const NUMBERS = `SELECT ${WORKSPACE} AS workspace, (SELECT max(seq) FROM events) AS seq`;

function insertBatch(store: Store, workspaceId: string, batch: readonly Incoming[]): void {
  const numbered = store.get(NUMBERS, workspaceId);
  const [workspace, before] = [Number(numbered?.workspace), Number(numbered?.seq)];
  const rows = batch.map(({ cells }) => [workspace, ...cells]);
  const isNew = store.insertRows(INSERT, rows) === batch.length;
  // New rows get consecutive numbers, in order.
  const numbers = isNew ? batch.map((_, at) => before + at + 1) : numbersOf(store, workspace, batch);
  const stored = batch.map(({ time, event }, at): StoredEvent => ({ workspace, seq: numbers[at] ?? 0, time, event }));
  noteEvents(
    store,
    stored.filter(({ seq }) => seq > before),
  );
}

/** Returns the row numbers of events, some of which were known. Throws Refusal if one of these has other content. */
function numbersOf(store: Store, workspace: number, batch: readonly Incoming[]): readonly number[] {
  const known = knownOf(store, workspace, batch);
  return batch.map((incoming) => {
    const { id } = incoming.event;
    // The database does not return every id as it was given: half of a character becomes another one.
    const stored = known.get(id) ?? store.find('events', { workspace, id });
    if (isSame(incoming, stored)) return Number(stored?.seq);
    throw isUsed(incoming);
  });
}

/** Returns the stored events that have the id of an event in the batch, by id. */
function knownOf(store: Store, workspace: number, batch: readonly Incoming[]): ReadonlyMap<unknown, DatabaseRow> {
  const ids = JSON.stringify(batch.map(({ event }) => event.id));
  const sql = 'SELECT id, seq, record FROM events WHERE workspace = ? AND id IN (SELECT value FROM json_each(?))';
  return new Map(store.all(sql, workspace, ids).map((row) => [row.id, row]));
}

/** Throws Refusal if an id belongs to another event: a stored one, or one whose digest was noted before. */
function checkIds(store: Store, workspaceId: string, batch: readonly Incoming[], digests: Map<string, string>): void {
  const known = knownOf(store, Number(store.get(NUMBERS, workspaceId)?.workspace), batch);
  for (const incoming of batch) {
    const { id } = incoming.event;
    const digest = createHash('sha256').update(incoming.record).digest('base64');
    const stored = known.get(id);
    if ((digests.get(id) ?? digest) !== digest || (stored && !isSame(incoming, stored))) throw isUsed(incoming);
    digests.set(id, digest);
  }
}

const isUsed = ({ at }: Incoming): Refusal =>
  new Refusal(409, `body[${at}].id is already used by an event with different content`);
