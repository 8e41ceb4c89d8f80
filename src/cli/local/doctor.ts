/** `dtp doctor`: whether everything is as it must be. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { withProgress } from '../spinner.ts';

export function addDoctor(program: Command, context: Context): void {
  program
    .command('doctor')
    .description('Check configuration, network, credential and spool, and say what mends them')
    .addHelpText(
      'after',
      `
Each check is ok, warn, fail or skip. The command ends with 0 where none fails, else with the code of the first that
does: 3 for Node, files, folders and settings; 11 for proxy, name, connection and certificate (124 where there was no
answer in time); 4 and 5 for the credential; else that of the service's answer.

It changes nothing and asks nothing. A check of the network takes 3 s at most, all of them 15 s.`,
    )
    .action(async () => {
      const { runDoctor } = await import('../doctor/doctor.ts');
      const globals = program.opts();
      await runDoctor(withProgress(context, globals), globals);
    });
}
