/** Values that nobody knows and that are near one that is known: they are legal, and sent as they are, with a note. */
import type { Given } from '../../input/read.ts';
import type { Operation } from '../../operations/operation.ts';
import { values } from '../../operations/records.ts';
import { nearest } from '../../render/nearest.ts';
import { argumentsOf, flagsOf, kebab } from '../../tree/operation-flags.ts';

/** A sentence for each. */
export function strangeValues(operation: Operation, { args, flags }: Given): readonly string[] {
  const given = [
    ...argumentsOf(operation).map(([name, { record = '' }], index) => ({
      label: `<${kebab(name)}>`,
      known: values[record] ?? [],
      texts: [args[index]],
    })),
    ...flagsOf(operation).map(({ name, values: known = [], closed }) => ({
      label: `--${name}`,
      known: closed ? [] : known,
      texts: [flags[name]].flat(),
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
