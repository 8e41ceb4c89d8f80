/** `dtp serve` and `dtp dev`: the embedded service on a port. */
import { type LocalCommand, localCommand } from './command.ts';
import { serverFlags } from './flags.ts';

export const serviceCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'serve',
    summary: 'Run the embedded service on loopback until it is interrupted',
    effect: 'write',
    flags: serverFlags,
    notes: [
      "Where it does less than the platform it says so: in a command's help, and in the header dtp-simplified of the answer.",
    ],
    examples: [
      { says: 'Run the embedded service on a port', command: 'dtp serve --port 8080' },
      {
        says: 'With nothing left behind, for a script',
        command: 'dtp serve --ephemeral -o json',
      },
    ],
    run: async () => ({ run: (await import('../commands/service/serve.ts')).serve }),
  }),
  localCommand({
    words: 'dev',
    summary: 'Run a command with the embedded service beside it: dtp dev -- COMMAND…',
    effect: 'write',
    args: [{ name: '[command...]', help: 'after --, the command; it finds the service in its environment' }],
    flags: serverFlags,
    // The service itself needs no settings, so broken ones do not stop it.
    way: { mending: true, looking: true },
    examples: [
      { says: 'Run a script with the embedded service beside it', command: 'dtp dev -- ./send-events.sh' },
      {
        says: 'Try its nerves: the first two posts fail',
        command: `dtp dev --ephemeral --fail 'postWorkspaceEvents=503x2' -- ./send-events.sh`,
      },
    ],
    run: async () => ({ run: (await import('../commands/service/dev.ts')).runBeside }),
  }),
];
