/** Declares `dtp schema`, which describes the commands for programs. */
import type { LocalCommand } from './command.ts';
import { schemaFlags } from './flags.ts';

export const schemaCommands: readonly LocalCommand[] = [
  {
    words: 'schema',
    summary: 'Print the schema of a command as JSON',
    effect: 'read',
    args: [
      {
        name: 'command',
        many: true,
        help: 'a command, such as ws tokens create (default: a list of all commands)',
      },
    ],
    flags: schemaFlags,
    way: { collectFaults: true },
    examples: [
      { says: 'List all commands', command: 'dtp schema' },
      {
        says: 'List the required flags of a command',
        command: "dtp schema code-samples get -r --query 'flags[?required].name'",
      },
    ],
  },
];
