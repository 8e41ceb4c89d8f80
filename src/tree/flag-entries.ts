/** Makes the records of flags: global flags, the flags of operations, and those of flows and local commands. */
import type { FlagForm, FlagSpecs } from '../declarations/flag.ts';
import type { SettingDeclaration } from '../declarations/row.ts';
import type { Operation } from '../operations/operation.ts';
import { globalFlagDeclarations, globalNames } from '../settings/global-flags.ts';
import type { FlagEntry } from './entry.ts';
import { bodyFlags, flowFlags } from './flow-flags.ts';
import { type Flag, flagsOf, isRequired, timeForms } from './operation-flags.ts';
import { kebab, shortForms } from './vocabulary.ts';

/** The types of values by placeholder. Other values are strings. */
const types: Readonly<Record<string, FlagEntry['type']>> = {
  number: 'integer',
  time: 'duration',
  json: 'json',
  file: 'file',
};

/** The names of a flag with dashes, the placeholder of its value, and the type that belongs to the placeholder. */
const formOf = ({ name, short, value }: FlagForm): Pick<FlagEntry, 'name' | 'short' | 'value' | 'type'> => ({
  name: `--${name}`,
  ...(short !== undefined && { short: `-${short}` }),
  ...(value !== undefined && { value }),
  type: value === undefined ? 'boolean' : (types[value] ?? 'string'),
});

const plain = { required: false, isAsked: false, repeatable: false, negatable: false, isHidden: false } as const;

/** The flags of `dtp` itself, which every command accepts. */
export const globalFlags: readonly FlagEntry[] = [
  { ...plain, ...formOf({ name: 'version', short: 'V' }), group: 'global', ...bothHelps('print the version') },
  ...[...globalFlagDeclarations.values()].map(({ flag, row }): FlagEntry => {
    const choices = row.kind === 'boolean' ? undefined : row.must?.choices;
    return { ...plain, ...formOf(flag), group: 'global', ...(choices && { choices }), ...bothHelps(globalHelp(row)) };
  }),
];

function globalHelp(row: SettingDeclaration): string {
  const takes = row.kind !== undefined && row.takes !== undefined ? `: ${row.takes}` : '';
  const empty = row.kind !== undefined && row.empty !== undefined ? `; '' for ${row.empty}` : '';
  return row.help + takes + empty;
}

function bothHelps(help: string): Pick<FlagEntry, 'help' | 'brief'> {
  return { help, brief: help };
}

export const operationFlags = (operation: Operation): readonly FlagEntry[] => [
  ...flagsOf(operation).flatMap((flag) => fieldEntries(flag, operation)),
  ...flagEntries(bodyFlags(operation), 'body'),
  ...flagEntries(flowFlags(operation), 'flow'),
];

/** The flags of a flow or a local command. */
export function flagEntries(specs: FlagSpecs, group: FlagEntry['group']): readonly FlagEntry[] {
  return Object.entries(specs).map(([key, flag]): FlagEntry => {
    const { preset, choices, variadic, isEarlier, default: initial } = flag;
    return {
      ...plain,
      ...formOf({ ...flag, name: `${flag.isNegated ? 'no-' : ''}${kebab(key)}` }),
      ...(preset !== undefined && { preset }),
      ...(choices && { choices }),
      ...(variadic && { variadic }),
      ...(isEarlier && { isEarlier }),
      ...(initial !== undefined && { default: initial }),
      group,
      repeatable: flag.many === true,
      negatable: isNegatable(key, specs),
      isHidden: flag.isHidden === true,
      ...bothHelps(flag.help),
    };
  });
}

/** Whether the record has a separate flag that turns this one off, such as `noSuccess` for `success`. */
const isNegatable = (key: string, specs: FlagSpecs): boolean =>
  Object.keys(specs).some((other) => other !== key && kebab(other) === `no-${kebab(key)}`);

const neverShown = { required: false, isHidden: true, isEarlier: true } as const;

const placeholders = { string: 'string', integer: 'number', datetime: 'time', json: 'json', file: 'file' } as const;

/** The flags of a field. Hidden are `--no-NAME`, the API's own name, and flags for arguments and parts of `--repo`. */
function fieldEntries(flag: Flag, operation: Operation): readonly FlagEntry[] {
  const field = operation.input[flag.field];
  // A field of a record, or the record itself, can also be passed in another way. So can an operand.
  const isRecord = flag.is === 'record' && flagsOf(operation).some((one) => one.field === flag.field && one.member);
  const isLoose = flag.member !== undefined || isRecord || flag.field === operation.operand;
  const required = flag.required && !isLoose && isRequired(operation, flag.field);
  const initial = flag.member === undefined ? field?.default : undefined;
  const isShown = flag.label === `--${flag.name}`;
  const short = shortForms[flag.name];
  const entry: FlagEntry = {
    name: `--${flag.name}`,
    ...(short !== undefined && { short: `-${short}` }),
    type: flag.kind,
    field: flag.field,
    group: required && isShown ? 'required' : groupOf(flag, operation),
    required: required && isShown,
    isAsked: true,
    repeatable: flag.many,
    negatable: flag.kind === 'boolean',
    isHidden: flag.setBy === 'service' || !isShown,
    ...(!isShown && { isEarlier: true }),
    ...(flag.kind !== 'boolean' && { value: flag.value ?? placeholders[flag.kind] }),
    ...(initial !== undefined && { default: initial }),
    ...(flag.is === 'enum' && (flag.isClosed ? { choices: flag.values } : { known: flag.values })),
    ...helpsOf(flag),
  };
  const { short: _, ...rest } = entry;
  const group = groupOf(flag, operation);
  const earlier = { ...rest, name: `--${flag.earlier}`, present: entry.name, group, ...neverShown } as const;
  const all: readonly FlagEntry[] = flag.earlier === undefined ? [entry] : [entry, earlier];
  if (flag.kind !== 'boolean') return all;
  return all.flatMap((one) => [one, { ...one, name: `--no-${one.name.slice(2)}`, negatable: false, isHidden: true }]);
}

function helpsOf(flag: Flag): Pick<FlagEntry, 'help' | 'brief'> {
  const all = flag.is === 'enum' ? flag.values.join(', ') : undefined;
  const values = all === undefined ? [] : [flag.is === 'enum' && flag.isClosed ? all : `known: ${all}`];
  const more = [
    ...(flag.kind === 'datetime' ? [timeForms[flag.direction ?? 'past']] : []),
    ...(flag.setBy === 'filled' ? ['filled in if left out'] : []),
    ...(globalNames.has(flag.name) ? [`the global --${flag.name} goes in front of the command`] : []),
  ];
  const repeated = flag.many ? ' (may be repeated)' : '';
  const withNotes = (notes: readonly string[]) =>
    flag.help + (notes.length === 0 ? '' : ` (${notes.join('; ')})`) + repeated;
  return { help: withNotes([...values, ...more]), brief: withNotes(more) };
}

function groupOf({ member, field: name }: Flag, { input, method }: Operation): FlagEntry['group'] {
  const place = input[name]?.in;
  if (member !== undefined) return 'members';
  // The API document declares a body for one GET. Its fields are in the group `body`, like those of other bodies.
  if (name === 'body' || place === 'member' || place === 'part') return 'body';
  return place === 'query' && method === 'GET' ? 'filters' : 'inputs';
}
