/** `dtp events spool`: what is kept because it could not be delivered. */
import { type LocalCommand, localCommand } from './command.ts';
import { dropFlags, flushFlags } from './flags.ts';

export const spoolCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'events spool list',
    summary: 'List the batches that are kept',
    effect: 'read',
    examples: [
      { says: 'List what is kept', command: 'dtp events spool list' },
      { says: 'How many batches wait', command: "dtp events spool list --query 'length(@)'" },
    ],
    run: async () => ({ run: (await import('../commands/events/spool.ts')).listSpool }),
  }),
  localCommand({
    words: 'events spool flush',
    summary: 'Deliver what is kept for the current base address',
    effect: 'write',
    sends: true,
    ends: ['partial', 'kept'],
    flags: flushFlags,
    names: false,
    examples: [
      { says: 'Deliver what is kept', command: 'dtp events spool flush' },
      { says: 'Send what was rejected once more', command: 'dtp events spool flush --rejected' },
    ],
    run: async () => ({ run: (await import('../commands/events/spool.ts')).flushSpool }),
  }),
  localCommand({
    words: 'events spool drop',
    summary: 'Remove batches for good',
    effect: 'destroy',
    ends: ['cancelled'],
    args: [{ name: '[id...]', help: 'ids that the list shows' }],
    flags: dropFlags,
    names: false,
    examples: [
      { says: 'Remove what was rejected', command: 'dtp events spool drop --rejected --yes' },
      { says: 'Remove what is older than a month', command: 'dtp events spool drop --older-than 30 --yes' },
    ],
    run: async () => ({ run: (await import('../commands/events/spool.ts')).dropSpool }),
  }),
];
