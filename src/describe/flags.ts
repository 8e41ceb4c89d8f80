/** Options of the command tree → records of flags. */
import type { Command, Option } from 'commander';
import { allRows } from '../declarations/settings.ts';
import { variables } from '../declarations/variables.ts';
import { longName } from '../settings/flag-names.ts';

export interface FlagRecord {
  /** The long name with its dashes. */
  readonly name: string;
  readonly short?: string;
  /** The placeholder of its value in a usage line; a switch has no value. */
  readonly value?: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'datetime' | 'duration' | 'json' | 'file';
  readonly help: string;
  readonly group: 'required' | 'filters' | 'inputs' | 'body' | 'members' | 'flow' | 'options' | 'global';
  readonly required: boolean;
  readonly repeatable: boolean;
  /** Whether there is a `--no-` form beside it. */
  readonly negatable: boolean;
  readonly default?: string | boolean;
  /** The only values. */
  readonly enum?: readonly string[];
  /** Values that are known; others are legal. */
  readonly known_values?: readonly string[];
  /** The variables that say the same. */
  readonly env: readonly string[];
}

/** A flag as the tree has it; `facts` are what is known better elsewhere. */
export function flagOf(option: Option, facts: Partial<FlagRecord> & Pick<FlagRecord, 'group'>): FlagRecord {
  const { short, mandatory, argChoices, defaultValue: initial } = option;
  const value = /[<[]([^>\]]+?)(?:\.\.\.)?[>\]]/.exec(option.flags)?.[1];
  const isList = Array.isArray(initial);
  return {
    name: option.long ?? '',
    ...(short !== undefined && { short }),
    ...(value !== undefined && { value }),
    type: value === undefined ? 'boolean' : (types[value] ?? 'string'),
    help: option.description,
    required: mandatory,
    // A flag that gathers says so in its help; commander does not know of it.
    repeatable: isList || option.variadic || option.description.includes('may be repeated'),
    negatable: false,
    ...(initial !== undefined && !isList && { default: initial }),
    ...(argChoices && { enum: argChoices }),
    env: [],
    ...facts,
  };
}

/** The types that follow from a placeholder, if no record says more. */
const types: Readonly<Record<string, FlagRecord['type']>> = {
  number: 'integer',
  days: 'integer',
  time: 'duration',
  json: 'json',
  file: 'file',
};

/** The flags of every command, with their variables. */
export const globalFlags = (program: Command): readonly FlagRecord[] =>
  program.options
    .filter(({ long, hidden }) => !hidden && long !== '--version')
    .map((option) => flagOf(option, { group: 'global', env: variablesOf(option) }));

/** The variables that hold its value, and those that only say yes. */
function variablesOf(option: Option): readonly string[] {
  const named = Object.values(allRows).flatMap(({ flag = '', env = [] }) =>
    longName(flag) === option.long ? env : [],
  );
  const others = Object.entries(variables).flatMap(([name, { flag }]) =>
    flag === option.long ? [name] : [],
  );
  return [...named, ...others];
}
