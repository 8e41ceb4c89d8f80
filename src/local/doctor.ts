/** Declares `dtp doctor`, which checks the configuration, network, credential and queue. */
import type { LocalCommands } from './command.ts';

export const doctorCommands = {
  doctor: {
    summary: 'Check configuration, network, credential and queue',
    effect: 'read',
    watches: true,
    sends: true,
    notes: [
      `Each check is ok, warn, fail or skip. The command exits with 0 if no check fails, else with the code of the first failure: 3 for Node, files, folders and settings; 11 for proxy, DNS, connection and certificate (124 if there was no answer in time); 4 and 5 for the credential; otherwise the code of the service's answer.`,
      'It changes nothing and never prompts. A network check takes at most 3 s. All network checks together take at most 15 s.',
    ],
    way: { collectFaults: true, readOnly: true },
    examples: {
      'Check everything': 'dtp doctor',
      'Print the fixes in a script': `dtp doctor --query "[?status=='fail' || status=='warn'].fix"`,
    },
  },
} as const satisfies LocalCommands;
