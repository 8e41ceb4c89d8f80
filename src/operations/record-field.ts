/** Defines the type that describes a field of a record. */

/**
 * The type of a field (see field-types.ts), its meaning, and who sets the field if the user does not: `service` means
 * the service, and `filled` means the command.
 */
export type RecordField = readonly [type: string, meaning: string, setBy?: 'service' | 'filled'];

export type RecordFields = Readonly<Record<string, RecordField>>;
