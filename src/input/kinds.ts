/** The one rule for the values of fields, by their declared type: for flags, arguments, bodies and the inputs of tools. */
import { DtpError, type Facts } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import type { FieldType } from '../operations/field-types.ts';
import type { Kind } from '../operations/operation.ts';
import { nearest } from '../render/nearest.ts';

/** What is right for each kind of value, for somebody who types it. */
export const expected: Readonly<Record<Kind, string>> = {
  string: 'a string',
  integer: 'a whole number, such as 100',
  boolean: 'true or false',
  datetime: 'a date and time, such as 2026-01-31T12:00:00Z',
  json: 'JSON, @FILE or -',
  file: 'a file',
};

/**
 * Throws `usage`, with the label, the value and what is right. `words` say what is right for each kind. Known values of
 * enums and known fields of records are not checked: records.md says that others are legal.
 */
export function checkValue(
  label: string,
  type: FieldType,
  value: unknown,
  words: Readonly<Record<Kind, string>> = expected,
): void {
  if (value === null && type.nullable) return;
  if (!type.many) checkOne(label, type, value, words);
  else if (!Array.isArray(value)) throw notA(label, 'a list', value);
  else for (const one of value) checkOne(label, type, one, words);
}

/** The same for a field of a record, which may be empty: records.ts does not say what is required inline. */
export const checkMember = (
  label: string,
  type: FieldType,
  value: unknown,
  words?: Readonly<Record<Kind, string>>,
): void => checkValue(label, { ...type, required: false }, value, words);

function checkOne(
  label: string,
  type: FieldType,
  value: unknown,
  words: Readonly<Record<Kind, string>>,
): void {
  const { kind, required, many } = type;
  const only = onlyValues(type);
  // A suggestion replaces the flag, and a list may have right values beside the wrong one.
  const guessed = many ? {} : meant(label, type, value);
  if (only && !only.some((one) => one === value)) throw wrong(label, only.join(' or '), value, guessed);
  if (type.is === 'record' && !isRecord(value)) throw notA(label, 'a JSON object', value);
  if (kind === 'integer' && typeof value === 'string' && isInteger(value))
    throw wrong(label, `a whole number from -${largest} to ${largest}`, value);
  if (!right[kind](value)) throw wrong(label, words[kind], value, guessed);
  if (required && value === '') throw new DtpError('usage', `${label} must not be empty`);
}

const onlyValues = (type: FieldType): readonly string[] | undefined =>
  type.is === 'enum' && type.isClosed ? type.values : undefined;

const largest = Number.MAX_SAFE_INTEGER;

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);

/** The number that a text writes; the text itself where no number is exact. */
export function integerIn(text: string): number | string {
  const value = Number(text);
  return isInteger(text) && Number.isSafeInteger(value) ? value : text;
}

const wrong = (label: string, what: string, value: unknown, facts: Facts = {}) =>
  new DtpError('usage', `${label} must be ${what}; ${shown(value)} is not`, facts);

/** A document may be long or secret: the message has its sort alone. */
const notA = (label: string, what: string, value: unknown) =>
  new DtpError('usage', `${label} must be ${what}, not ${sortOf(value)}`);

function sortOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a string';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

const right: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  datetime: isDateTime,
  json: () => true,
  file: (value) => typeof value === 'string' || isRecord(value),
};

/** RFC 3339 §5.6, and a day that the month has. */
export function isDateTime(value: unknown): boolean {
  const found =
    /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(
      String(value),
    );
  if (typeof value !== 'string' || !found) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 60;
}

/** The value that a wrong one was probably meant to be, for the corrected line. */
function meant(label: string, type: FieldType, given: unknown): Facts {
  if (!label.startsWith('--') || typeof given !== 'string') return {};
  const only = onlyValues(type);
  const value = only ? nearest(given, only) : guesses[type.kind]?.(given.trim());
  return value === undefined ? {} : { meant: { flag: label, value } };
}

const guesses: Readonly<Partial<Record<Kind, (given: string) => string | undefined>>> = {
  integer: (given) => {
    const digits = /^\d{1,3}([,_ ]\d{3})+$/.test(given) ? given.replace(/[,_ ]/g, '') : given;
    return digits !== '' && Number.isSafeInteger(Number(digits)) ? String(Number(digits)) : undefined;
  },
  datetime: (given) => {
    // Seconds or milliseconds since 1970.
    if (/^\d{10}(\d{3})?$/.test(given))
      return new Date(Number(given.padEnd(13, '0'))).toISOString().replace('.000', '');
    const [, day, minute = '00:00', second = ':00'] =
      /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?$/.exec(given) ?? [];
    const full = `${day}T${minute}${second}Z`;
    return isDateTime(full) ? full : undefined;
  },
};
