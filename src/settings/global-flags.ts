/** Adds the global flags to the command tree. */
import type { Command } from 'commander';
import { InvalidArgumentError, Option } from 'commander';
import type { Row } from '../declarations/row.ts';
import { allRows } from '../declarations/settings.ts';
import type { Globals } from '../declarations/types.ts';
import { longName } from './flag-names.ts';

export type { Globals } from '../declarations/types.ts';

/** Whether the request is only shown, not sent. */
export const isUnsent = ({ dryRun, curl }: Globals): boolean => dryRun === true || curl === true;

/** Keyed by flag, because two settings may share one. */
const flagRows: ReadonlyMap<string, Row> = new Map(
  Object.values(allRows).flatMap((row) => (row.flag === undefined ? [] : [[row.flag, row] as const])),
);

/** Names of other flags that commands share, which must not become the flag of a field. */
const reserved = ['help', 'version', 'field', 'raw-field', 'skeleton'];

/** Long names without dashes. The flag of a field with such a name would never be read. */
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

/** Rejects a flag as a value, which commander would accept. No value of these flags starts with two dashes. */
function noFlag(value: string): string {
  if (/^--[a-z]/.test(value)) throw new InvalidArgumentError(`It needs a value; ${value} is a flag.`);
  return value;
}
