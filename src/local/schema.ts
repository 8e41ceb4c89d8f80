/** `dtp schema [COMMAND…]`: what there is to be called, for programs. */
import { type LocalCommand, localCommand } from './command.ts';
import { schemaFlags } from './flags.ts';

export const schemaCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'schema',
    summary: 'Print what a command takes and does, for programs',
    effect: 'read',
    args: [
      {
        name: '[command...]',
        help: 'its words, such as: ws tokens create; an index of all where there are none',
      },
    ],
    flags: schemaFlags,
    way: { mending: true },
    examples: [
      { says: 'All commands with what they do', command: 'dtp schema' },
      {
        says: 'The flags of one that must be given',
        command: "dtp schema reports upload -r --query 'flags[?required].name'",
      },
    ],
    run: async () => ({ run: (await import('../commands/help/schema.ts')).printSchema }),
  }),
];
