/** Deletes the queued events of an ephemeral service when it ends, because nothing can deliver them any more. */
import { messageOf } from '../../caught.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { amount } from '../../render/amounts.ts';
import type { Entry } from '../../store/spool.ts';

/** Returns the port in the URL of an embedded service, which is usually another port after each start. */
export const queuePortOf = (base: string): string | undefined => /^http:\/\/127\.0\.0\.1:(\d+)$/.exec(base)?.[1];

export const countEvents = (entries: readonly Entry[]): number =>
  entries.reduce((sum, { events = 0 }) => sum + events, 0);

/** Deletes the events in the state folder, with `base` only those for this URL, and reports how many are lost. */
export async function dropQueued({ context, log }: Pick<Invocation, 'context' | 'log'>, state: string, base?: string) {
  try {
    const spool = await context.openSpool(state);
    const entries = (await spool.list()).filter((entry) => base === undefined || entry.base === base);
    const events = countEvents(entries);
    if (entries.length > 0) await spool.drop(new Set(entries.map(({ id }) => id)));
    if (events > 0)
      log.warn(
        `${amount(events, 'event was not delivered and is', 'events were not delivered and are')} lost, because the service is ephemeral`,
      );
  } catch (error) {
    log.warn(`cannot read the queued events: ${messageOf(error)}`);
  }
}
