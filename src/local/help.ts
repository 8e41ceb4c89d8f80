/** `dtp help [COMMAND…|TOPIC]`: the page of a command or a topic, or all of them as manual pages. */
import { type LocalCommand, localCommand } from './command.ts';
import { helpFlags } from './flags.ts';

export const helpCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'help',
    summary: 'Print the help of a command or a topic',
    effect: 'read',
    args: [
      { name: '[command...]', help: 'its words, such as: ws tokens create; or a topic, such as exit-codes' },
    ],
    flags: helpFlags,
    way: { mending: true },
    examples: [
      { says: 'The help of a command', command: 'dtp help ws tokens create' },
      { says: 'A manual for man(1)', command: 'dtp help --man man/man1' },
    ],
    run: async () => ({ run: (await import('../commands/help/help.ts')).help }),
  }),
];
