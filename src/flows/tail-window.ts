/** Which events a follower has already shown: the ids of the newest ones, in bounded memory. */
import { fieldsOf } from '../json-object.ts';

/** What the follower needs to know about a row. */
interface Row {
  readonly id: string;
  /** `created_at` in milliseconds since 1970. Infinite if it has no valid one, so that its id is never forgotten. */
  readonly at: number;
}

export interface Window {
  /** Whether the row has not been shown and is not older than the window. */
  readonly isNew: (row: unknown) => boolean;
  /** Remembers that the row is shown. */
  readonly add: (row: unknown) => void;
  /** Forgets everything created before `at`: rows that are older are never new again. */
  readonly close: (at: number) => void;
  /** The number of ids in memory. */
  readonly size: () => number;
}

/**
 * Invariant: it remembers the id of every shown row that was created at or after `floor`, and no row that was created
 * before `floor` is new. So no row is shown twice, whatever comes back from the service. `floor` never decreases. Rows
 * that were created exactly at `floor` are remembered, so equal times are safe.
 */
export function openWindow(floor = Number.NEGATIVE_INFINITY): Window {
  const known = new Map<string, number>();
  let from = floor;
  return {
    isNew: (row) => {
      const { id, at } = rowOf(row);
      return at >= from && !known.has(id);
    },
    add: (row) => {
      const { id, at } = rowOf(row);
      known.set(id, at);
    },
    close: (at) => {
      if (at <= from) return;
      from = at;
      for (const [id, created] of known) if (created < from) known.delete(id);
    },
    size: () => known.size,
  };
}

/** `created_at` of an event in milliseconds since 1970, or undefined if it has no valid one. */
export function createdAt(row: unknown): number | undefined {
  const { created_at: text } = fieldsOf(row);
  const at = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** A row without an id is identified by its content. */
function rowOf(row: unknown): Row {
  const { id } = fieldsOf(row);
  return {
    id: typeof id === 'string' ? id : `content: ${contentOf(row)}`,
    at: createdAt(row) ?? Number.POSITIVE_INFINITY,
  };
}

const contentOf = (row: unknown): string =>
  JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? String(value) : value)) ?? '';
