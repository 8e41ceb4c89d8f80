/** Converts the commander options of commands to records of flags. */
import type { Command, Option } from 'commander';
import { allRows } from '../declarations/settings.ts';
import { variables } from '../declarations/variables.ts';
import { longName } from '../settings/flag-names.ts';

export interface FlagRecord {
  /** The long name, with dashes. */
  readonly name: string;
  readonly short?: string;
  /** The placeholder of the value in a usage line. Absent for a switch. */
  readonly value?: string;
  /** Whether the flag can be used without its value. */
  readonly value_optional?: true;
  readonly type: 'string' | 'integer' | 'boolean' | 'datetime' | 'duration' | 'json' | 'file';
  readonly help: string;
  readonly group: 'required' | 'filters' | 'inputs' | 'body' | 'members' | 'flow' | 'options' | 'global';
  readonly required: boolean;
  readonly repeatable: boolean;
  /** Whether the flag also has a `--no-` form. */
  readonly negatable: boolean;
  readonly default?: string | boolean;
  /** The only allowed values. */
  readonly enum?: readonly string[];
  /** The known values. Others are allowed. */
  readonly known_values?: readonly string[];
  /** The environment variables with the same effect. */
  readonly env: readonly string[];
}

/** Describes a flag. `facts` override the properties that are derived from the option. */
export function flagOf(option: Option, facts: Partial<FlagRecord> & Pick<FlagRecord, 'group'>): FlagRecord {
  const { short, mandatory, argChoices, defaultValue: initial } = option;
  const value = /[<[]([^>\]]+?)(?:\.\.\.)?[>\]]/.exec(option.flags)?.[1];
  const isList = Array.isArray(initial);
  return {
    name: option.long ?? '',
    ...(short !== undefined && { short }),
    ...(value !== undefined && { value }),
    ...(option.optional && { value_optional: true }),
    type: value === undefined ? 'boolean' : (types[value] ?? 'string'),
    help: option.description,
    required: mandatory,
    repeatable: isList || option.variadic,
    negatable: false,
    ...(initial !== undefined && !isList && { default: initial }),
    ...(argChoices && { enum: argChoices }),
    env: [],
    ...facts,
  };
}

/** The type of a value by its placeholder, unless `facts` override it. */
const types: Readonly<Record<string, FlagRecord['type']>> = {
  number: 'integer',
  time: 'duration',
  json: 'json',
  file: 'file',
};

/** Describes the global flags, with their variables. */
export const globalFlags = (program: Command): readonly FlagRecord[] =>
  program.options
    .filter(({ long, hidden }) => !hidden && long !== '--version')
    .map((option) => flagOf(option, { group: 'global', env: variablesOf(option) }));

/** Returns the variables that set the value of a flag, and those that only turn it on. */
function variablesOf(option: Option): readonly string[] {
  const named = Object.values(allRows).flatMap(({ flag = '', env = [] }) =>
    longName(flag) === option.long ? env : [],
  );
  const others = Object.entries(variables).flatMap(([name, { flag }]) =>
    flag === option.long ? [name] : [],
  );
  return [...named, ...others];
}
