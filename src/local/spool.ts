/** Declares the `dtp events queue` commands, which list, deliver and delete queued events. */
import type { LocalCommand } from './command.ts';
import { dropFlags, flushFlags } from './flags.ts';

export const spoolCommands: readonly LocalCommand[] = [
  {
    words: 'events queue list',
    summary: 'List queued batches',
    effect: 'read',
    watches: true,
    examples: [
      { says: 'List queued batches', command: 'dtp events queue list' },
      { says: 'Print the number of queued batches', command: "dtp events queue list --query 'length(@)'" },
    ],
  },
  {
    words: 'events queue flush',
    summary: 'Deliver the queued events for the current base URL',
    effect: 'write',
    sends: true,
    ends: ['partial', 'kept'],
    flags: flushFlags,
    names: false,
    examples: [
      { says: 'Deliver queued events', command: 'dtp events queue flush' },
      { says: 'Send rejected events again', command: 'dtp events queue flush --rejected' },
    ],
  },
  {
    words: 'events queue drop',
    summary: 'Delete queued batches',
    effect: 'destroy',
    ends: ['cancelled'],
    args: [{ name: 'id', many: true, help: 'ids from dtp events queue list' }],
    flags: dropFlags,
    names: false,
    examples: [
      { says: 'Delete rejected batches', command: 'dtp events queue drop --rejected --yes' },
      { says: 'Delete batches older than 30 days', command: 'dtp events queue drop --older-than 30d --yes' },
    ],
  },
];
