/** What handlers ask of a JSON value that came in: each answer is the member or a refusal that names it. */
import { isRecord, type JsonObject } from '../../json-object.ts';
import { Refusal } from '../refusal.ts';

export type Members = JsonObject;

export const isMembers = isRecord;

export const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

export function members(value: unknown, name = 'body'): Members {
  if (isMembers(value)) return value;
  throw new Refusal(422, `${name} must be a JSON object`);
}

export function text(record: Members, name: string): string {
  const value = record[name];
  if (typeof value === 'string' && value !== '') return value;
  throw new Refusal(422, `${name} is required and must be a string`);
}

const RFC_3339 =
  /^(\d{4}-\d\d-\d\d)[T ]((?:[01]\d|2[0-3]):[0-5]\d):([0-5]\d|60)(\.\d+)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** The milliseconds of an instant in RFC 3339 form; NaN for any other text. */
export function timeOf(value: string): number {
  const time = Date.parse(value);
  // As most are written, and as Date itself would write it.
  if (!Number.isNaN(time) && new Date(time).toISOString() === value) return time;
  const [, date = '', minute, second, fraction = '', zone] = RFC_3339.exec(value.toUpperCase()) ?? [];
  // To Date the 30th of February is a day of March.
  if (new Date(date).getUTCDate() !== Number(date.slice(-2))) return Number.NaN;
  // A leap second, which Date does not know, is the next one.
  return Date.parse(`${date}T${minute}:00${fraction}${zone}`) + Number(second) * 1000;
}

/** The milliseconds of an instant. Refuses what is none. */
export function timeIn(value: unknown, name: string): number {
  const time = typeof value === 'string' ? timeOf(value) : Number.NaN;
  if (Number.isNaN(time)) throw new Refusal(422, `${name} must be a date and time in RFC 3339 form`);
  return time;
}

/** The text of an instant in the one form that sorts as time does. */
export const instant = (value: unknown, name: string): string => new Date(timeIn(value, name)).toISOString();
