/** Reads a list of events of any length, the newest first, piece by piece. */
import type { Cell } from './columns.ts';
import type { Store } from './store.ts';

/** The most events whose keys are read at once, and the bytes of records after which a piece ends. */
const PIECE = { events: 200, bytes: 256 * 1024 } as const;

export interface EventQuery {
  /** An SQL condition on a row of `events`. */
  readonly where: string;
  readonly values: readonly Cell[];
  /** The most events. Undefined for all. */
  readonly limit?: number | undefined;
}

interface Key {
  readonly seq: number;
  readonly time: number;
  /** In bytes. */
  readonly size: number;
}

/** Yields the events as JSON, in pieces of about 256 KiB. */
export function* eventPieces(store: Store, query: EventQuery): Generator<readonly string[]> {
  let piece: Key[] = [];
  let bytes = 0;
  for (const key of keysOf(store, query)) {
    piece.push(key);
    bytes += key.size;
    if (bytes < PIECE.bytes) continue;
    yield recordsOf(store, piece);
    [piece, bytes] = [[], 0];
  }
  if (piece.length > 0) yield recordsOf(store, piece);
}

function* keysOf(store: Store, { where, values, limit = Number.MAX_SAFE_INTEGER }: EventQuery): Generator<Key> {
  const read = (condition: string, own: readonly Cell[], most: number): readonly Key[] => {
    const sql = `SELECT seq, created_at AS time, octet_length(record) AS size FROM events
      WHERE ${where} AND ${condition} ORDER BY created_at DESC, seq DESC LIMIT ?`;
    return store.all(sql, ...values, ...own, most) as unknown as readonly Key[];
  };
  let left = limit;
  let last: Pick<Key, 'seq' | 'time'> = { seq: 0, time: Number.MAX_SAFE_INTEGER };
  while (left > 0) {
    const most = Math.min(left, PIECE.events);
    // Two conditions, because SQLite uses an index for each of them, and not for both together.
    const same = last.seq > 0 ? read('created_at = ? AND seq < ?', [last.time, last.seq], most) : [];
    const older = same.length < most ? read('created_at < ?', [last.time], most - same.length) : [];
    const keys = [...same, ...older];
    yield* keys;
    last = keys.at(-1) ?? last;
    left -= keys.length;
    if (keys.length < most) return;
  }
}

function recordsOf(store: Store, keys: readonly Key[]): readonly string[] {
  const numbers = JSON.stringify(keys.map(({ seq }) => seq));
  const rows = store.all('SELECT seq, record FROM events WHERE seq IN (SELECT value FROM json_each(?))', numbers);
  const records = new Map(rows.map((row) => [Number(row.seq), String(row.record)]));
  return keys.map(({ seq }) => records.get(seq) ?? '');
}
