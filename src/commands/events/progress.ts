/** The progress line of a delivery. */
import type { Tally } from '../../flows/deliver.ts';
import { counted, timeText } from '../../render/amounts.ts';

export interface Progress {
  readonly tally: Tally;
  /** Whether pending events wait for the service to recover. */
  readonly isOut: boolean;
  readonly elapsedMs: number;
  /** Bytes of the input read so far. */
  readonly read: number;
  readonly size: number | undefined;
}

/** `12,000 delivered, 8,000/s, 40 %, 20 s left`, without the last two if the size is not known. */
export function progressText({ tally, isOut, elapsedMs, read, size }: Progress): string {
  const seconds = elapsedMs / 1000;
  const words = [`${counted(tally.delivered)} delivered`];
  if (isOut && tally.pending > 0) words.push(`${counted(tally.pending)} queued`);
  if (tally.rejected > 0) words.push(`${counted(tally.rejected)} rejected`);
  if (seconds >= 1) words.push(`${counted(Math.round(tally.delivered / seconds))}/s`);
  if (size && read > 0) {
    words.push(`${Math.floor((100 * read) / size)} %`);
    if (seconds >= 1) words.push(`${timeText((seconds * (size - read)) / read)} left`);
  }
  return words.join(', ');
}
