/** Notes on unknown values that look like typos of known ones. They are allowed, and sent unchanged. */
import type { Given } from '../../input/read.ts';
import { type FieldType, typeOf } from '../../operations/field-types.ts';
import type { Operation } from '../../operations/operation.ts';
import { nearest } from '../../render/nearest.ts';
import { argumentsOf, flagsOf, kebab } from '../../tree/operation-flags.ts';

/** One sentence for each unknown value. */
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
      const near = nearest(text, known);
      if (near === undefined) return [];
      return [`unknown ${label} "${text}" (did you mean "${near}"?); sending it anyway`];
    }),
  );
}

const openValues = (type: FieldType): readonly string[] =>
  type.is === 'enum' && !type.isClosed ? type.values : [];
