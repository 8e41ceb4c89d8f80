/** Declares `dtp events tail`, which shows events as they arrive. */
import type { LocalCommand } from './command.ts';
import { tailFlags } from './flags.ts';

export const eventsCommands: readonly LocalCommand[] = [
  {
    words: 'events tail',
    summary: 'Follow events as they arrive',
    effect: 'read',
    sends: true,
    flags: tailFlags,
    notes: [
      'On a terminal it prints a line for each event, elsewhere one JSON event per line (-o ndjson). If the service ' +
        'cannot be reached, it says so and continues when the service is back. Ctrl-C ends it with exit code 0.',
      'Each event is shown once. An event that arrives more than 90 s after its created_at is shown only if it is among ' +
        'the 1,000 newest.',
    ],
    examples: [
      {
        says: 'Follow failures, beginning with those of the last hour',
        command: 'dtp events tail --since 1h --no-success',
      },
      {
        says: 'Print the error of the next event of a run that fails',
        command: 'dtp events tail --execution-id run-77 --no-success | head -1 | jq -r .error',
      },
    ],
  },
];
