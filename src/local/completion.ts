/** Declares `dtp completion`, which prints or installs a shell completion script. */
import type { LocalCommands } from './command.ts';
import { completionFlags } from './flags.ts';

const shells = ['bash', 'zsh', 'fish', 'powershell'];

export const completionCommands = {
  completion: {
    summary: 'Print or install a shell completion script',
    effect: 'read',
    args: [{ name: 'shell', required: true, help: shells.join(', '), choices: shells }],
    flags: completionFlags,
    way: { collectFaults: true },
    examples: {
      'Install the script for the shell fish': 'dtp completion fish --install',
      'Enable completions in the current shell': 'source <(dtp completion bash)',
    },
  },
} as const satisfies LocalCommands;
