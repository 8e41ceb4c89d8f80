/** `dtp completion SHELL`, and what the scripts that it prints ask. */
import { type LocalCommand, localCommand } from './command.ts';
import { completionFlags } from './flags.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'];

export const completionCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'completion',
    summary: 'Print the completion script of a shell, or install it',
    effect: 'read',
    args: [{ name: '<shell>', help: shells.join(', '), choices: shells }],
    flags: completionFlags,
    way: { mending: true },
    examples: [
      { says: 'Put the script where the shell looks for it', command: 'dtp completion fish --install' },
      { says: 'For this shell alone', command: 'source <(dtp completion bash)' },
    ],
    run: async () => ({ run: (await import('../commands/completion/script.ts')).complete }),
  }),
];
