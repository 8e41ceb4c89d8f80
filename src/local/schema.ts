/** Declares `dtp schema`, which describes the commands for programs. */
import type { LocalCommands } from './command.ts';
import { schemaFlags } from './flags.ts';

export const schemaCommands = {
  schema: {
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
    examples: {
      'List all commands': 'dtp schema',
      'List the required flags of a command': "dtp schema code-samples get -r --query 'flags[?required].name'",
    },
  },
} as const satisfies LocalCommands;
