/** Derives the targets of a workspace from its events. All events with the same gen lock id belong to one target. */
import type { Store } from '../data/store.ts';
import { readEvents, type TargetEvents, targetFields, targetRowsOf } from '../data/target-events.ts';
import type { JsonObject } from '../http/fields.ts';

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** Returns the newest value of each field. Leaves out an error if a newer event has a result. */
function lastKnown(events: readonly JsonObject[]): JsonObject {
  const holderOf = (name: string) => events.findIndex((event) => isGiven(event[name]));
  const result = holderOf('success');
  const isOver = result !== -1 && holderOf('error') > result;
  const names = targetFields.filter((name) => holderOf(name) !== -1 && !(isOver && name === 'error'));
  return Object.fromEntries(names.map((name) => [name, events[holderOf(name)]?.[name]]));
}

function targetOf({ target, events, publication: published }: TargetEvents): JsonObject {
  const [newest = {}] = events;
  const link = published?.gh_action_run_link;
  return {
    generate_target: '',
    ...lastKnown(events),
    id: target,
    last_event_id: newest.id,
    last_event_created_at: newest.created_at,
    last_event_interaction_type: newest.interaction_type ?? '',
    ...(published && { last_publish_created_at: published.created_at }),
    ...(link !== undefined && { last_publish_gh_action_run_link: link }),
  };
}

/** Returns the target with this gen lock id. Undefined if no event has the id. */
export function findTarget(store: Store, workspaceId: string, id: string): JsonObject | undefined {
  const [[target] = []] = readEvents(store, targetRowsOf(store, workspaceId, id));
  return target && targetOf(target);
}

const mostListed = 5;

/** Returns the error message for an unknown lock id. It lists the lock ids of the newest targets. */
export function noTargetText(store: Store, workspaceId: string, id: string): string {
  const [newest = []] = targetPieces(store, workspaceId, 0);
  const some = newest.slice(0, mostListed).map(({ id: lockId }) => String(lockId));
  return `no target has the lock id ${id}${some.length === 0 ? '' : ` (available: ${some.join(', ')})`}`;
}

/** Returns the language that the target was last generated in. Undefined if it was never generated. */
export function languageOf(store: Store, workspaceId: string, id: string): string | undefined {
  const language = findTarget(store, workspaceId, id)?.generate_target;
  return isGiven(language) && language !== '' ? String(language) : undefined;
}

/** Yields the targets that have an event after the time `after`, in milliseconds. The newest target comes first. */
export function* targetPieces(store: Store, workspaceId: string, after: number): Generator<readonly JsonObject[]> {
  const targets = targetRowsOf(store, workspaceId)
    .filter(({ newest }) => newest > after)
    .sort((a, b) => b.newest - a.newest);
  for (const piece of readEvents(store, targets)) yield piece.map(targetOf);
}
