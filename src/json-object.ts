/** JSON objects: whether a value is one, and its fields. */

export type JsonObject = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** No fields if the value is not a JSON object. */
export const fieldsOf = (value: unknown): JsonObject => (isRecord(value) ? value : {});
