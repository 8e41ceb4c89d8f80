/** Remembers which events a tail has already shown: the ids of the newest ones, in bounded memory. */
import { fieldsOf } from '../json-object.ts';

export type Window = ReturnType<typeof openWindow>;

/**
 * Invariant: the window remembers the id of every shown row that was created at or after `floor`, and no row that was
 * created before `floor` is new. So no row is shown twice, whatever the service returns. `floor` never decreases. Rows
 * that were created exactly at `floor` are remembered, so equal times are safe.
 */
export function openWindow(floor = Number.NEGATIVE_INFINITY) {
  const known = new Map<string, number>();
  let from = floor;
  return {
    /** Whether the row has not been shown and is not older than the window. */
    isNew: (row: unknown) => {
      const { id, at } = rowOf(row);
      return at >= from && !known.has(id);
    },
    /** Remembers that the row is shown. */
    add: (row: unknown) => {
      const { id, at } = rowOf(row);
      known.set(id, at);
    },
    /** Forgets the rows that were created before `at`. They are never new again. */
    close: (at: number) => {
      if (at <= from) return;
      from = at;
      for (const [id, created] of known) if (created < from) known.delete(id);
    },
    /** The number of ids in memory. */
    size: () => known.size,
  };
}

/** Returns `created_at` of an event in milliseconds since 1970, or undefined if it is missing or invalid. */
export function createdAt(row: unknown): number | undefined {
  const { created_at: text } = fieldsOf(row);
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** A row without an id is identified by its content. An id with an invalid time is never forgotten. */
function rowOf(row: unknown) {
  const { id } = fieldsOf(row);
  return {
    id: typeof id === 'string' ? id : `content: ${contentOf(row)}`,
    at: createdAt(row) ?? Number.POSITIVE_INFINITY,
  };
}

const contentOf = (row: unknown): string =>
  JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? '';
