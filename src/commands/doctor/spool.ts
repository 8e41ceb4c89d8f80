/** The check of the events that are kept. */
import type { Context } from '../../context.ts';
import type { Entry } from '../../store/spool.ts';
import { stateFolder } from '../../system/folders.ts';
import { type Finding, failed, ok, warn } from './check.ts';

export async function spoolCheck(context: Context): Promise<Finding> {
  try {
    const spool = await context.openSpool(stateFolder(context));
    return finding(await spool.list());
  } catch (error) {
    return failed('spool', error, 'Name another folder with DTP_STATE_DIR.');
  }
}

function finding(entries: readonly Entry[]): Finding {
  const counts = (['pending', 'rejected', 'corrupt'] as const).map(
    (state) => [state, entries.filter((one) => one.state === state).length] as const,
  );
  const kept = counts.filter(([, count]) => count > 0);
  if (kept.length === 0) return ok('spool', 'no event waits to be delivered');
  const words = kept.map(([state, count]) => `${count} ${state}`).join(', ');
  const isPending = kept.some(([state]) => state === 'pending');
  return warn(
    'spool',
    `batches of events are kept: ${words}`,
    isPending ? 'dtp events spool flush' : 'dtp events spool list',
  );
}
