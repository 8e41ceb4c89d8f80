/** Recognizes JSON objects and reads their fields. */

export type JsonObject = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns a JSON object unchanged, and an empty object for any other value. */
export const fieldsOf = (value: unknown): JsonObject => (isRecord(value) ? value : {});
