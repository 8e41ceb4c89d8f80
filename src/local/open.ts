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
      'A browser cannot reach a local: URL, because the embedded service has no server. So dtp serves a page with the report or run until Ctrl-C. Without a terminal, it saves a file and prints its URL. An invitation is accepted, which prints its key.',
      'Without an argument, the URL is that of the last reports upload, reports linting-url, reports changes-url, codehost actions get or codehost actions trigger --wait that ran on a terminal. Without a terminal, the URL is printed.',
    ],
    examples: {
      'Open the last report or run': 'dtp open',
      'Print the URL instead': 'dtp open --print',
    },
  },
} as const satisfies LocalCommands;
