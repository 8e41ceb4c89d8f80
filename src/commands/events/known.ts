/** What makes an object an event: at least one field that is known of events. Anything else is some other document. */
import { records } from '../../operations/records.ts';

const known: ReadonlySet<string> = new Set(Object.keys(records.CliEvent ?? {}));

/** Fields that are named of what is not an event, and characters of each. */
const limits = { fields: 5, characters: 40 };

/**
 * Why an object is not an event, as the end of a sentence; undefined if it is one. `members` are set in it by flags: they
 * make an event of an empty object, but not of another document.
 */
export function eventFault(event: object, members: object = {}): string | undefined {
  if (hasEventField(event)) return undefined;
  const names = Object.keys(event);
  if (names.length === 0)
    return hasEventField(members) ? undefined : 'is not an event: the object has no fields';
  const shown = names
    .slice(0, limits.fields)
    .map((name) => (name.length > limits.characters ? `${name.slice(0, limits.characters)}…` : name));
  if (names.length > limits.fields) shown.push('…');
  return `is not an event: it has no known event field, only ${shown.join(', ')}`;
}

/** Looks no further than the first one: most events begin with one. */
function hasEventField(event: object): boolean {
  for (const name in event) if (known.has(name)) return true;
  return false;
}
