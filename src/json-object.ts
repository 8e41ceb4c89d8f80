/** Recognizes JSON objects and reads their fields. */

export type JsonObject = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a JSON object; empty for any other value. */
export const fieldsOf = (value: unknown): JsonObject => (isRecord(value) ? value : {});
