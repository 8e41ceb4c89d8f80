/** Formats the progress of posting and flushing events. */
import type { Tally } from '../../flows/deliver.ts';
import type { Flushed } from '../../flows/flush.ts';
import { counted } from '../../render/amounts.ts';
import type { Progress } from '../../render/progress.ts';

export interface Delivering {
  readonly tally: Tally;
  /** Whether pending events wait for the service to recover. */
  readonly isOut: boolean;
  readonly elapsedMs: number;
  /** Bytes of the input read so far. */
  readonly read: number;
  readonly size: number | undefined;
}

/** `12,000 delivered, 8,000/s`, and how much of the input is read. */
export function progressOf({ tally, isOut, elapsedMs, read, size }: Delivering): Progress {
  const seconds = elapsedMs / 1000;
  const facts = [`${counted(tally.delivered)} delivered`];
  if (isOut && tally.pending > 0) facts.push(`${counted(tally.pending)} queued`);
  if (tally.rejected > 0) facts.push(`${counted(tally.rejected)} rejected`);
  if (seconds >= 1) facts.push(`${counted(Math.round(tally.delivered / seconds))}/s`);
  return { done: read, total: size, facts };
}

/** `1,000 of 12,000 delivered`. `total` is only counted if somebody sees the progress. */
export function flushingOf(
  { delivered, rejected, pending }: Pick<Flushed, 'delivered' | 'rejected' | 'pending'>,
  total: number | undefined,
): Progress {
  const facts = [`${counted(delivered)}${total === undefined ? '' : ` of ${counted(total)}`} delivered`];
  if (rejected > 0) facts.push(`${counted(rejected)} rejected`);
  return { done: delivered + rejected + pending, total, facts };
}
