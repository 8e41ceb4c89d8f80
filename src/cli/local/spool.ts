/** `dtp events spool`: what is kept because it could not be delivered. */
import type { Command } from 'commander';
import type { Context } from '../../context.ts';
import type { DropOptions, FlushFlags } from '../events/spool.ts';
import { groupOf } from '../tree.ts';

export function addSpool(program: Command, context: Context, argv: readonly string[]): void {
  const spool = groupOf(program, ['events', 'spool']);
  const load = () => import('../events/spool.ts');
  spool
    .command('list')
    .description('List the batches that are kept')
    .action(async () => (await load()).listSpool(context, program.opts()));
  spool
    .command('flush')
    .description('Deliver what is kept for the current base address')
    .option('--rejected', 'send what was rejected once more')
    .action(async (flags: FlushFlags) => (await load()).flushSpool(context, program.opts(), flags));
  spool
    .command('drop')
    .description('Remove batches for good')
    .argument('[id...]', 'ids that the list shows')
    .option('--older-than <days>', 'those that are older')
    .option('--rejected', 'those that were rejected')
    .option('--corrupt', 'those that were damaged')
    .option('--all', 'all of them')
    .action(async (ids: readonly string[], options: DropOptions) =>
      (await load()).dropSpool(context, program.opts(), ids, options, argv),
    );
}
