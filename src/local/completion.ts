/** Declares `dtp completion`, which prints or installs a shell completion script. */
import type { LocalCommand } from './command.ts';
import { completionFlags } from './flags.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'];

export const completionCommands: readonly LocalCommand[] = [
  {
    words: 'completion',
    summary: 'Print or install a shell completion script',
    effect: 'read',
    args: [{ name: 'shell', required: true, help: shells.join(', '), choices: shells }],
    flags: completionFlags,
    way: { collectFaults: true },
    examples: [
      { says: 'Install the script for the shell fish', command: 'dtp completion fish --install' },
      { says: 'Enable completions in the current shell', command: 'source <(dtp completion bash)' },
    ],
  },
];
