/** The targets of a workspace, each derived from the events of one gen lock id. */
import { answers } from '../../operations/answers.ts';
import type { Store } from '../data/store.ts';
import type { JsonObject } from '../http/fields.ts';
import { WORKSPACE } from '../schema/events.ts';

/** One index lookup for each id, however many events there are. */
const IDS = `WITH RECURSIVE target (id) AS (
    SELECT min(generate_gen_lock_id) FROM events WHERE workspace = ${WORKSPACE} AND generate_gen_lock_id > ''
    UNION ALL
    SELECT (SELECT min(generate_gen_lock_id) FROM events
            WHERE workspace = ${WORKSPACE} AND generate_gen_lock_id > target.id)
    FROM target WHERE target.id IS NOT NULL
  ) SELECT id FROM target WHERE id IS NOT NULL`;

const latest = (condition: string): string =>
  `SELECT record FROM events WHERE workspace = ${WORKSPACE} AND generate_gen_lock_id = ?2 ${condition}
   ORDER BY created_at DESC, seq DESC LIMIT 1`;
const LATEST = latest('');
const PUBLISHED = latest('AND generate_published = 1');
const GENERATED = latest("AND generate_target > ''");

function eventOf(store: Store, sql: string, workspaceId: string, id: string): JsonObject | undefined {
  const row = store.get(sql, workspaceId, id);
  return row && JSON.parse(String(row.record));
}

export const latestEvent = (store: Store, workspaceId: string, id: string): JsonObject | undefined =>
  eventOf(store, LATEST, workspaceId, id);

/** The language that the target was last generated in. Undefined if it never was. */
export function languageOf(store: Store, workspaceId: string, id: string): string | undefined {
  const event = eventOf(store, GENERATED, workspaceId, id);
  return event && String(event.generate_target);
}

function targetOf(event: JsonObject, published: JsonObject | undefined): JsonObject {
  const copied = Object.keys(answers.TargetSDK ?? {}).filter(
    (name) => name !== 'id' && event[name] !== undefined,
  );
  return {
    generate_target: '',
    ...Object.fromEntries(copied.map((name) => [name, event[name]])),
    id: event.generate_gen_lock_id,
    last_event_id: event.id,
    last_event_created_at: event.created_at,
    last_event_interaction_type: event.interaction_type ?? '',
    ...(published && { last_publish_created_at: published.created_at }),
    ...(published?.gh_action_run_link !== undefined && {
      last_publish_gh_action_run_link: published.gh_action_run_link,
    }),
  };
}

/** The targets that have an event after `after`, newest first. */
export function targetsOf(store: Store, workspaceId: string, after: string): readonly JsonObject[] {
  return store
    .all(IDS, workspaceId)
    .map((row) => String(row.id))
    .map((id) => ({ id, event: latestEvent(store, workspaceId, id) }))
    .filter(({ event }) => String(event?.created_at) > after)
    .sort((a, b) => (String(a.event?.created_at) < String(b.event?.created_at) ? 1 : -1))
    .map(({ id, event }) => targetOf(event ?? {}, eventOf(store, PUBLISHED, workspaceId, id)));
}
