/** Checks values of flags, arguments, bodies and tool inputs against the declared types of their fields. */
import { DtpError, type Facts } from '../errors.ts';
import { isRecord } from '../json-object.ts';
import type { FieldType } from '../operations/field-types.ts';
import type { Kind } from '../operations/operation.ts';
import { nearest } from '../render/nearest.ts';

/** The expected value of each kind, as error messages on the command line describe it. */
export const expectedValues: Readonly<Record<Kind, string>> = {
  string: 'a string',
  integer: 'a whole number, such as 100',
  boolean: 'true or false',
  datetime: 'a date and time, such as 2026-01-31T12:00:00Z',
  json: 'JSON, @FILE or -',
  file: 'a file',
};

/** Throws `usage` for a value of another type. Open enums and fields of records may have other values (records.md). */
export function checkValue(label: string, type: FieldType, value: unknown, words = expectedValues): void {
  if (value === null && type.nullable) return;
  if (!type.many) checkOne(label, type, value, words);
  else if (!Array.isArray(value)) throw notA(label, 'a list', value);
  else for (const one of value) checkOne(label, type, one, words);
}

/** Checks a field of a record. It may be empty, because records.ts does not say which fields a body requires. */
export const checkMember = (label: string, type: FieldType, value: unknown, words?: Readonly<Record<Kind, string>>) =>
  checkValue(label, { ...type, required: false }, value, words);

function checkOne(label: string, type: FieldType, value: unknown, words: Readonly<Record<Kind, string>>): void {
  const { kind, required, many } = type;
  const only = onlyValues(type);
  // A list gets no suggestion, because it would replace the whole list, including its valid values.
  const guess = many ? {} : guessFor(label, type, value);
  if (only && !only.some((one) => one === value)) throw wrong(label, only.join(' or '), value, guess);
  if (type.is === 'record' && !isRecord(value)) throw notA(label, 'a JSON object', value);
  if (kind === 'integer' && typeof value === 'string' && isInteger(value))
    throw wrong(label, `a whole number from -${largest} to ${largest}`, value);
  if (!isKind[kind](value)) throw wrong(label, words[kind], value, guess);
  if (required && value === '') throw new DtpError('usage', `${label} must not be empty`);
}

const onlyValues = (type: FieldType): readonly string[] | undefined =>
  type.is === 'enum' && type.isClosed ? type.values : undefined;

const largest = Number.MAX_SAFE_INTEGER;

const isInteger = (text: string): boolean => /^-?\d+$/.test(text);

/** Converts a string to an integer. Returns it unchanged if it is not an integer or is too large for a number. */
export function integerIn(text: string): number | string {
  const value = Number(text);
  return isInteger(text) && Number.isSafeInteger(value) ? value : text;
}

const wrong = (label: string, what: string, value: unknown, facts: Facts = {}) =>
  new DtpError('usage', `${label} must be ${what}, not ${shown(value)}`, facts);

/** Reports only the type of the value, because the value may be a long or secret document. */
const notA = (label: string, what: string, value: unknown) =>
  new DtpError('usage', `${label} must be ${what}, not ${typeName(value)}`);

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'a string';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

const isKind: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isSafeInteger(value),
  boolean: (value) => typeof value === 'boolean',
  datetime: isDateTime,
  json: () => true,
  file: (value) => typeof value === 'string' || isRecord(value),
};

/** Whether a value is a timestamp of RFC 3339 §5.6 with a day that exists in its month. */
export function isDateTime(value: unknown): boolean {
  const found = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.exec(
    String(value),
  );
  if (typeof value !== 'string' || !found) return false;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day >= 1 && day <= days && hour <= 23 && minute <= 59 && second <= 60;
}

/** Returns the value that the user probably meant, for the suggested command line. */
function guessFor(label: string, type: FieldType, given: unknown): Facts {
  if (!label.startsWith('--') || typeof given !== 'string') return {};
  const only = onlyValues(type);
  const value = only ? nearest(given, only) : guesses[type.kind]?.(given.trim());
  return value === undefined ? {} : { meant: { flag: label, value } };
}

const guesses: Readonly<Partial<Record<Kind, (given: string) => string | undefined>>> = {
  datetime: guessTime,
  integer: (given) => {
    const digits = /^\d{1,3}([,_ ]\d{3})+$/.test(given) ? given.replace(/[,_ ]/g, '') : given;
    return digits !== '' && Number.isSafeInteger(Number(digits)) ? String(Number(digits)) : undefined;
  },
};

/** Converts seconds or milliseconds since 1970, or a time without a zone (UTC), to RFC 3339. Undefined otherwise. */
export function guessTime(given: string): string | undefined {
  if (/^\d{10}(\d{3})?$/.test(given)) return new Date(Number(given.padEnd(13, '0'))).toISOString().replace('.000', '');
  const [, day, minute = '00:00', second = ':00'] =
    /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?$/.exec(given) ?? [];
  const full = `${day}T${minute}${second}Z`;
  return isDateTime(full) ? full : undefined;
}
