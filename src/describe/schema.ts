/** Builds the output of `dtp schema`: an index of commands, the record of one command, or all records. */
import type { CommandEntry } from '../tree/entry.ts';
import { allBelow, rootCommand, runnableBelow } from '../tree/tree.ts';
import { version } from '../version.ts';
import { type CommandRecord, describe, describeGroup, exitCodeRows, globalFlagRecords } from './describe.ts';

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
export function schemaOf(entry: CommandEntry): Readonly<Record<string, unknown>> {
  const commands = () => runnableBelow(entry).map((one) => line(describe(one)));
  if (entry === rootCommand) return { ...head('index'), commands: commands() };
  if (entry.commands.length > 0) return { ...head('group'), ...describeGroup(entry), commands: commands() };
  return { ...head('command'), ...describe(entry), global_flags: globalFlagRecords };
}

/** Returns one document with the global flags, the exit codes, and the records of all nouns and commands. */
export const wholeSchema = (): Readonly<Record<string, unknown>> => ({
  ...head('all'),
  global_flags: globalFlagRecords,
  exit_codes: exitCodeRows,
  groups: allBelow(rootCommand)
    .filter((one) => one !== rootCommand && one.commands.length > 0)
    .map(describeGroup),
  commands: runnableBelow(rootCommand).map(describe),
});
