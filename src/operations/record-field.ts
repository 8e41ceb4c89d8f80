/** How the fields of a record are described. */

/**
 * The type of a field (see field-types.ts), its meaning, and who sets it if not the user. `service`: always the
 * service. `filled`: the command, if the user omits the field.
 */
export type RecordField = readonly [type: string, meaning: string, setBy?: 'service' | 'filled'];

export type RecordFields = Readonly<Record<string, RecordField>>;
