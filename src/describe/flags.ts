/** Describes flags for programs and help pages. */
import { longName } from '../declarations/flag.ts';
import { allRows } from '../declarations/settings.ts';
import { variables } from '../declarations/variables.ts';
import type { FlagEntry } from '../tree/entry.ts';
import { globalFlags } from '../tree/flag-entries.ts';

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

/** Returns the record of a flag for programs and help pages. */
export function flagRecord(flag: FlagEntry): FlagRecord {
  const { name, short, value, preset, type, help, group, required, repeatable, negatable } = flag;
  return {
    name,
    ...(short !== undefined && { short }),
    ...(value !== undefined && { value }),
    ...(preset !== undefined && { value_optional: true }),
    type,
    help,
    group,
    required,
    repeatable,
    negatable,
    ...(flag.default !== undefined && { default: flag.default }),
    ...(flag.choices && { enum: flag.choices }),
    ...(flag.known && { known_values: flag.known }),
    env: group === 'global' ? variablesOf(name) : [],
  };
}

/** The global flags, with their variables. */
export const globalFlagRecords: readonly FlagRecord[] = globalFlags
  .filter(({ name }) => name !== '--version')
  .map(flagRecord);

/** Returns the variables that set the value of a flag, and those that only turn it on. */
function variablesOf(name: string): readonly string[] {
  const named = Object.values(allRows).flatMap(({ flag, env = [] }) => (flag && longName(flag) === name ? env : []));
  const others = Object.entries(variables).flatMap(([variable, { flag }]) => (flag === name ? [variable] : []));
  return [...named, ...others];
}
