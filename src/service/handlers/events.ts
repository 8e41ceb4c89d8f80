/** The handlers of the Events area. */
import { isDeepStrictEqual } from 'node:util';
import type * as area from '../../operations/events.ts';
import type { OperationInput } from '../../operations/index.ts';
import { targetsOf } from '../codehost/targets.ts';
import type { Row } from '../data/store.ts';
import type { Handlers, IdsOf, OpenScope } from '../handler.ts';
import { Refusal } from '../handler.ts';
import { isRecord, type JsonObject, normalizeTime, requiredTime } from '../http/fields.ts';
import { eventColumns, eventFlags, eventTexts, WORKSPACE } from '../schema/events.ts';

const recordOf = (row: Row): unknown => JSON.parse(String(row.record));

function eventAt(batch: readonly unknown[], index: number, workspaceId: string): JsonObject & { id: string } {
  const event = batch[index];
  if (!isRecord(event)) throw new Refusal(422, `body[${index}] must be a JSON object`);
  const { id, workspace_id } = event;
  if (typeof id !== 'string' || id === '') throw new Refusal(422, `body[${index}].id must be a string`);
  if (workspace_id !== undefined && workspace_id !== workspaceId)
    throw new Refusal(422, `body[${index}].workspace_id does not match the workspace of the path`);
  return { ...event, id };
}

/** The value that filters compare with: the field as a string. */
function cellOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return String(Number(value));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Rows in one statement. More do not make it faster. */
const ROWS = 50;

const insertOf = (rows: number): string => {
  const row = `(${eventColumns.map(() => '?').join(', ')})`;
  return `INSERT OR IGNORE INTO events (${eventColumns.join(', ')})
    VALUES ${Array.from({ length: rows }, () => row).join(', ')}`;
};

interface Incoming {
  readonly event: JsonObject & { readonly id: string };
  readonly record: string;
  readonly cells: readonly (string | number | null)[];
}

function incoming(batch: readonly unknown[], index: number, scope: EventScope): Incoming {
  const event = eventAt(batch, index, scope.workspaceId);
  const time =
    event.created_at === undefined ? scope.now : requiredTime(event.created_at, `body[${index}].created_at`);
  const createdAt = new Date(time).toISOString();
  const record = JSON.stringify({ ...event, workspace_id: scope.workspaceId, created_at: createdAt });
  const searched = [...eventTexts, ...eventFlags].map((name) => cellOf(event[name]));
  return { event, record, cells: [scope.workspace, event.id, time, record, ...searched] };
}

/** Ignores the order of fields. An event without `created_at` is compared as if it had that of the stored event. */
function isSame({ event, record }: Incoming, known: Row | undefined): boolean {
  const stored = JSON.parse(String(known?.record));
  const given = JSON.parse(record);
  return isDeepStrictEqual(
    event.created_at === undefined ? { ...given, created_at: stored.created_at } : given,
    stored,
  );
}

interface EventScope {
  readonly workspaceId: string;
  readonly workspace: number;
  /** In milliseconds. */
  readonly now: number;
}

function post({ workspace_id, body }: OperationInput<'postWorkspaceEvents'>, scope: OpenScope): undefined {
  if (!Array.isArray(body) || body.length === 0)
    throw new Refusal(422, 'body must be an array of at least one event');
  const { store } = scope;
  const workspace = Number(store.get(`SELECT ${WORKSPACE} AS number`, workspace_id)?.number);
  const of = { workspaceId: workspace_id, workspace, now: scope.now().getTime() };
  // This needs no store, so do it before the transaction, during which other processes wait.
  const batch = Array.from(body, (_, index) => incoming(body, index, of));
  store.transaction(() => {
    for (let start = 0; start < batch.length; start += ROWS) {
      const rows = batch.slice(start, start + ROWS);
      if (store.run(insertOf(rows.length), ...rows.flatMap(({ cells }) => cells)) === rows.length) continue;
      for (const [at, row] of rows.entries()) {
        const { id } = row.event;
        const known = store.get('SELECT record FROM events WHERE id = ? AND workspace = ?', id, workspace);
        if (!isSame(row, known))
          throw new Refusal(
            409,
            `body[${start + at}].id ${id} is already used by an event with different content`,
          );
      }
    }
  });
}

/** From the most to the least selective. */
const filters = [
  'execution_id',
  'source_revision_digest',
  'lint_report_digest',
  'openapi_diff_report_digest',
  'generate_gen_lock_id',
  'interaction_type',
  'success',
] as const;

/** The filters whose indexes start with the workspace. */
const withWorkspace: ReadonlySet<string> = new Set(['generate_gen_lock_id', 'interaction_type', 'success']);

function search(input: OperationInput<'searchWorkspaceEvents'>, scope: OpenScope): unknown {
  if (input.limit !== undefined && input.limit < 0) throw new Refusal(422, 'limit must not be negative');
  const given = filters.filter((name) => input[name] !== undefined);
  // A plus keeps SQLite from using the index of a less selective filter, or of the workspace alone.
  const conditions = given.map((name, index) => `AND ${index === 0 ? '' : '+'}${name} = ?`);
  const plus = given.some((name) => !withWorkspace.has(name)) ? '+' : '';
  const values = given.map((name) => {
    const value = input[name];
    return typeof value === 'boolean' ? Number(value) : String(value);
  });
  return scope.store
    .all(
      `SELECT record FROM events WHERE ${plus}workspace = ${WORKSPACE} ${conditions.join(' ')}
       ORDER BY created_at DESC, seq DESC LIMIT ?`,
      input.workspace_id,
      ...values,
      input.limit ?? -1,
    )
    .map(recordOf);
}

const after = (value: string | undefined): string =>
  value === undefined ? '' : normalizeTime(value, 'after_last_event_created_at');

export const events = {
  searchWorkspaceEvents: search,
  postWorkspaceEvents: post,

  getWorkspaceEventsByTarget: (input, { store }) =>
    store
      .all(
        `SELECT record FROM events WHERE workspace = ${WORKSPACE} AND generate_gen_lock_id = ? AND created_at > ?
         ORDER BY created_at DESC, seq DESC`,
        input.workspace_id,
        input.target_id,
        input.after_created_at === undefined
          ? Number.MIN_SAFE_INTEGER
          : requiredTime(input.after_created_at, 'after_created_at'),
      )
      .map(recordOf),

  getWorkspaceTargets: (input, { store, caller }) =>
    targetsOf(store, caller.workspaceId, after(input.after_last_event_created_at)),

  getWorkspaceTargetsDeprecated: (input, { store }) =>
    targetsOf(store, input.workspace_id, after(input.after_last_event_created_at)),
} satisfies Handlers<IdsOf<typeof area>>;
