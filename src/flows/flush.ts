/** Sends the batches that earlier `dtp events post` commands queued, in order. */
import { messageOf } from '../caught.ts';
import { DtpError } from '../errors.ts';
import type { Head, Queued, Spool, TakeOptions } from '../store/spool.ts';
import type { Delivery, Tally } from './deliver.ts';
import { isCredentialRefused, settleBatch, settledCounts } from './settle.ts';

export interface FlushOptions extends Pick<TakeOptions, 'state' | 'wanted' | 'isOver'> {
  /** Sends a batch. Returns the number of attempts, or throws the last failure. */
  readonly send: (body: Uint8Array, workspace: string) => Promise<number>;
  readonly tell: (flushed: Flushed) => void;
}

/** The counts of a flush, which accepts no events. */
export interface Flushed extends Omit<Tally, 'accepted' | 'pending'> {
  /** Events of batches that could not be sent. The batches after them are not counted. */
  readonly pending: number;
  /** Batches that were damaged on the disk and set aside. */
  readonly corrupt: number;
}

export interface FlushResult extends Pick<Delivery, 'refusal'> {
  readonly flushed: Flushed;
  /** The last failure to send a batch. */
  readonly failure: DtpError | undefined;
  /** Why batches, or whole folders of them, could not be read. They are still queued. */
  readonly unreadable: readonly string[];
}

/**
 * Sends each batch that no other process is sending, one after the other, to keep their order. Stops at the first batch
 * that cannot be sent. If its credential was rejected, continues with the batches of other workspaces.
 */
export async function flush(spool: Spool, options: FlushOptions): Promise<FlushResult> {
  const counts = { delivered: 0, rejected: 0, pending: 0, batches: 0, attempts: 0, bytes: 0, corrupt: 0 };
  const shut = new Set<string>();
  const reasons: string[] = [];
  let failure: DtpError | undefined;
  let refusal: DtpError | undefined;
  let isEnded = false;
  const unreadable = (error: unknown) => {
    reasons.push(messageOf(error));
    return null;
  };
  const damaged = () => {
    counts.corrupt++;
  };
  const work = async (kept: Queued): Promise<void> => {
    if (shut.has(kept.workspace)) return;
    const body = await kept.read().catch(unreadable);
    if (body === null) return;
    if (!body) return damaged();
    counts.batches++;
    const settled = await settleBatch({ body, events: kept.events, kept }, (part) =>
      options.send(part, kept.workspace),
    );
    for (const name of settledCounts) counts[name] += settled[name];
    counts.pending += kept.events - settled.delivered - settled.rejected;
    refusal ??= settled.refusal;
    if (settled.failure instanceof DtpError) {
      failure = settled.failure;
      if (isCredentialRefused(failure)) shut.add(kept.workspace);
      else isEnded = true;
      // Throw any other error, unless it only reports that the command is ending.
    } else if (settled.failure !== undefined && !options.isOver()) throw settled.failure;
    options.tell(counts);
  };
  const isOver = () => isEnded || options.isOver();
  const wanted = (head: Head) => !shut.has(head.workspace) && options.wanted(head);
  await spool.take({ state: options.state, wanted, work, damaged, unreadable, isOver });
  return { flushed: counts, failure, refusal, unreadable: reasons };
}
