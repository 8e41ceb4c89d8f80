/** Sends batches that an earlier `post` queued, in order. */
import { DtpError } from '../errors.ts';
import type { Head, Queued, Spool } from '../store/spool.ts';
import { isShut, settle } from './settle.ts';

export interface FlushOptions {
  readonly state: 'pending' | 'rejected';
  readonly wanted: (head: Head) => boolean;
  /** Returns the number of attempts, or throws the last failure. */
  readonly send: (body: Uint8Array, workspace: string) => Promise<number>;
  /** Whether to stop. */
  readonly isOver: () => boolean;
  readonly tell: (flushed: Flushed) => void;
}

/** What was flushed. The first three fields count events. */
export interface Flushed {
  readonly delivered: number;
  readonly rejected: number;
  /** Found but not sent. */
  readonly pending: number;
  readonly batches: number;
  readonly attempts: number;
  /** Acknowledged bytes. */
  readonly bytes: number;
  /** Batches that were damaged on the disk and set aside. */
  readonly corrupt: number;
}

export interface FlushEnd {
  readonly flushed: Flushed;
  /** Why the last batch was not sent. */
  readonly failure: DtpError | undefined;
  readonly refusal: DtpError | undefined;
}

/**
 * Sends each batch that no other process is sending, one after the other, to keep their order. Stops if the service
 * cannot be reached. If the credential is rejected, stops for that workspace.
 */
export async function flush(spool: Spool, options: FlushOptions): Promise<FlushEnd> {
  const counts = { delivered: 0, rejected: 0, pending: 0, batches: 0, attempts: 0, bytes: 0, corrupt: 0 };
  const shut = new Set<string>();
  let failure: DtpError | undefined;
  let refusal: DtpError | undefined;
  let isEnded = false;
  const work = async (kept: Queued): Promise<void> => {
    if (isEnded || shut.has(kept.workspace)) {
      counts.pending += kept.events;
      return;
    }
    const body = await kept.read();
    if (!body) {
      counts.corrupt++;
      return;
    }
    counts.batches++;
    const settled = await settle({ body, events: kept.events, kept }, (part) =>
      options.send(part, kept.workspace),
    );
    counts.delivered += settled.delivered;
    counts.rejected += settled.rejected;
    counts.pending += kept.events - settled.delivered - settled.rejected;
    counts.attempts += settled.attempts;
    counts.bytes += settled.bytes;
    refusal ??= settled.refusal;
    if (settled.failure instanceof DtpError) {
      failure = settled.failure;
      if (isShut(failure)) shut.add(kept.workspace);
      else isEnded = true;
      // Other errors are thrown, unless they only mean that the whole command is ending.
    } else if (settled.failure !== undefined && !options.isOver()) throw settled.failure;
    options.tell(counts);
  };
  const damaged = () => {
    counts.corrupt++;
  };
  await spool.take(options.state, (head) => !options.isOver() && options.wanted(head), work, damaged);
  return { flushed: counts, failure, refusal };
}
