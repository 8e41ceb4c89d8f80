/** Recognizes JSON objects, reads their fields and entries, and writes JSON with exact integers. */

/** The maximum digits of an integer. The time of BigInt grows with their square: 46 s for 60 million digits. */
export const mostDigits = 1000;

export type JsonObject = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a JSON object unchanged, and an empty object for any other value. */
export const fieldsOf = (value: unknown): JsonObject => (isRecord(value) ? value : {});

export const isStrings = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

/** Leaves out the fields that are undefined. */
export const definedIn = (all: object): JsonObject =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));

/** Returns a string unchanged, and an empty string for any other value. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Like JSON.stringify. Also writes bigints. */
export const exactJson = (value: unknown): string => writeExact(value, (one) => JSON.stringify(one));

/** Calls `write`, which uses JSON.stringify. Also writes bigints, which JSON.stringify rejects. */
export function writeExact<Value>(value: Value, write: (value: Value) => string): string {
  if (typeof value === 'bigint') return String(value);
  try {
    return write(value);
  } catch (error) {
    // For decoded values, JSON.stringify only fails on a bigint.
    if (error instanceof TypeError) return longText(value, write);
    throw error;
  }
}

/** Writes bigints as marked strings, then removes the quotes. If other strings contain the mark, tries another one. */
function longText<Value>(value: Value, write: (value: Value) => string, number = 0): string {
  const mark = `\ue000${number}\ue001`;
  let count = 0;
  const marked = replaceBigints(value, (long) => {
    count++;
    return mark + long;
  });
  const text = write(marked as Value);
  const plain = text.replace(new RegExp(`"${mark}(-?\\d+)"`, 'g'), (_, digits: string) => {
    count--;
    return digits;
  });
  if (count === 0) return plain;
  const used = new Set(Array.from(text.matchAll(/\ue000(\d+)\ue001/g), ([, one]) => one));
  let free = 0;
  while (used.has(String(free))) free++;
  return longText(value, write, free);
}

/** Replaces each bigint in a value. Lists and records without bigints stay the same objects. */
export function replaceBigints(value: unknown, write: (long: bigint) => unknown): unknown {
  if (typeof value === 'bigint') return write(value);
  if (Array.isArray(value)) return listWithoutLong(value, write);
  return isRecord(value) ? recordWithoutLong(value, write) : value;
}

function listWithoutLong(list: readonly unknown[], write: (long: bigint) => unknown): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const other = replaceBigints(list[at], write);
    if (other === list[at]) continue;
    copy ??= [...list];
    copy[at] = other;
  }
  return copy ?? list;
}

function recordWithoutLong(record: JsonObject, write: (long: bigint) => unknown): JsonObject {
  let copy: Record<string, unknown> | undefined;
  for (const name of Object.keys(record)) {
    const other = replaceBigints(record[name], write);
    if (other === record[name]) continue;
    copy ??= { ...record };
    copy[name] = other;
  }
  return copy ?? record;
}

/** Writes a character as `\u001b`, or as two such escapes above U+FFFF, as JSON requires. */
export const unicodeEscape = (char: string): string =>
  Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');

/** Groups values by a key, in the order in which each key is first seen. `Map.groupBy` needs Node 21. */
export function groupBy<Key, Value>(values: Iterable<Value>, keyOf: (value: Value) => Key): Map<Key, Value[]> {
  const groups = new Map<Key, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}

/** Returns typed entries. Use this only for record literals: other objects may have more keys than their type says. */
export const entriesOf = <Key extends string, Value>(
  record: Readonly<Partial<Record<Key, Value>>>,
): readonly (readonly [Key, Value])[] => Object.entries(record) as [Key, Value][];
