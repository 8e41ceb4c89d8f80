/** Declares `dtp events get`, which shows one event, and `dtp events tail`, which shows events as they arrive. */
import type { LocalCommands } from './command.ts';
import { tailFlags } from './flags.ts';

export const eventsCommands = {
  'events get': {
    summary: 'Show one event',
    effect: 'read',
    sends: true,
    asks: true,
    args: [{ name: 'id', help: 'id of the event, or its beginning' }],
    ends: ['not_found'],
    notes: ['It looks through the newest 10,000 events, because the API has no request for one event.'],
    examples: {
      'Print the error of an event': 'dtp events get e-2 -r --query error',
      'Show the newest event that failed': `id=$(dtp events search --no-success --limit 1 -r --query '[0].id')
dtp events get "$id" -o yaml`,
    },
  },
  'events tail': {
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
    examples: {
      'Follow failures, beginning with those of the last hour': 'dtp events tail --since 1h --no-success',
      'Wait for the next event of a run that fails, and print its error':
        'dtp events tail --execution-id run-77 --no-success --limit 1 | jq -r .error',
    },
  },
} as const satisfies LocalCommands;
