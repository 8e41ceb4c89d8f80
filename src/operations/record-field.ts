/** How the fields of a record are described. */

/**
 * The type of a field, as field-types.ts reads it, what it means, and who else sets it: the service, or the command, which fills
 * it in if it is left out.
 */
export type RecordField = readonly [type: string, meaning: string, setBy?: 'service' | 'filled'];

export type RecordFields = Readonly<Record<string, RecordField>>;
