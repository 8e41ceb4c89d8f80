/** `dtp help [COMMAND…]`: the page of a command. */
import type { Command } from 'commander';
import { DtpError } from '../../errors.ts';

export function addHelp(program: Command): void {
  program
    .command('help')
    .description('Print the help of a command')
    .argument('[command...]', 'its words, such as: ws tokens create')
    .action((names: readonly string[]) => find(program, names).outputHelp());
}

/** Throws `usage` for a command that is none. */
function find(program: Command, names: readonly string[]): Command {
  let found = program;
  for (const name of names) {
    const next = found.commands.find((one) => one.name() === name);
    if (!next)
      throw new DtpError('usage', `there is no command "${names.join(' ')}"`, {
        hint: `There are: ${found.commands.map((one) => one.name()).join(', ') || 'none below it'}.`,
      });
    found = next;
  }
  return found;
}
