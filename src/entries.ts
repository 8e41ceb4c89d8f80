/** `Object.entries` with typed keys. */

/** Only for a record literal in the code: other objects may have more keys than their type says. */
export const entriesOf = <Key extends string, Value>(
  record: Readonly<Partial<Record<Key, Value>>>,
): readonly (readonly [Key, Value])[] => Object.entries(record) as [Key, Value][];
