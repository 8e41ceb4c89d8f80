/** Records which events have the newest value of each field of a target. */
import { groupBy } from '../../json-object.ts';
import { parseJson } from '../../request/json.ts';
import type { JsonObject } from '../http/fields.ts';
import { WORKSPACE } from '../schema/events.ts';
import type { DatabaseRow } from './columns.ts';
import type { Store } from './store.ts';

/**
 * The fields that a target takes from its events. The database stores a set of fields as the sum of their powers of
 * two, so the position of a field must not change. The power after the last field marks a publication.
 */
export const targetFields: readonly string[] = `
  success commit_head git_remote_default_owner git_remote_default_repo git_relative_cwd generate_target
  generate_target_name generate_gen_lock_id generate_target_version generate_config_post_version
  generate_gen_lock_pre_features generate_gen_lock_pre_version generate_eligible_features
  generate_number_of_operations_ignored generate_number_of_operations_used generate_number_of_terraform_resources
  generate_published continuous_integration_environment gh_action_ref gh_action_run_link gh_action_version
  gh_action_organization gh_action_repository repo_label hostname git_user_name git_user_email source_revision_digest
  source_blob_digest source_namespace_name error workflow_pre_raw workflow_post_raw workflow_lock_pre_raw
  workflow_lock_post_raw publish_package_url publish_package_name publish_package_version publish_package_registry_name
`
  .trim()
  .split(/\s+/);
const powers: ReadonlyMap<string, number> = new Map(targetFields.map((name, at) => [name, 2 ** at]));
const PUBLICATION = 2 ** targetFields.length;

export interface StoredEvent {
  readonly workspace: number;
  /** The row number. */
  readonly seq: number;
  /** In milliseconds. */
  readonly time: number;
  readonly event: JsonObject;
}

function fieldsOf(event: JsonObject): number {
  let fields = event.generate_published === true ? PUBLICATION : 0;
  // This runs for every stored event. Most events have few of the target's fields, so it loops over the event.
  for (const name in event) if (event[name] !== null) fields += powers.get(name) ?? 0;
  return fields;
}

const has = (fields: number, power: number): boolean => Math.floor(fields / power) % 2 === 1;

const UPSERT = `INSERT INTO target_events (workspace, target, fields, created_at, event) ROWS
  ON CONFLICT (workspace, target, fields) DO UPDATE SET created_at = excluded.created_at, event = excluded.event
  WHERE (excluded.created_at, excluded.event) > (created_at, event)`;

const TARGETS_FROM = '\n\uffff';

/**
 * Returns the name under which an event is stored. Generations without a gen lock id belong to no target, but count
 * toward the limits of their language. Their name begins with a line break, so it sorts before all targets.
 */
function targetOf({ generate_gen_lock_id: id, generate_target: language }: JsonObject): string | undefined {
  if (id !== undefined && id !== null && id !== '') return String(id);
  return language ? `\n${language}` : undefined;
}

const isNewer = (one: StoredEvent, other: StoredEvent): boolean =>
  one.time > other.time || (one.time === other.time && one.seq > other.seq);

/** Records stored events. Call it in the transaction that stored them. */
export function noteEvents(store: Store, events: readonly StoredEvent[]): void {
  // Most events of a batch belong to a few targets. Grouping the events is cheaper than a statement for each one.
  const newest = new Map<string, { readonly stored: StoredEvent; readonly fields: number }>();
  for (const stored of events) {
    const target = targetOf(stored.event);
    if (target === undefined) continue;
    const fields = fieldsOf(stored.event);
    const key = `${stored.workspace} ${fields} ${target}`;
    const known = newest.get(key);
    if (!known || isNewer(stored, known.stored)) newest.set(key, { stored, fields });
  }
  const rows = [...newest.values()].map(({ stored, fields }) => {
    const { workspace, event, time, seq } = stored;
    return [workspace, targetOf(event) ?? '', fields, time, seq];
  });
  store.insertRows(UPSERT, rows);
}

/** A target whose events are not read yet. */
type TargetRows = ReturnType<typeof readRows>[number];

/** A target, and the events that have the newest values of its fields. */
export interface TargetEvents {
  readonly target: string;
  /** The newest event, then each older event with a field that no newer event has. */
  readonly events: readonly JsonObject[];
  /** The newest event that is a publication. */
  readonly publication: JsonObject | undefined;
}

/** Returns the targets of a workspace, or only `target` if it is given. */
export function targetRowsOf(store: Store, workspaceId: string, target?: string): readonly TargetRows[] {
  const condition = target === undefined ? 'target > ?' : 'target = ?';
  return readRows(store, condition, workspaceId, target ?? TARGETS_FROM);
}

/** The number of targets whose events one statement reads, if they are small, and the bytes after which a piece ends. */
const PIECE = { targets: 200, small: 4096, bytes: 256 * 1024 } as const;

/** Yields the targets of a workspace, and one entry per language for the generations that belong to no target. */
export function* generationsOf(store: Store, workspaceId: string): Generator<readonly TargetEvents[]> {
  yield* readEvents(store, readRows(store, 'target >= ?', workspaceId, ''));
}

function readRows(store: Store, condition: string, workspaceId: string, target: string) {
  const sql = `SELECT * FROM target_events WHERE workspace = ${WORKSPACE} AND ${condition}
    ORDER BY target, created_at DESC, event DESC`;
  const byTarget = groupBy(store.all(sql, workspaceId, target), (row) => row.target);
  return Array.from(byTarget.values(), (kinds) => ({
    target: String(kinds[0]?.target),
    /** The time of the newest event, in milliseconds. */
    newest: Number(kinds[0]?.created_at),
    /** One row for each set of fields, the newest first. */
    kinds,
  }));
}

/** Yields the targets with their events, which one statement reads for many targets. */
export function* readEvents(store: Store, targets: readonly TargetRows[]): Generator<readonly TargetEvents[]> {
  for (let at = 0; at < targets.length; at += PIECE.targets) {
    const wanted = targets.slice(at, at + PIECE.targets).map(wantedOf);
    const rows = wanted.flatMap(({ rows, published }) => [...rows, ...(published ? [published] : [])]);
    const eventAt = eventsAt(store, rows);
    let [piece, bytes]: [TargetEvents[], number] = [[], 0];
    for (const { target, rows, published } of wanted) {
      const events = rows.map(eventAt);
      const newest = published && eventAt(published);
      piece.push({ target, events: events.map(({ event }) => event), publication: newest?.event });
      bytes += events.reduce((sum, { size }) => sum + size, newest?.size ?? 0);
      if (bytes < PIECE.bytes) continue;
      yield piece;
      [piece, bytes] = [[], 0];
    }
    if (piece.length > 0) yield piece;
  }
}

const wantedOf = ({ target, kinds }: TargetRows) => ({
  target,
  rows: needed(kinds),
  published: kinds.find(({ fields }) => has(Number(fields), PUBLICATION)),
});

function needed(kinds: readonly DatabaseRow[]): readonly DatabaseRow[] {
  const missing = new Set(powers.values());
  return kinds.filter(({ fields }, index) => {
    const found = [...missing].filter((power) => has(Number(fields), power));
    for (const power of found) missing.delete(power);
    return index === 0 || found.length > 0;
  });
}

const SMALL_EVENTS = `SELECT seq, record FROM events
  WHERE octet_length(record) <= ${PIECE.small} AND seq IN (SELECT value FROM json_each(?))`;

/** Returns a function that parses the event of one of the rows. It reads a large event only then. */
function eventsAt(store: Store, rows: readonly DatabaseRow[]) {
  const found = store.all(SMALL_EVENTS, JSON.stringify(rows.map(({ event }) => event)));
  const records = new Map(found.map(({ seq, record }) => [seq, record]));
  return ({ event }: DatabaseRow) => {
    const text = String(records.get(event ?? null) ?? store.find('events', { seq: Number(event) })?.record ?? '{}');
    return { event: parseJson(text) as JsonObject, size: text.length };
  };
}
