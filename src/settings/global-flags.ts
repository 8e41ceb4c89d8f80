/** Adds the global flags to the command tree. */
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Row } from '../declarations/row.ts';
import { allRows } from '../declarations/settings.ts';
import type { Globals } from '../declarations/types.ts';
import { longName } from './flag-names.ts';

export type { Globals } from '../declarations/types.ts';

/** Whether the request is shown instead of sent (`--dry-run` or `--curl`). */
export const isUnsent = ({ dryRun, curl }: Globals): boolean => dryRun === true || curl === true;

/** The declarations by flag, because two settings may share a flag. */
const flagRows: ReadonlyMap<string, Row> = new Map(
  Object.values(allRows).flatMap((row) => (row.flag === undefined ? [] : [[row.flag, row] as const])),
);

/** The names of other shared flags. A field must not get a flag with one of these names. */
const reserved = ['help', 'version', 'field', 'raw-field', 'skeleton'];

/** The long names of all shared flags, without dashes. A field with such a name would get a flag that is never read. */
export const globalNames: ReadonlySet<string> = new Set([
  ...[...flagRows.keys()].map((flag) => longName(flag).slice(2)),
  ...reserved,
]);

export function addGlobals(program: Command): void {
  program.optionsGroup('Options of every command:');
  for (const [flag, row] of flagRows) {
    const takes = row.kind !== undefined && row.takes !== undefined ? `: ${row.takes}` : '';
    const empty = row.kind !== undefined && row.empty !== undefined ? `; '' for ${row.empty}` : '';
    const more = takes + empty;
    const option = new Option(flag, row.help + more);
    const choices = row.kind === 'boolean' ? undefined : row.must?.choices;
    program.addOption(choices ? option.choices([...choices]) : option.argParser(noFlag));
  }
}

/** Rejects a value that looks like a flag, because commander would accept it. No valid value starts with two dashes. */
function noFlag(value: string): string {
  if (/^--[a-z]/.test(value)) throw new InvalidArgumentError(`It needs a value, but ${value} is a flag.`);
  return value;
}
