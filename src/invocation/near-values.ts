/** Finds unknown values that look like typos of known ones. Unknown values are allowed, so they are sent unchanged. */
import type { Meant } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import { inputLimit } from '../limits.ts';
import { type FieldType, typeOf } from '../operations/field-types.ts';
import { type Input, isFile, type Operation } from '../operations/operation.ts';
import { resourceFor } from '../operations/resources.ts';
import { nearest } from '../render/nearest.ts';
import { readAll } from '../request/http.ts';
import { argumentsOf, flagsOf, valuesIn } from '../tree/operation-flags.ts';
import { wordOf } from '../tree/vocabulary.ts';

/** Returns a sentence for each value that looks like a typo, is empty, or is a list where one value is meant. */
export function typoWarnings(
  operation: Operation,
  { args, flags }: { readonly args: readonly string[]; readonly flags: Readonly<Record<string, unknown>> },
): readonly string[] {
  const given = [
    ...argumentsOf(operation).map(([name, field], at) => ({
      label: `<${wordOf(name)}>`,
      type: typeOf(field),
      at,
      isType: false,
    })),
    ...flagsOf(operation).map((flag) => ({
      label: flag.label,
      type: flag,
      at: flag.name,
      // A filter by an unknown type finds nothing.
      isType: flag.field === 'interaction_type',
    })),
  ];
  return given.flatMap(({ label, type, at, isType }) => {
    const known = openValues(type);
    const all: readonly unknown[] = [typeof at === 'number' ? args[at] : flags[at]].flat();
    const texts = all.flatMap((one): readonly unknown[] => (typeof one === 'string' ? valuesIn(type, one) : [one]));
    return texts.flatMap((text) => {
      if (known.length > 0 && (text === '' || String(text).includes(',')))
        return [`unknown ${label} "${text}"; sending it anyway`];
      const near = nearValue(text, known);
      if (near === undefined && isType && typeof text === 'string' && !known.includes(text))
        return [`unknown ${label} "${text}" (known: ${known.join(', ')}); sending it anyway`];
      return near === undefined ? [] : [`unknown ${label} "${text}" (did you mean "${near}"?); sending it anyway`];
    });
  });
}

/** Warns of operation ids that are not in a form's API document. If it has operations without ids, only of typos. */
export async function unknownIdsIn({ operation_ids: ids, schema_file: file }: Input): Promise<readonly string[]> {
  if (!isFile(file) || !Array.isArray(ids)) return [];
  const text = Buffer.from((await readAll(file.open(), inputLimit.bytes)) ?? '').toString();
  const known = [...text.matchAll(/\boperationId["']?\s*:\s*["']?([\w.-]+)/g)].map(([, id = '']) => id);
  const count = [...text.matchAll(/\b(get|put|post|delete|options|head|patch|trace)["']?\s*:/g)].length;
  const name = file.path === '-' ? 'standard input' : (file.path ?? file.name);
  return ids
    .flatMap((id) => (known.includes(id) ? [] : String(id).split(',')))
    .flatMap((id) => {
      const near = nearest(id, known);
      const isKnown = text === '' || !/^[\w.-]+$/.test(id) || known.includes(id);
      if (isKnown || (near === undefined && count > known.length)) return [];
      const all = `; it has ${known.slice(0, 10).join(', ') || 'no operation ids'}`;
      const more = near === undefined ? all : ` (did you mean "${near}"?)`;
      return [`${name} has no operation "${id}"${more}; sending it anyway`];
    });
}

/** Returns the first flag whose value looks like a typo, with the known value that is most similar. */
export function meantValue(operation: Operation, input: Input): Meant | undefined {
  for (const flag of flagsOf(operation)) {
    const value = flag.member === undefined ? input[flag.field] : fieldsOf(input[flag.field])[flag.member];
    const near = nearValue(value, openValues(flag));
    if (near !== undefined) return { flag: `--${flag.name}`, value: near };
  }
  return undefined;
}

/** Returns the namespace in a value such as `petstore:v1`, if the value was passed as the name of a namespace. */
export function meantNamespace(operation: Operation, input: Input): (Meant & { readonly given: string }) | undefined {
  const places = [
    ...argumentsOf(operation).map(([name], argument) => ({ name, given: input[name], place: { argument } })),
    ...flagsOf(operation).map(({ name, field, member }) => ({
      name: member ?? field,
      given: member === undefined ? input[field] : fieldsOf(input[field])[member],
      place: { flag: `--${name}` },
    })),
  ];
  for (const { name, given, place } of places) {
    if (typeof given !== 'string' || resourceFor(operation, name)?.kind !== 'namespaces') continue;
    const [, value] = /^([^@:/]+)[@:]./.exec(given) ?? [];
    if (value !== undefined) return { ...place, value, given };
  }
  return undefined;
}

const nearValue = (value: unknown, known: readonly string[]): string | undefined =>
  typeof value !== 'string' || known.includes(value) ? undefined : nearest(value, known);

const openValues = (type: FieldType): readonly string[] => (type.is === 'enum' && !type.isClosed ? type.values : []);
