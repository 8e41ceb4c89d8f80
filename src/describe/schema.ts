/** The output of `dtp schema`: the index of all commands, the commands of a noun, one command in full, or everything. */
import type { Command } from 'commander';
import { version } from '../version.ts';
import { type CommandRecord, describe, describeGroup, groupsOf, leavesOf } from './describe.ts';
import { exitCodeRows } from './exit-codes.ts';
import { globalFlags } from './flags.ts';

/** Increased if a program that reads the old version would misread the new one, but not for additions. */
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

/** Returns the index for the root, its commands for a noun, and the record for a command. */
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
