/** What `dtp schema` prints: the index of all commands, those of a noun, one with all that is known of it, or everything. */
import type { Command } from 'commander';
import { version } from '../version.ts';
import { type CommandRecord, describe, describeGroup, groupsOf, leavesOf } from './describe.ts';
import { exitCodeRows } from './exit-codes.ts';
import { globalFlags } from './flags.ts';

/** Raised where a reader of the old one would read the new one wrongly; not where something is added. */
export const SCHEMA_VERSION = 1;

const head = (kind: 'index' | 'group' | 'command' | 'all') => ({
  schema_version: SCHEMA_VERSION,
  kind,
  tool: 'dtp',
  version,
});

const line = ({ command, aliases, summary, effect, operation, deprecated }: CommandRecord) => ({
  command,
  summary,
  effect,
  ...(operation !== undefined && { operation }),
  ...(deprecated !== undefined && { deprecated }),
  ...(aliases.length > 0 && { aliases }),
});

/** Of the root the index, of a noun its commands, of a command its record. */
export function schemaOf(program: Command, command: Command): Readonly<Record<string, unknown>> {
  if (command === program)
    return { ...head('index'), commands: leavesOf(program).map((one) => line(describe(one))) };
  if (command.commands.length > 0)
    return {
      ...head('group'),
      ...describeGroup(command),
      commands: leavesOf(command).map((one) => line(describe(one))),
    };
  return { ...head('command'), ...describe(command), global_flags: globalFlags(program) };
}

/** Everything in one document. */
export const wholeSchema = (program: Command): Readonly<Record<string, unknown>> => ({
  ...head('all'),
  global_flags: globalFlags(program),
  exit_codes: exitCodeRows,
  groups: groupsOf(program).map(describeGroup),
  commands: leavesOf(program).map(describe),
});
