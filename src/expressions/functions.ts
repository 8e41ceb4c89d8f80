/** The functions of JMESPath: those of jmespath.py, and those that only the library of the parser has. */
import { exactJson } from '../json-object.ts';
import {
  areEqual,
  calculate,
  compare,
  isNumeric,
  type Numeric,
  numberIn,
  QueryError,
  rounded,
  setField,
  sum,
  valueType,
} from './values.ts';

type List = readonly unknown[];
type Fields = Readonly<Record<string, unknown>>;
type Of = (element: unknown) => unknown;
type Key = Numeric | string;

interface Kind {
  readonly says: string;
  readonly holds: (value: unknown) => boolean;
}

const isString = (value: unknown): boolean => typeof value === 'string';
const isListOf = (value: unknown, is: (one: unknown) => boolean): boolean => Array.isArray(value) && value.every(is);
const isInteger = (value: unknown): boolean => typeof value === 'bigint' || Number.isInteger(value);

/** What an argument can be. */
const kinds = {
  any: { says: 'a value', holds: (value) => typeof value !== 'function' },
  number: { says: 'a number', holds: isNumeric },
  integer: { says: 'an integer', holds: isInteger },
  size: { says: 'an integer of at least 0', holds: (value) => isInteger(value) && Number(value) >= 0 },
  string: { says: 'a string', holds: isString },
  character: { says: 'one character', holds: (value) => typeof value === 'string' && lengthOf(value) <= 1 },
  array: { says: 'an array', holds: Array.isArray },
  numbers: { says: 'an array of numbers', holds: (value) => isListOf(value, isNumeric) },
  strings: { says: 'an array of strings', holds: (value) => isListOf(value, isString) },
  pairs: {
    says: 'an array of pairs of a string and a value',
    holds: (value) =>
      isListOf(value, Array.isArray) &&
      (value as List[]).every((one) => one.length === 2 && typeof one[0] === 'string'),
  },
  object: { says: 'an object', holds: (value) => valueType(value) === 'object' },
  expression: { says: 'an expression such as &id', holds: (value) => typeof value === 'function' },
} satisfies Readonly<Record<string, Kind>>;

/**
 * Each function with the kinds of its arguments. `a|b` is one of two kinds, `?` an argument that may be missing, and `+`
 * one or more arguments.
 */
const table: Readonly<Record<string, readonly [takes: string, run: (...values: never[]) => unknown]>> = {
  abs: ['number', (one: Numeric) => (one < 0 ? calculate('Minus', 0, one) : one)],
  avg: ['numbers', (all: readonly Numeric[]) => (all.length === 0 ? null : calculate('Divide', sum(all), all.length))],
  ceil: ['number', (one: Numeric) => rounded(one, Math.ceil)],
  contains: [
    'array|string any',
    (all: List | string, part: unknown) =>
      typeof all === 'string' ? typeof part === 'string' && all.includes(part) : all.some((one) => areEqual(one, part)),
  ],
  ends_with: ['string string', (text: string, end: string) => text.endsWith(end)],
  find_first: ['string string integer? integer?', (...args: FindArguments) => find('indexOf', ...args)],
  find_last: ['string string integer? integer?', (...args: FindArguments) => find('lastIndexOf', ...args)],
  floor: ['number', (one: Numeric) => rounded(one, Math.floor)],
  from_items: ['pairs', (pairs: readonly [string, unknown][]) => Object.fromEntries(pairs)],
  group_by: ['array expression', groupBy],
  items: ['object', (fields: Fields) => Object.entries(fields)],
  join: ['string strings', (glue: string, all: readonly string[]) => all.join(glue)],
  keys: ['object', (fields: Fields) => Object.keys(fields)],
  length: ['string|array|object', lengthOf],
  lower: ['string', (text: string) => text.toLowerCase()],
  map: ['expression array', (of: Of, all: List) => all.map(of)],
  max: ['numbers|strings', (all: readonly Key[]) => extreme(all, all, 1)],
  max_by: ['array expression', (all: List, of: Of) => extreme(all, keysOf('max_by', all, of), 1)],
  merge: ['object+', merge],
  min: ['numbers|strings', (all: readonly Key[]) => extreme(all, all, -1)],
  min_by: ['array expression', (all: List, of: Of) => extreme(all, keysOf('min_by', all, of), -1)],
  not_null: ['any+', (...all: List) => all.find((one) => one !== null)],
  pad_left: ['string size character?', (text: string, ...rest: PadArguments) => padding(text, ...rest) + text],
  pad_right: ['string size character?', (text: string, ...rest: PadArguments) => text + padding(text, ...rest)],
  replace: [
    'string string string size?',
    (text: string, part: string, by: string, count?: Numeric) => split(text, part, count).join(by),
  ],
  reverse: [
    'string|array',
    (all: List | string) => (typeof all === 'string' ? [...all].reverse().join('') : [...all].reverse()),
  ],
  sort: ['strings|numbers', (all: readonly Key[]) => [...all].sort(compare)],
  sort_by: ['array expression', sortBy],
  split: ['string string size?', split],
  starts_with: ['string string', (text: string, start: string) => text.startsWith(start)],
  sum: ['numbers', sum],
  to_array: ['any', (one: unknown) => (Array.isArray(one) ? one : [one])],
  to_number: ['any', (one: unknown) => (typeof one === 'string' ? numberIn(one) : isNumeric(one) ? one : null)],
  to_string: ['any', (one: unknown) => (typeof one === 'string' ? one : exactJson(one))],
  trim: ['string string?', (text: string, characters?: string) => trim(text, characters, 'both')],
  trim_left: ['string string?', (text: string, characters?: string) => trim(text, characters, 'left')],
  trim_right: ['string string?', (text: string, characters?: string) => trim(text, characters, 'right')],
  type: ['any', valueType],
  upper: ['string', (text: string) => text.toUpperCase()],
  values: ['object', (fields: Fields) => Object.values(fields)],
  zip: ['array+', zip],
};

interface Signature {
  readonly name: string;
  readonly run: (...values: List) => unknown;
  readonly kinds: readonly (readonly Kind[])[];
  readonly least: number;
  readonly most: number;
}

const signatures: ReadonlyMap<string, Signature> = new Map(
  Object.entries(table).map(([name, [takes, run]]) => {
    const words = takes.split(' ');
    const names = words.map((word) => word.replace(/[?+]$/, '').split('|') as (keyof typeof kinds)[]);
    const least = words.filter((word) => !word.endsWith('?')).length;
    const most = takes.endsWith('+') ? Infinity : words.length;
    const signature = { name, run: run as Signature['run'], least, most };
    return [name, { ...signature, kinds: names.map((one) => one.map((kind) => kinds[kind])) }];
  }),
);

/** Returns a function for a number of arguments. Throws QueryError if it does not exist, or takes fewer or more. */
export function functionNamed(name: string, count: number): Signature {
  const found = signatures.get(name);
  if (!found) throw new QueryError(`unknown function ${name}()`);
  const { least, most } = found;
  if (count >= least && count <= most) return found;
  const takes = most === Infinity ? `at least ${least}` : least === most ? least : `${least} to ${most}`;
  throw new QueryError(`${name}() takes ${takes} argument${takes === 1 || most === Infinity ? '' : 's'}, not ${count}`);
}

/** Calls a function. Throws QueryError for arguments that it does not take. */
export function callFunction({ name, kinds, run }: Signature, values: List): unknown {
  for (const [at, value] of values.entries()) {
    const possible = kinds[at] ?? (kinds.at(-1) as readonly Kind[]);
    if (possible.some((kind) => kind.holds(value))) continue;
    const needed = possible.map(({ says }) => says).join(' or ');
    throw new QueryError(`argument ${at + 1} of ${name}() must be ${needed}, not ${described(value)}`);
  }
  return run(...values) ?? null;
}

/** Returns the kind of a value, such as `a string`, `null` or `an array of nulls and numbers`. */
function described(value: unknown): string {
  const type = valueType(value);
  if (Array.isArray(value) && value.length > 0)
    return `an array of ${[...new Set(value.map((one) => `${valueType(one)}s`))].join(' and ')}`;
  return type === 'null' ? type : `${/^[aeo]/.test(type) ? 'an' : 'a'} ${type}`;
}

/** Counts the code points of a string, the elements of an array or the fields of an object. */
function lengthOf(value: string | List | Fields): number {
  if (typeof value !== 'string') return Array.isArray(value) ? value.length : Object.keys(value).length;
  let count = 0;
  for (const _ of value) count++;
  return count;
}

/** Returns the key of each element. Throws QueryError unless all keys are numbers, or all are strings. */
function keysOf(name: string, all: List, of: Of): readonly Key[] {
  const keys = all.map(of);
  if (areKeys(keys)) return keys;
  throw new QueryError(`the keys of ${name}() must be all numbers or all strings, not ${described(keys)}`);
}

const areKeys = (keys: List): keys is readonly Key[] => keys.every(isNumeric) || keys.every(isString);

/** Returns the first element with the largest key (`sign` 1) or the smallest (-1), and null for an empty list. */
function extreme(all: List, keys: readonly Key[], sign: number): unknown {
  let best = 0;
  for (let at = 1; at < keys.length; at++) if (sign * compare(keys[at] as Key, keys[best] as Key) > 0) best = at;
  return all[best] ?? null;
}

function sortBy(all: List, of: Of): List {
  const keys = keysOf('sort_by', all, of);
  const order = keys.map((_, at) => at).sort((one, other) => compare(keys[one] as Key, keys[other] as Key));
  return order.map((at) => all[at]);
}

function groupBy(all: List, of: Of): Fields {
  const groups = new Map<string, unknown[]>();
  for (const one of all) {
    const key = of(one);
    if (typeof key !== 'string') throw new QueryError(`the keys of group_by() must be strings, not ${described(key)}`);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return Object.fromEntries(groups);
}

function merge(...all: readonly Fields[]): Fields {
  const merged = {};
  for (const fields of all) for (const name of Object.keys(fields)) setField(merged, name, fields[name]);
  return merged;
}

function zip(...all: readonly List[]): List {
  const length = Math.min(...all.map((one) => one.length));
  return Array.from({ length }, (_, at) => all.map((one) => one[at]));
}

type FindArguments = readonly [text: string, part: string, from?: Numeric, to?: Numeric];

/** Returns the position of a string in another one, in code points from 0, or null. */
function find(search: 'indexOf' | 'lastIndexOf', ...[text, part, from = 0, to]: FindArguments): number | null {
  if (part === '') return null;
  const start = unitsBefore(text, Number(from));
  const at = text.slice(start, to ? unitsBefore(text, Number(to)) : text.length)[search](part);
  return at === -1 ? null : lengthOf(text.slice(0, start + at));
}

/** Converts a position from code points to units of UTF-16. */
function unitsBefore(text: string, count: number): number {
  let units = 0;
  let left = count;
  for (const one of text) {
    if (left-- <= 0) break;
    units += one.length;
  }
  return units;
}

type PadArguments = readonly [width: Numeric, character?: string];

const padding = (text: string, ...[width, character]: PadArguments): string =>
  (character || ' ').repeat(Math.max(0, Number(width) - lengthOf(text)));

/** Splits a string at most `count` times: into its characters if `by` is empty. */
function split(text: string, by: string, count?: Numeric): readonly string[] {
  const parts = by === '' ? [...text] : text.split(by);
  const most = Number(count ?? Infinity);
  return most >= parts.length ? parts : [...parts.slice(0, most), parts.slice(most).join(by)];
}

function trim(text: string, characters: string | undefined, sides: 'left' | 'right' | 'both'): string {
  const set = characters ? new Set(characters) : undefined;
  const stays = (one: string) => (set ? !set.has(one) : !/[\s\u0085]/.test(one));
  const all = [...text];
  const from = sides === 'right' ? 0 : all.findIndex(stays);
  return from === -1 ? '' : all.slice(from, sides === 'left' ? all.length : all.findLastIndex(stays) + 1).join('');
}
