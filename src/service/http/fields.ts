/** Reads fields of JSON values in requests. Throws a Refusal that names the field if a value is invalid. */
import { fieldsOf, isRecord, isStrings, type JsonObject } from '../../json-object.ts';
import { Refusal } from '../refusal.ts';

export { fieldsOf, isRecord, isStrings, type JsonObject };

/** Returns a list unchanged, and an empty list for any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The most elements of a list in a request that are stored one by one, which takes a few hundredths of a second. */
const LIST_LIMIT = 1000;

/** Throws Refusal if a list in a request is too long. */
export function checkCount(list: readonly unknown[], name: string, most = LIST_LIMIT): void {
  if (list.length > most) throw new Refusal(413, `${name} has more than ${most} elements`);
}

/** Returns the fields of a record whose values are records. */
export const recordsIn = (value: unknown): readonly (readonly [string, JsonObject])[] =>
  Object.entries(fieldsOf(value)).filter((entry): entry is [string, JsonObject] => isRecord(entry[1]));

export function jsonObject(value: unknown): JsonObject {
  if (isRecord(value)) return value;
  throw new Refusal(422, 'body must be a JSON object');
}

export function requiredString(record: JsonObject, name: string): string {
  const value = record[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal(422, `${name} is required and must be a string`);
}

/** Reads a list that must be there. Throws Refusal if it is too long. */
export function requiredStrings(record: JsonObject, name: string): readonly string[] {
  const list = record[name];
  if (!isStrings(list)) throw new Refusal(422, `${name} must be an array of strings`);
  checkCount(list, name);
  return list;
}

const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Parses an RFC 3339 date and time to milliseconds. Returns NaN for any other string. */
export function parseTime(value: string): number {
  const time = Date.parse(value);
  // Most timestamps are already in the format that Date produces.
  if (!Number.isNaN(time) && new Date(time).toISOString() === value) return time;
  const [, date = '', minute, second, fraction = '', zone] = RFC_3339.exec(value.toUpperCase()) ?? [];
  // Date would accept February 30 as a day in March.
  if (new Date(date).getUTCDate() !== Number(date.slice(-2))) return Number.NaN;
  // Date does not support leap seconds, so a leap second counts as the next second.
  return Date.parse(`${date}T${minute}:00${fraction}${zone}`) + Number(second) * 1000;
}

/** Parses an RFC 3339 date and time to milliseconds. Throws Refusal for any other value. */
export function requiredTime(value: unknown, name: string): number {
  const time = typeof value === 'string' ? parseTime(value) : Number.NaN;
  if (Number.isNaN(time)) throw new Refusal(422, `${name} must be an RFC 3339 date and time`);
  return time;
}

/** Converts a date and time to the string format that sorts by time. Throws Refusal for any other value. */
export const normalizeTime = (value: unknown, name: string): string =>
  new Date(requiredTime(value, name)).toISOString();
