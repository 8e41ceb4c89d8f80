/** Declares the `dtp events spool` commands, which list, deliver and delete queued events. */
import { type LocalCommand, localCommand } from './command.ts';
import { dropFlags, flushFlags } from './flags.ts';

export const spoolCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'events spool list',
    summary: 'List queued batches',
    effect: 'read',
    watches: true,
    examples: [
      { says: 'List queued batches', command: 'dtp events spool list' },
      { says: 'Print the number of queued batches', command: "dtp events spool list --query 'length(@)'" },
    ],
    run: async () => ({ run: (await import('../commands/events/spool.ts')).listSpool }),
  }),
  localCommand({
    words: 'events spool flush',
    summary: 'Deliver the queued events for the current base URL',
    effect: 'write',
    sends: true,
    ends: ['partial', 'kept'],
    flags: flushFlags,
    names: false,
    examples: [
      { says: 'Deliver queued events', command: 'dtp events spool flush' },
      { says: 'Send rejected events again', command: 'dtp events spool flush --rejected' },
    ],
    run: async () => ({ run: (await import('../commands/events/spool.ts')).flushSpool }),
  }),
  localCommand({
    words: 'events spool drop',
    summary: 'Delete queued batches',
    effect: 'destroy',
    ends: ['cancelled'],
    args: [{ name: '[id...]', help: 'ids from dtp events spool list' }],
    flags: dropFlags,
    names: false,
    examples: [
      { says: 'Delete rejected batches', command: 'dtp events spool drop --rejected --yes' },
      { says: 'Delete batches older than 30 days', command: 'dtp events spool drop --older-than 30d --yes' },
    ],
    run: async () => ({ run: (await import('../commands/events/spool.ts')).dropSpool }),
  }),
];
