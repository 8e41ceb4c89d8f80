/** Builds the output of `dtp schema`: an index of commands, the record of one command, or all records. */
import type { Command } from 'commander';
import { version } from '../version.ts';
import { type CommandRecord, describe, describeGroup, groupsOf, leavesOf } from './describe.ts';
import { exitCodeRows } from './exit-codes.ts';
import { globalFlags } from './flags.ts';

/** Increased only if a program for the old version would misread the new output. Additions do not increase it. */
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

/** Returns an index of all commands for the tool itself, an index of its commands for a noun, or a command's record. */
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

/** Returns one document with the global flags, the exit codes, and the records of all nouns and commands. */
export const wholeSchema = (program: Command): Readonly<Record<string, unknown>> => ({
  ...head('all'),
  global_flags: globalFlags(program),
  exit_codes: exitCodeRows,
  groups: groupsOf(program).map(describeGroup),
  commands: leavesOf(program).map(describe),
});
