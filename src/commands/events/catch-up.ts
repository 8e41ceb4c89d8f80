/** Sends the events that earlier posts queued for the same workspace, before new ones. */
import { flush } from '../../flows/flush.ts';
import { type Deadline, deadlineIn } from '../../invocation/deadline.ts';
import type { Invocation } from '../../invocation/invocation.ts';
import { amount } from '../../render/amounts.ts';
import type { Destination, Head, Spool } from '../../store/spool.ts';
import type { SendBatch } from './batches.ts';
import { spoolLimits } from './post-options.ts';

/** The time limit in milliseconds, because new events must not wait for a large backlog. */
export const CATCH_UP_MS = 10_000;

const DAY = 86_400_000;

export interface BatchSending {
  readonly send: SendBatch;
  readonly to: Destination;
  /** In milliseconds, for events that an earlier command queued. */
  readonly longest: number;
  readonly signal: AbortSignal;
}

/** Reports the result in notes and warnings. A failure here does not fail the command. */
export async function catchUp({ context, log }: Invocation, spool: Spool, { send, to, longest, signal }: BatchSending) {
  const { days } = spoolLimits(context);
  let deadline: Deadline | undefined;
  const oldest = context.date().getTime() - days * DAY;
  let old = 0;
  const wanted = ({ base, workspace, created_at, events }: Head) => {
    if (base !== to.base || workspace !== to.workspace) return false;
    if (Date.parse(created_at) >= oldest) return true;
    old += events;
    return false;
  };
  const { flushed, failure, unreadable } = await flush(spool, {
    state: 'pending',
    wanted,
    send: (body, workspace) => {
      deadline ??= deadlineIn(context, longest, signal);
      return send(body, workspace, true, deadline.signal);
    },
    isOver: () => (deadline?.signal ?? signal).aborted,
    tell: () => undefined,
  }).finally(() => deadline?.end());
  if (flushed.delivered > 0) log.note(`delivered ${amount(flushed.delivered, 'queued event')} of an earlier command`);
  if (failure) log.note(`events of an earlier command are still queued: ${failure.message}`);
  if (flushed.rejected > 0)
    log.warn(
      `${amount(flushed.rejected, 'queued event of an earlier command was', 'queued events of an earlier command were')} rejected. List them with: dtp events queue list`,
    );
  if (flushed.corrupt > 0)
    log.warn(
      `${amount(flushed.corrupt, 'queued batch is damaged and was', 'queued batches are damaged and were')} set aside. List them with: dtp events queue list`,
    );
  for (const why of unreadable) log.warn(`queued events of an earlier command were not sent: ${why}`);
  if (old > 0)
    log.warn(
      `${amount(old, 'event has', 'events have')} been queued for more than ${days} days. Send them with: dtp events queue flush. To delete them, see: dtp events queue drop --help`,
    );
}
