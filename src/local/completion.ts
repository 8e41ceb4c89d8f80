/** `dtp completion SHELL`, and what the scripts that it prints ask. */
import type { FlagSpecs } from '../tree/flag-spec.ts';
import { type LocalCommand, localCommand } from './command.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'];

/** Of `dtp completion`. */
export const completionFlags = {
  install: { help: 'write it where the shell looks for it, for this user' },
} as const satisfies FlagSpecs;

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
