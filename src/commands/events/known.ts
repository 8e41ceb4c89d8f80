/** Decides whether an object is an event, which has at least one known field, and finds misspelled names of fields. */
import { usualEventFields } from '../../operations/event-fields.ts';
import { records } from '../../operations/records.ts';
import { nearest } from '../../render/nearest.ts';

const known: ReadonlySet<string> = new Set(Object.keys(records.CliEvent ?? {}));

/**
 * Returns the known field that an unknown one probably means, as the end of a phrase, or '' if none is similar: the API
 * allows other fields. A short form such as `type` means a usual field, but `generate` begins too many names.
 */
export function meantField(name: string): string {
  if (known.has(name) || name === '') return '';
  const full = usualEventFields.find((field) => field.startsWith(`${name}_`) || field.endsWith(`_${name}`));
  const alike = [...known].filter((field) => field.length <= name.length + 3 || !field.startsWith(name));
  const meant = full ?? nearest(name, alike);
  return meant === undefined ? '' : ` (did you mean "${meant}"?)`;
}

/** Warns once about each unknown field that probably means a known one. Programs repeat the same few names. */
export function openNameCheck(warn: (text: string) => void) {
  const seen = new Set<string>();
  return (event: object, place: string): void => {
    for (const name of Object.keys(event).filter((one) => !seen.has(one) && seen.size < 200)) {
      const meant = meantField(name);
      if (meant !== '') warn(`${place}unknown field "${name}"${meant}; sending it anyway`);
      seen.add(name);
    }
  };
}

/** How many fields the error names, and how many characters of each name. */
const limits = { fields: 5, characters: 40 };

/**
 * Why an object is not an event, as the end of a sentence. Undefined if it is an event. `fields` come from flags.
 * They make an empty object an event, but not an object that only has unknown fields.
 */
export function eventFault(event: object, fields: object = {}): string | undefined {
  if (hasEventField(event)) return undefined;
  const own = Object.keys(event);
  if (own.length === 0 && hasEventField(fields)) return undefined;
  const names = own.length === 0 ? Object.keys(fields) : own;
  if (names.length === 0) return 'is not an event: the object has no fields';
  const shown = names
    .slice(0, limits.fields)
    .map((name) =>
      name.length > limits.characters ? `${name.slice(0, limits.characters)}…` : name + meantField(name),
    );
  if (names.length > limits.fields) shown.push('…');
  return `is not an event: it has no known event field, only ${shown.join(', ')}`;
}

/** Stops at the first known field, which is usually the first one. */
function hasEventField(event: object): boolean {
  for (const name in event) if (known.has(name)) return true;
  return false;
}
