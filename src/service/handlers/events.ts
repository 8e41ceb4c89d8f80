/** The handlers of the Events area. */
import { createHash } from 'node:crypto';
import type * as area from '../../operations/events.ts';
import type { OperationInput } from '../../operations/index.ts';
import type { Handlers, IdsOf, OpenScope } from '../handler.ts';
import { Refusal } from '../handler.ts';
import { instant, isMembers, type Members } from '../members.ts';
import { eventColumns, eventFlags, eventTexts } from '../schema/events.ts';
import type { Row } from '../store.ts';
import { targetsOf } from '../targets.ts';

const recordOf = (row: Row): unknown => JSON.parse(String(row.record));

/** The same content whatever the order of its members. */
const canonical = (value: unknown): unknown =>
  isMembers(value)
    ? Object.fromEntries(
        Object.keys(value)
          .sort()
          .map((key) => [key, canonical(value[key])]),
      )
    : Array.isArray(value)
      ? value.map(canonical)
      : value;

const digestOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(canonical(value)))
    .digest('hex');

function eventAt(batch: readonly unknown[], index: number, workspaceId: string): Members & { id: string } {
  const event = batch[index];
  if (!isMembers(event)) throw new Refusal(422, `body[${index}] must be a JSON object`);
  const { id, workspace_id } = event;
  if (typeof id !== 'string' || id === '') throw new Refusal(422, `body[${index}].id must be a string`);
  if (workspace_id !== undefined && workspace_id !== workspaceId)
    throw new Refusal(422, `body[${index}].workspace_id is not the workspace of the path`);
  return { ...event, id };
}

/** What a filter compares with: the text of the member. */
function cellOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return String(Number(value));
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const INSERT = `INSERT OR IGNORE INTO events (${eventColumns.join(', ')})
  VALUES (${eventColumns.map(() => '?').join(', ')})`;

interface Incoming {
  readonly id: string;
  readonly digest: string;
  readonly cells: readonly (string | null)[];
}

function incoming(batch: readonly unknown[], index: number, workspaceId: string, now: string): Incoming {
  const event = eventAt(batch, index, workspaceId);
  const { id } = event;
  // Of what was given: a batch that is sent again without created_at is still the same.
  const digest = digestOf(event);
  const createdAt =
    event.created_at === undefined ? now : instant(event.created_at, `body[${index}].created_at`);
  const record = JSON.stringify({ ...event, workspace_id: workspaceId, created_at: createdAt });
  const searched = [...eventTexts, ...eventFlags].map((name) => cellOf(event[name]));
  return { id, digest, cells: [workspaceId, id, digest, createdAt, record, ...searched] };
}

function post({ workspace_id, body }: OperationInput<'postWorkspaceEvents'>, scope: OpenScope): undefined {
  if (!Array.isArray(body) || body.length === 0)
    throw new Refusal(422, 'body must be an array of at least one event');
  const now = scope.now().toISOString();
  // Before the transaction: no other process waits for what needs no store.
  const batch = Array.from(body, (_, index) => incoming(body, index, workspace_id, now));
  scope.store.transaction(() => {
    for (const [index, { id, digest, cells }] of batch.entries()) {
      if (scope.store.run(INSERT, ...cells) > 0) continue;
      const known = scope.store.get(
        'SELECT digest FROM events WHERE workspace_id = ? AND id = ?',
        workspace_id,
        id,
      );
      if (known?.digest !== digest)
        throw new Refusal(409, `body[${index}].id ${id} is taken by an event with other content`);
    }
  });
}

/** The most selective first. */
const filters = [
  'execution_id',
  'source_revision_digest',
  'lint_report_digest',
  'openapi_diff_report_digest',
  'generate_gen_lock_id',
  'interaction_type',
  'success',
] as const;

/** Their indexes begin with the workspace. */
const withWorkspace: ReadonlySet<string> = new Set(['generate_gen_lock_id', 'interaction_type', 'success']);

function search(input: OperationInput<'searchWorkspaceEvents'>, scope: OpenScope): unknown {
  if (input.limit !== undefined && input.limit < 0) throw new Refusal(422, 'limit must not be negative');
  const given = filters.filter((name) => input[name] !== undefined);
  // The plus keeps SQLite from the indexes of the less selective filters, and of the workspace alone.
  const conditions = given.map((name, index) => `AND ${index === 0 ? '' : '+'}${name} = ?`);
  const plus = given.some((name) => !withWorkspace.has(name)) ? '+' : '';
  const values = given.map((name) => {
    const value = input[name];
    return typeof value === 'boolean' ? Number(value) : String(value);
  });
  return scope.store
    .all(
      `SELECT record FROM events WHERE ${plus}workspace_id = ? ${conditions.join(' ')}
       ORDER BY created_at DESC, seq DESC LIMIT ?`,
      input.workspace_id,
      ...values,
      input.limit ?? -1,
    )
    .map(recordOf);
}

const after = (value: string | undefined, name: string): string =>
  value === undefined ? '' : instant(value, name);

export const events = {
  searchWorkspaceEvents: search,
  postWorkspaceEvents: post,

  getWorkspaceEventsByTarget: (input, { store }) =>
    store
      .all(
        `SELECT record FROM events WHERE workspace_id = ? AND generate_gen_lock_id = ? AND created_at > ?
         ORDER BY created_at DESC, seq DESC`,
        input.workspace_id,
        input.target_id,
        after(input.after_created_at, 'after_created_at'),
      )
      .map(recordOf),

  getWorkspaceTargets: (input, { store, caller }) =>
    targetsOf(
      store,
      caller.workspaceId,
      after(input.after_last_event_created_at, 'after_last_event_created_at'),
    ),

  getWorkspaceTargetsDeprecated: (input, { store }) =>
    targetsOf(
      store,
      input.workspace_id,
      after(input.after_last_event_created_at, 'after_last_event_created_at'),
    ),
} satisfies Handlers<IdsOf<typeof area>>;
