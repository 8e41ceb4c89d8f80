/** Declares `dtp help`, which shows the page of a command or a topic, or writes all pages as man pages. */
import type { LocalCommand } from './command.ts';
import { helpFlags } from './flags.ts';

export const helpCommands: readonly LocalCommand[] = [
  {
    words: 'help',
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
    examples: [
      { says: 'Show the help of a command', command: 'dtp help ws tokens create' },
      { says: 'Write the man pages', command: 'dtp help --man man/man1' },
    ],
  },
];
