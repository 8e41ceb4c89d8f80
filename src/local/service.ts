/** Declares `dtp serve` and `dtp dev`, which run the embedded service on a port. */
import type { LocalCommands } from './command.ts';
import { serveFlags, serverFlags } from './flags.ts';

export const serviceCommands = {
  serve: {
    summary: 'Run the embedded service on loopback',
    effect: 'write',
    flags: serveFlags,
    notes: [
      'A browser shows at the URL of the service what arrived: events, runs, reports, the registry and requests. The page needs the API key that the service prints. --open opens it logged in, by a link that counts once, within a minute.',
      'Some operations are simpler here than on the platform. Their help, and the response header dtp-simplified, say how.',
      '--fail and --drop take the words of a command, or the id of an operation. --fail "codehost actions trigger=failure" triggers the action, and its run fails later.',
    ],
    examples: {
      'Look at what arrives, in a browser': 'dtp serve --open',
      'Run the service in memory, for a script': 'dtp serve --ephemeral -o json',
    },
  },
  dev: {
    summary: 'Run a command with the embedded service',
    effect: 'write',
    args: [
      {
        name: 'command',
        many: true,
        help: 'the command to run, after --; its environment variables select the embedded service',
      },
    ],
    flags: serverFlags,
    // The service itself needs no settings, so invalid settings do not stop it.
    way: { collectFaults: true, readOnly: true },
    examples: {
      'Run a script against the embedded service': 'dtp dev -- ./send-events.sh',
      'Let the first two posts fail': `dtp dev --ephemeral --fail 'events post=503x2' -- ./send-events.sh`,
    },
  },
} as const satisfies LocalCommands;
