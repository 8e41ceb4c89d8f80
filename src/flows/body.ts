/** Builds the body of a batch, which is a JSON array of events. */

/** One or more events of the same execution, as JSON. The events of an execution are delivered in order. */
export interface EventBytes {
  readonly bytes: Uint8Array;
  readonly execution: string;
  /** The end offset of each event, if there are several. One byte separates an event from the next. */
  readonly ends?: readonly number[];
}

/** The size of the opening bracket, in bytes. Each element adds its length and one byte for what follows it. */
export const openingSize = 1;

/** Joins elements into a JSON array. */
export function joinEvents(parts: readonly Uint8Array[]): Uint8Array {
  const size = parts.reduce((sum, part) => sum + part.byteLength + 1, openingSize);
  const all = Buffer.allocUnsafe(size);
  all[0] = 0x5b;
  let at = 1;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
    all[at++] = 0x2c;
  }
  all[size - 1] = 0x5d;
  return all;
}

/** The smallest buffer for a body, in bytes. */
const LEAST = 16 * 1024;

/** `spare` has the buffers of earlier bodies, which are used again. */
export function openBody(spare: Uint8Array[] = []) {
  let all: Uint8Array = Buffer.alloc(0);
  /** The buffer size for the next body, in bytes. Most bodies of a delivery have about the same size. */
  let usual = LEAST;
  let size = openingSize;
  let events = 0;
  const grow = (least: number) => {
    const last = events === 0 ? spare.pop() : undefined;
    const length = Math.max(least, events === 0 ? usual : 2 * all.length);
    const more = last && last.length >= least ? last : Buffer.allocUnsafeSlow(length);
    more.set(all.subarray(0, size));
    more[0] = 0x5b;
    all = more;
  };
  return {
    get events() {
      return events;
    },
    /** In bytes, counted as described for `openingSize`. */
    get size() {
      return size;
    },
    /** Appends events that start at offset `from` of `bytes`. `ends` contains the end offset of each event. */
    add: (bytes: Uint8Array, from: number, ends: readonly number[]) => {
      const end = ends.at(-1) ?? from;
      if (size + end - from + 1 > all.length) grow(size + end - from + 1);
      all.set(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end), size);
      for (const one of ends) all[size + one - from] = 0x2c;
      size += end - from + 1;
      events += ends.length;
    },
    /** Returns the body, and starts the next one. */
    take: (): Uint8Array => {
      all[size - 1] = 0x5d;
      const body = all.subarray(0, size);
      usual = Math.max(LEAST, Math.ceil(size * 1.05));
      [all, size, events] = [Buffer.alloc(0), openingSize, 0];
      return body;
    },
  };
}

export const splitEvents = ({ bytes, ends = [bytes.length] }: Pick<EventBytes, 'bytes' | 'ends'>): Uint8Array[] =>
  ends.map((end, at) => bytes.subarray(at === 0 ? 0 : (ends[at - 1] as number) + 1, end));
