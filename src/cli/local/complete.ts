/** `dtp __complete KIND [NAMESPACE]`: what the completion scripts call for names and ids that only the service knows. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import { write } from '../write.ts';

interface CompleteOptions {
  readonly fresh?: boolean;
}

/** A line for each value: it, a tab, and what it is. Never fails: without an answer there is nothing to offer. */
export function addComplete(program: Command, context: Context, argv: readonly string[]): void {
  program
    .command('__complete', { hidden: true })
    .argument('[kind]')
    .argument('[namespace]')
    .option('--fresh')
    .allowUnknownOption()
    .allowExcessArguments()
    .action(async (kind = '', of = '', { fresh = false }: CompleteOptions) => {
      const { listRows, rowLines } = await import('../complete.ts');
      const wanted = { kind, of, fresh, argv };
      await write(context, rowLines(await listRows(context, program.opts(), wanted).catch(() => [])));
    });
}
