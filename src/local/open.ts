/** Declares `dtp open`, which opens a URL, or the last report or run, in a browser. */
import type { LocalCommands } from './command.ts';
import { openFlags } from './flags.ts';

export const openCommands = {
  open: {
    summary: 'Open the last report or run in a browser',
    effect: 'read',
    ends: ['not_found', 'forbidden'],
    args: [{ name: 'url', help: 'URL to open, also a local: URL (default: the last report or run)' }],
    flags: openFlags,
    way: { collectFaults: true, readOnly: true },
    notes: [
      'A browser cannot reach a local: URL. dtp serves a page with the report or run until Ctrl-C or, without a terminal, saves a file and prints its URL. An invitation is accepted, and its key is printed.',
      'Without an argument, it opens the last report or run that a command showed on a terminal. Without a terminal, it prints the URL.',
    ],
    examples: {
      'Open the last report or run': 'dtp open',
      'Print the URL instead': 'dtp open --print',
    },
  },
} as const satisfies LocalCommands;
