/** Handles the operations of the Events area. */
import { exactJson } from '../../json-object.ts';
import type * as area from '../../operations/events.ts';
import type { OperationInput } from '../../operations/index.ts';
import { targetPieces } from '../codehost/targets.ts';
import { eventPieces } from '../data/event-list.ts';
import { storeEvents } from '../data/events.ts';
import { type Handlers, type IdsOf, type OpenScope, Refusal, type Reply, replyList } from '../handler.ts';
import { requiredTime } from '../http/fields.ts';
import type { JsonParts } from '../http/json.ts';
import { WORKSPACE } from '../schema/events.ts';

/** A list in a request comes in parts, as a function. */
function partsIn(body: unknown): JsonParts {
  if (typeof body === 'function') return body as JsonParts;
  if (Array.isArray(body)) return () => [body];
  throw new Refusal(422, 'body must be an array of at least one event');
}

/** The search filters, from the most to the least selective. */
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
  // A plus in front of a column keeps SQLite from using an index on it, so it uses the index of the best filter.
  const conditions = given.map((name, index) => `AND ${index === 0 ? '' : '+'}${name} = ?`);
  const plus = given.some((name) => !withWorkspace.has(name)) ? '+' : '';
  const values = given.map((name) => {
    const value = input[name];
    return typeof value === 'boolean' ? Number(value) : String(value);
  });
  const where = `${plus}workspace = ${WORKSPACE} ${conditions.join(' ')}`;
  const query = { where, values: [input.workspace_id, ...values], limit: input.limit };
  return replyList(eventPieces(scope.store, query), scope.share);
}

/** Converts a time to milliseconds. Without a value, returns a number that is lower than all times. */
const after = (value: string | undefined, name: string): number =>
  value === undefined ? Number.MIN_SAFE_INTEGER : requiredTime(value, name);

const afterLast = ({ after_last_event_created_at: time }: OperationInput<'getWorkspaceTargets'>): number =>
  after(time, 'after_last_event_created_at');

function targetList(workspaceId: string, after: number, { store, share }: OpenScope): Reply {
  const pieces = function* () {
    for (const piece of targetPieces(store, workspaceId, after)) yield piece.map(exactJson);
  };
  return replyList(pieces(), share);
}

const OF_TARGET = `workspace = ${WORKSPACE} AND generate_gen_lock_id = ? AND created_at > ?`;

export const events = {
  searchWorkspaceEvents: search,

  postWorkspaceEvents: ({ workspace_id, body }, { store, now, share }) =>
    storeEvents(store, workspace_id, partsIn(body), { now: now(), turn: share.turn }),

  getWorkspaceEventsByTarget: ({ workspace_id, target_id, after_created_at }, { store, share }) => {
    const values = [workspace_id, target_id, after(after_created_at, 'after_created_at')];
    return replyList(eventPieces(store, { where: OF_TARGET, values }), share);
  },

  getWorkspaceTargets: (input, scope) => targetList(scope.caller.workspaceId, afterLast(input), scope),

  getWorkspaceTargetsDeprecated: (input, scope) => targetList(input.workspace_id, afterLast(input), scope),
} satisfies Handlers<IdsOf<typeof area>>;
