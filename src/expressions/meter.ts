/** Counts what a JMESPath expression uses. */
import { isRecord } from '../json-object.ts';

/** What an expression may still use: steps of about 100 ns, and bytes of memory for the values that it creates. */
export interface Meter {
  steps: number;
  memory: number;
}

export class OutOfSteps extends Error {}
export class OutOfMemory extends Error {}

/** The estimated memory of parts of a value, in bytes, including temporary copies, and what one step can fill. */
export const bytes = { list: 160, element: 12, record: 64, field: 16, character: 24, step: 256 };

/** The functions whose results have new lists or names inside, and those that create nothing. */
export const nesting = ['zip', 'group_by', 'items', 'from_items'];
const creatingNothing = ['length', 'type', 'contains', 'starts_with', 'ends_with'];

/** Throws OutOfSteps or OutOfMemory if an expression may not use as much. Memory stays free until it is kept. */
export function use(meter: Meter, steps: number, memory: number): void {
  meter.steps -= steps;
  if (meter.steps < 0) throw new OutOfSteps();
  if (memory > meter.memory) throw new OutOfMemory();
}

/** Estimates the steps of a function that reads a string or a list without creating anything. */
export function stepsOf(name: string, [first, second]: readonly unknown[], limit: number): number {
  if (!creatingNothing.includes(name) || (name !== 'contains' && typeof first !== 'string')) return 0;
  return isRecord(second) || Array.isArray(second) ? textSize(first, limit) : lengthOf(first) / 16;
}

/** Estimates the memory that a function takes while it runs, in bytes. It stops beyond `limit`. */
export function needOf(name: string, values: readonly unknown[], limit: number): number {
  const [first, second, third] = values;
  if (creatingNothing.includes(name)) return 0;
  const own = sumOf(values, shallowSize);
  switch (name) {
    case 'pad_left':
    case 'pad_right':
      return own + 2 * countOf(second) * (lengthOf(third) || 1);
    case 'replace':
      return own + (lengthOf(first) / (lengthOf(second) || 1) + 1) * 2 * (lengthOf(third) + 8);
    case 'join':
      return own + (Array.isArray(second) ? sumOf(second, (one) => 2 * (lengthOf(one) + lengthOf(first))) : 0);
    case 'to_string':
      // An escaped character takes up to six.
      return own + 6 * textSize(first, limit / 6);
    default:
      return own;
  }
}

export const sumOf = (all: readonly unknown[], of: (one: unknown) => number): number =>
  all.reduce((total: number, one) => total + of(one), 0);

const countOf = (value: unknown): number => Math.max(0, Number(value) || 0);
const lengthOf = (value: unknown): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 0);
/** The least number of digits of an integer. */
const digitsOf = (value: bigint): number => value.toString(16).length;

export function shallowSize(value: unknown): number {
  if (typeof value === 'string') return bytes.character * value.length;
  if (Array.isArray(value)) return bytes.list + bytes.element * value.length;
  return isRecord(value) ? bytes.record + bytes.field * Object.keys(value).length : 0;
}

/** Estimates the memory of a new value, in bytes, without the values inside. */
export function keptSize(value: unknown): number {
  if (typeof value === 'bigint') return bytes.field + digitsOf(value);
  return typeof value === 'string' ? Buffer.byteLength(value) : shallowSize(value);
}

/** Returns the least number of characters of a value as JSON. It stops counting beyond `limit`. */
export function textSize(value: unknown, limit: number): number {
  const open = [value];
  let size = 0;
  while (open.length > 0 && size <= limit) {
    const one = open.pop();
    size += typeof one === 'string' ? one.length + 2 : typeof one === 'bigint' ? digitsOf(one) : 2;
    if (Array.isArray(one)) for (const inner of one) open.push(inner);
    else if (isRecord(one))
      for (const name of Object.keys(one)) {
        size += name.length + 3;
        open.push(one[name]);
      }
  }
  return size;
}
