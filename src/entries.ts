/** The entries of a record whose keys are all known. */

/** Only for a record that is written out in the code: another object may have more keys than its type says. */
export const entriesOf = <Key extends string, Value>(
  record: Readonly<Partial<Record<Key, Value>>>,
): readonly (readonly [Key, Value])[] => Object.entries(record) as [Key, Value][];
