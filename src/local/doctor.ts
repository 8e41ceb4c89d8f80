/** `dtp doctor`: whether everything is as it must be. */
import { type LocalCommand, localCommand } from './command.ts';

export const doctorCommands: readonly LocalCommand[] = [
  localCommand({
    words: 'doctor',
    summary: 'Check configuration, network, credential and spool, and say what mends them',
    effect: 'read',
    sends: true,
    notes: [
      `Each check is ok, warn, fail or skip. The command ends with 0 where none fails, else with the code of the first that does: 3 for Node, files, folders and settings; 11 for proxy, name, connection and certificate (124 where there was no answer in time); 4 and 5 for the credential; else that of the service's answer.`,
      'It changes nothing and asks nothing. A check of the network takes 3 s at most, all of them 15 s.',
    ],
    way: { mending: true, looking: true },
    examples: [
      { says: 'Look whether everything is as it must be', command: 'dtp doctor' },
      {
        says: 'What mends what is not, in a script',
        command: `dtp doctor --query "[?status=='fail' || status=='warn'].mend"`,
      },
    ],
    run: async () => ({ run: (await import('../commands/doctor/doctor.ts')).diagnose }),
  }),
];
