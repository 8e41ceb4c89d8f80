/** Whether an object is an event: it must have at least one known event field. */
import { records } from '../../operations/records.ts';

const known: ReadonlySet<string> = new Set(Object.keys(records.CliEvent ?? {}));

/** How many fields the error names, and how many characters of each name. */
const limits = { fields: 5, characters: 40 };

/**
 * Why an object is not an event, as the end of a sentence. Undefined if it is an event. `fields` come from flags.
 * They make an empty object an event, but not an object that only has unknown fields.
 */
export function eventFault(event: object, fields: object = {}): string | undefined {
  if (hasEventField(event)) return undefined;
  const names = Object.keys(event);
  if (names.length === 0) return hasEventField(fields) ? undefined : 'is not an event: the object has no fields';
  const shown = names
    .slice(0, limits.fields)
    .map((name) => (name.length > limits.characters ? `${name.slice(0, limits.characters)}…` : name));
  if (names.length > limits.fields) shown.push('…');
  return `is not an event: it has no known event field, only ${shown.join(', ')}`;
}

/** Stops at the first known field, which is usually the first one. */
function hasEventField(event: object): boolean {
  for (const name in event) if (known.has(name)) return true;
  return false;
}
