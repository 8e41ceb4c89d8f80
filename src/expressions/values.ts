/** Compares and calculates JSON values as jmespath.py does. Integers are exact at any size. */
import { isRecord, mostDigits } from '../json-object.ts';

/** A number of JSON: a bigint for an integer above 2^53-1, as `parseJson` returns it, and a double for all others. */
export type Numeric = number | bigint;

/** The failure of an expression. The message is for the user. */
export class QueryError extends Error {}

export type ValueType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'expression';

/** Returns the name that JMESPath has for the type of a value. An expression is a function. */
export function valueType(value: unknown): ValueType {
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  if (type === 'bigint') return 'number';
  return type === 'function' ? 'expression' : (type as ValueType);
}

export const isNumeric = (value: unknown): value is Numeric => typeof value === 'number' || typeof value === 'bigint';

/** Null, false, and empty strings, arrays and objects. 0 is true. */
export const isFalse = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === false ||
  value === '' ||
  (Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0);

/** Whether two JSON values are equal. The order of fields does not matter. A boolean is never equal to a number. */
export function areEqual(first: unknown, second: unknown): boolean {
  if (first === second) return true;
  if (isNumeric(first) && isNumeric(second)) return compare(first, second) === 0;
  if (Array.isArray(first) && Array.isArray(second))
    return first.length === second.length && first.every((one, at) => areEqual(one, second[at]));
  if (!isRecord(first) || !isRecord(second)) return false;
  const names = Object.keys(first);
  return (
    names.length === Object.keys(second).length &&
    names.every((name) => Object.hasOwn(second, name) && areEqual(first[name], second[name]))
  );
}

const surrogate = /[\ud800-\udfff]/;

/** Orders two numbers by their exact values, or two strings by code point: negative, 0 or positive. */
export function compare(first: Numeric | string, second: Numeric | string): number {
  if (typeof first === 'number' && typeof second === 'number') return first - second;
  if (first === second) return 0;
  // JavaScript orders strings by their units of UTF-16, in which U+1F600 comes before U+FFFD.
  if (typeof first === 'string' && typeof second === 'string' && (surrogate.test(first) || surrogate.test(second)))
    return compareByCodePoint(first, second);
  return first < second ? -1 : first > second ? 1 : 0;
}

function compareByCodePoint(first: string, second: string): number {
  const end = Math.min(first.length, second.length);
  let at = 0;
  while (at < end && first.charCodeAt(at) === second.charCodeAt(at)) at++;
  return at === end ? first.length - second.length : rankAt(first, at) - rankAt(second, at);
}

/** A surrogate is part of a code point above all others. */
function rankAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

export type Operator = 'Plus' | 'Minus' | 'Multiply' | 'Star' | 'Divide' | 'Modulo' | 'Div';

const times = {
  double: (one: number, other: number) => one * other,
  exact: (one: bigint, other: bigint) => one * other,
};

const operations: Readonly<
  Record<
    Operator,
    {
      readonly double: (one: number, other: number) => number;
      readonly exact: (one: bigint, other: bigint) => Numeric;
    }
  >
> = {
  Plus: { double: (one, other) => one + other, exact: (one, other) => one + other },
  Minus: { double: (one, other) => one - other, exact: (one, other) => one - other },
  Multiply: times,
  Star: times,
  Divide: {
    double: (one, other) => one / other,
    exact: (one, other) =>
      one % other === 0n ? one / other : Number(one / other) + Number(one % other) / Number(other),
  },
  Modulo: { double: (one, other) => one % other, exact: (one, other) => one % other },
  Div: {
    double: (one, other) => Math.floor(one / other),
    exact: (one, other) => one / other - (one % other !== 0n && one < 0n !== other < 0n ? 1n : 0n),
  },
};

/**
 * Calculates with integers exactly, and with other numbers as doubles. `Divide` returns an integer if nothing remains.
 * `Div` rounds down, and the result of `Modulo` has the sign of the first number. Throws QueryError for a division by
 * zero, and for a result that JSON could not hold here.
 */
export function calculate(operator: Operator, first: Numeric, second: Numeric): Numeric {
  const { double, exact } = operations[operator];
  if (typeof first === 'number' && typeof second === 'number') {
    const short = double(first, second);
    if (Math.abs(short) <= Number.MAX_SAFE_INTEGER) return short;
  }
  const isDivision = operator === 'Divide' || operator === 'Modulo' || operator === 'Div';
  if (isDivision && Number(second) === 0) throw new QueryError('a number is divided by zero');
  if (isInteger(first) && isInteger(second)) return shortest(exact(BigInt(first), BigInt(second)));
  return finite(double(Number(first), Number(second)));
}

const isInteger = (value: Numeric): boolean => typeof value === 'bigint' || Number.isSafeInteger(value);

/** Adds numbers from left to right. */
export function sum(all: readonly Numeric[]): Numeric {
  let total: Numeric = 0;
  for (const one of all) total = calculate('Plus', total, one);
  return total;
}

/** Rounds a double to an integer, which is exact even if it is above 2^53-1. */
export function rounded(value: Numeric, round: (value: number) => number): Numeric {
  if (isInteger(value)) return value;
  return shortest(BigInt(round(value as number)));
}

/** Reads a number as Python does, but without `_`, `inf`, `nan` and the digits of other scripts. Otherwise null. */
export function numberIn(text: string): Numeric | null {
  const digits = text.trim();
  if (/^[+-]?\d+$/.test(digits)) return digits.length > mostDigits + 1 ? tooLong() : shortest(BigInt(digits));
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(digits) ? finite(Number(digits)) : null;
}

const beyond = 10n ** BigInt(mostDigits);

/** Returns an integer as `parseJson` would. Throws QueryError if it has more digits than `parseJson` reads. */
function shortest(value: Numeric): Numeric {
  if (typeof value === 'number') return finite(value);
  if (value >= beyond || value <= -beyond) return tooLong();
  const short = Number(value);
  return Number.isSafeInteger(short) ? short : value;
}

function tooLong(): never {
  throw new QueryError(`an integer has more than ${mostDigits} digits`);
}

function finite(value: number): number {
  if (!Number.isFinite(value)) throw new QueryError('a number is too large');
  return value;
}

/** Sets a field, also one with the name `__proto__`, which an assignment would not create. */
export function setField(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true, writable: true, configurable: true });
}
