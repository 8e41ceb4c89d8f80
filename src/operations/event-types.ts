/** Checks the types of the fields of an event. Unknown fields, and null, are allowed. */
import { eventFields } from './event-fields.ts';
import { parseType } from './field-types.ts';

type EventType = 'string' | 'integer' | 'boolean';

/** The type of each known field. A time is a string here. */
export const eventTypes: ReadonlyMap<string, EventType> = new Map(
  Object.entries(eventFields).map(([name, [type]]) => {
    const { kind } = parseType(type);
    return [name, kind === 'boolean' || kind === 'integer' ? kind : 'string'] as const;
  }),
);

const expected: Readonly<Record<EventType, string>> = {
  string: 'a string',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** Whether a value is a whole number. One that is too large for a number is read as infinite. */
const isWhole = (value: unknown): boolean =>
  Number.isInteger(value) || (typeof value === 'number' && Math.abs(value) === Number.POSITIVE_INFINITY);

/** Returns the first field with a value of another type, as `success must be true or false`. Undefined if all fit. */
export function eventTypeFault(event: Readonly<Record<string, unknown>>): string | undefined {
  for (const name in event) {
    const type = eventTypes.get(name);
    const value = event[name];
    if (type === undefined || value === null || value === undefined) continue;
    const fits = type === 'integer' ? isWhole(value) : typeof value === type;
    if (!fits) return `${name} must be ${expected[type]}`;
  }
  return undefined;
}
