/** The flags that every command has, as commander has them. */
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Row } from '../declarations/row.ts';
import { allRows } from '../declarations/settings.ts';
import type { Globals } from '../declarations/types.ts';
import { longName } from './flag-names.ts';

export type { Globals } from '../declarations/types.ts';

/** Whether the request is only shown. */
export const isUnsent = ({ dryRun, curl }: Globals): boolean => dryRun === true || curl === true;

/** Two settings may share a flag. */
const flagRows: ReadonlyMap<string, Row> = new Map(
  Object.values(allRows).flatMap((row) => (row.flag === undefined ? [] : [[row.flag, row] as const])),
);

/** Names that later flags of every command will take, so that no field's flag takes them first. */
const reserved = ['help', 'version', 'field', 'raw-field', 'skeleton'];

/** Long names without dashes; a field's flag of such a name would be swallowed. */
export const globalNames: ReadonlySet<string> = new Set([
  ...[...flagRows.keys()].map((flag) => longName(flag).slice(2)),
  ...reserved,
]);

export function addGlobals(program: Command): void {
  program.optionsGroup('Options of every command:');
  for (const [flag, row] of flagRows) {
    const more = row.kind !== undefined && row.empty !== undefined ? `; '' for ${row.empty}` : '';
    const option = new Option(flag, row.help + more);
    const choices = row.kind === 'boolean' ? undefined : row.must?.choices;
    program.addOption(choices ? option.choices([...choices]) : option.argParser(noFlag));
  }
}

/** commander would take the next flag for the value. No value of these flags begins so. */
function noFlag(value: string): string {
  if (/^--[a-z]/.test(value)) throw new InvalidArgumentError(`It needs a value; ${value} is a flag.`);
  return value;
}
