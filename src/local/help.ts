/** Declares `dtp help`, which shows the page of a command or a topic, or writes all pages as man pages. */
import type { LocalCommands } from './command.ts';
import { helpFlags } from './flags.ts';

export const helpCommands = {
  help: {
    summary: 'Show help for a command or a topic',
    effect: 'read',
    args: [
      {
        name: 'command',
        many: true,
        help: 'a command, such as ws tokens create, or a topic, such as formats',
      },
    ],
    flags: helpFlags,
    way: { collectFaults: true },
    examples: {
      'Show the help of a command': 'dtp help ws tokens create',
      'Write the man pages': 'dtp help --man man/man1',
    },
  },
} as const satisfies LocalCommands;
