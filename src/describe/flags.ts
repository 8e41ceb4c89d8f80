/** Describes flags for programs and help pages. */
import { longName } from '../declarations/flag.ts';
import { allRows } from '../declarations/settings.ts';
import { variables } from '../declarations/variables.ts';
import type { FlagEntry } from '../tree/entry.ts';
import { globalFlags } from '../tree/flag-entries.ts';

export type FlagRecord = ReturnType<typeof flagRecord>;

export function flagRecord(flag: FlagEntry) {
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

export const globalFlagRecords = globalFlags.filter(({ name }) => name !== '--version').map(flagRecord);

function variablesOf(name: string): readonly string[] {
  const named = Object.values(allRows).flatMap(({ flag, env = [] }) => (flag && longName(flag) === name ? env : []));
  const others = Object.entries(variables).flatMap(([variable, { flag }]) => (flag === name ? [variable] : []));
  return [...named, ...others];
}
