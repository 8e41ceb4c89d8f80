/** Wraps `Object.entries` to return typed keys. */

/** Use this only for record literals in the code. Other objects may have more keys than their type says. */
export const entriesOf = <Key extends string, Value>(
  record: Readonly<Partial<Record<Key, Value>>>,
): readonly (readonly [Key, Value])[] => Object.entries(record) as [Key, Value][];
