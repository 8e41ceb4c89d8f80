/** Declares `dtp init`, which sets up dtp and is usually the first command that a user runs. */
import type { LocalCommands } from './command.ts';
import { initFlags } from './flags.ts';

export const initCommands = {
  init: {
    summary: 'Connect to a service, or try everything locally',
    effect: 'write',
    sends: true,
    ends: ['cancelled', 'kept'],
    flags: initFlags,
    way: { login: true, stores: true },
    names: false,
    notes: [
      'On a terminal, it prompts for what the flags leave out, and offers the current values as defaults. Run it again at any time: it never replaces the credential of another service or an existing file.',
      '--sample only writes files to a new folder, and prints commands to try with them.',
      'Without a terminal, it needs --local, or --base-url and --with-token.',
    ],
    examples: {
      'Try everything locally, without an account': 'dtp init --local',
      'Set up a service in a script': `dtp init --profile main --base-url https://api.example.com \\
  --with-token --folder-file --no-event < key.txt`,
    },
  },
} as const satisfies LocalCommands;
