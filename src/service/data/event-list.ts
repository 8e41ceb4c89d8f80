/** Reads a list of events of any length, the newest first, piece by piece. */
import { type Reply, replyJsonText, replyWith } from '../handler.ts';
import type { Share } from '../shares.ts';
import type { Cell } from './columns.ts';
import type { Store } from './store.ts';

/** The most events whose keys are read at once, and the bytes of records after which a piece ends. */
const PIECE = { events: 200, bytes: 256 * 1024 } as const;

interface EventQuery {
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

/** Returns the events as JSON. A long list is read while the client reads it. */
export function eventList(store: Store, query: EventQuery, { turn }: Share): Reply {
  const pieces = piecesOf(store, query);
  const first = pieces.next().value ?? [];
  const second = pieces.next().value;
  if (!second) return replyJsonText(`[${first.join(',')}]`);
  const body = async function* () {
    yield Buffer.from(`[${first.join(',')},${second.join(',')}`);
    for (const piece of pieces) {
      yield Buffer.from(`,${piece.join(',')}`);
      await turn();
    }
    yield Buffer.from(']');
  };
  return replyWith(200, { 'content-type': 'application/json' }, body());
}

function* piecesOf(store: Store, query: EventQuery): Generator<readonly string[], undefined> {
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
