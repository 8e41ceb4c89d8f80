/** Checks whether events are queued. */

import type { Context } from '../../context.ts';
import { amount } from '../../render/amounts.ts';
import type { Entry } from '../../store/spool.ts';
import { stateFolder } from '../../system/folders.ts';
import { type Finding, fail, failed, ok, warn } from './check.ts';

export async function spoolCheck(context: Context): Promise<Finding> {
  try {
    const spool = await context.openSpool(stateFolder(context));
    return finding(await spool.list());
  } catch (error) {
    return failed('queue', error, 'Set DTP_STATE_DIR to another folder.');
  }
}

function finding(entries: readonly Entry[]): Finding {
  const first = entries.find(({ state }) => state === 'unreadable');
  if (first) return fail('queue', 'config', String(first.reason), 'Give your user access to it, or delete it.');
  const counts = (['pending', 'rejected', 'corrupt'] as const).map(
    (state) => [state, entries.filter((one) => one.state === state).length] as const,
  );
  const queued = counts.filter(([, count]) => count > 0);
  if (queued.length === 0) return ok('queue', 'no pending events');
  const total = queued.reduce((sum, [, count]) => sum + count, 0);
  const batches = amount(total, 'event batch is', 'event batches are');
  const states = queued.map(([state, count]) => `${count} ${state}`).join(', ');
  const isPending = queued.some(([state]) => state === 'pending');
  return warn(
    'queue',
    `${batches} in the queue: ${states}`,
    isPending ? 'dtp events queue flush' : 'dtp events queue list',
  );
}
