/** Declares the `dtp events queue` commands, which list, deliver and delete queued events. */
import type { LocalCommands } from './command.ts';
import { dropFlags, flushFlags } from './flags.ts';

export const spoolCommands = {
  'events queue list': {
    summary: 'List queued batches',
    effect: 'read',
    watches: true,
    examples: {
      'List queued batches': 'dtp events queue list',
      'Print the number of queued batches': "dtp events queue list --query 'length(@)'",
    },
  },
  'events queue flush': {
    summary: 'Deliver the queued events for the current base URL',
    effect: 'write',
    sends: true,
    ends: ['partial', 'kept'],
    flags: flushFlags,
    names: false,
    examples: {
      'Deliver queued events': 'dtp events queue flush',
      'Send rejected events again': 'dtp events queue flush --rejected',
    },
  },
  'events queue drop': {
    summary: 'Delete queued batches',
    effect: 'destroy',
    ends: ['cancelled'],
    args: [{ name: 'id', many: true, help: 'ids from dtp events queue list' }],
    flags: dropFlags,
    names: false,
    examples: {
      'Delete rejected batches': 'dtp events queue drop --rejected --yes',
      'Delete batches older than 30 days': 'dtp events queue drop --older-than 30d --yes',
    },
  },
} as const satisfies LocalCommands;
