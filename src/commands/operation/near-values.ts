/** Values that nobody knows and that are near one that is known: they are legal, and sent as they are, with a note. */
import type { Given } from '../../input/read.ts';
import { type FieldType, typeOf } from '../../operations/field-types.ts';
import type { Operation } from '../../operations/operation.ts';
import { nearest } from '../../render/nearest.ts';
import { argumentsOf, flagsOf, kebab } from '../../tree/operation-flags.ts';

/** A sentence for each. */
export function strangeValues(operation: Operation, { args, flags }: Given): readonly string[] {
  const given = [
    ...argumentsOf(operation).map(([name, field], index) => ({
      label: `<${kebab(name)}>`,
      known: openValues(typeOf(field)),
      texts: [args[index]],
    })),
    ...flagsOf(operation).map((flag) => ({
      label: `--${flag.name}`,
      known: openValues(flag),
      texts: [flags[flag.name]].flat(),
    })),
  ];
  return given.flatMap(({ label, known, texts }) =>
    texts.flatMap((text) => {
      if (typeof text !== 'string' || known.includes(text)) return [];
      const meant = nearest(text, known);
      return meant === undefined ? [] : [`${label} ${text} is sent as it is; did you mean ${meant}?`];
    }),
  );
}

const openValues = (type: FieldType): readonly string[] =>
  type.is === 'enum' && !type.isClosed ? type.values : [];
