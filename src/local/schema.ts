/** `dtp schema [COMMAND…]`: what there is to be called, for programs. */
import type { FlagSpecs } from '../tree/flag-spec.ts';
import { type LocalCommand, localCommand } from './command.ts';

/** Of `dtp schema`. */
export const schemaFlags = {
  all: { help: 'every command with all that is known of it' },
  jsonSchema: { help: 'the JSON Schema of what is printed' },
} as const satisfies FlagSpecs;

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
