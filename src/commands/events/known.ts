/** Decides whether an object is an event, which has at least one known field, and finds misspelled names of fields. */
import { messageOf } from '../../caught.ts';
import { checkMember } from '../../input/kinds.ts';
import { usualEventFields } from '../../operations/event-fields.ts';
import { type FieldType, parseType } from '../../operations/field-types.ts';
import { records } from '../../operations/records.ts';
import { nearest } from '../../render/nearest.ts';

const types = new Map(Object.entries(records.CliEvent ?? {}).map(([name, [text]]) => [name, parseType(text)]));
const known: ReadonlySet<string> = new Set(types.keys());

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

/**
 * Warns once about each unknown field that probably means a known one, and once about each known field and each type of
 * value that it should not have, because no filter finds such an event. Programs repeat the same few names.
 */
export function openFieldCheck(warn: (text: string) => void) {
  const seen = new Set<string>();
  return (event: object, place: string): void => {
    for (const [name, value] of Object.entries(event)) {
      const id = `${name} ${Array.isArray(value) ? 'list' : typeof value}`;
      if (seen.has(id) || seen.size >= 400) continue;
      const type = types.get(name);
      const fault = type ? typeFault(name, type, value) : unknownFault(name, seen);
      if (fault !== undefined) warn(`${place}${fault}; sending it anyway`);
      // One string may be a time and another one not, but all numbers are wrong in the same way.
      if (fault !== undefined || typeof value !== 'string') seen.add(id);
    }
  };
}

function unknownFault(name: string, seen: Set<string>): string | undefined {
  const meant = seen.has(name) ? '' : meantField(name);
  seen.add(name);
  return meant === '' ? undefined : `unknown field "${name}"${meant}`;
}

/** Why a value is of the wrong type. Null is the same as no value, and open lists allow any string (records.md). */
function typeFault(name: string, type: FieldType, value: unknown): string | undefined {
  if (value === null) return undefined;
  try {
    checkMember(name, type, value);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
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
