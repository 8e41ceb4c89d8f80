/** Queues the batches of one `dtp events post`, in order and within the limit of the spool. */
import { dirname } from 'node:path';
import { DtpError } from '../errors.ts';
import { syncFolder } from './files.ts';
import { openCommits } from './spool-commits.ts';
import { isFull, notQueued, queueFull } from './spool-errors.ts';
import { type Head, writeDraft } from './spool-record.ts';

/** A queued batch that only this process may send. */
export interface Queued extends Head {
  readonly id: string;
  /** Reads the body. If the body is damaged, sets the batch aside and returns undefined. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** Replaces the batch with the events that were not acknowledged. */
  readonly replace: (body: Uint8Array, events: number) => Promise<void>;
  /** Deletes the batch, because it was acknowledged. */
  readonly remove: () => Promise<void>;
  /** Sets the batch aside because the service rejected it, with the status and the reason. */
  readonly reject: (status: number, reason: string) => Promise<void>;
}

/**
 * Queues a batch of events on the disk. Concurrent calls are allowed, and are faster than successive calls. A batch is
 * only stored if all earlier batches are stored. While the spool or the disk is full, calls `makeRoom`, which waits for
 * free space. Throws `error` if `makeRoom` returns false, or if the batch cannot be written.
 */
export type QueueBatch = (body: Uint8Array, events: number, makeRoom: () => Promise<boolean>) => Promise<Queued>;

export interface KeepOptions {
  /** The folder of the spool, for errors. */
  readonly folder: string;
  /** The current size of the whole spool, in bytes. */
  readonly size: number;
  /** The maximum size of the whole spool, in bytes. */
  readonly limit: number;
  /** Returns the path of the batch with a number, which is 1 for the first batch. */
  readonly pathOf: (number: number) => string;
  readonly keptAt: (path: string, number: number, head: Head) => Queued;
  readonly makeFolder: (path: string) => Promise<void>;
  readonly headOf: (events: number) => Head;
}

/** Returns the function that queues the batches of one run of a command. They are in one folder of the queue. */
export function openKeep(options: KeepOptions): QueueBatch {
  const { folder, limit } = options;
  let { size } = options;
  let number = 0;
  let made: Promise<void> | undefined;
  let broken: { readonly error: unknown } | undefined;
  const run = dirname(options.pathOf(0));
  const commit = openCommits(() => syncFolder(run));
  /** The numbers of the batches that wait for free space. Later batches wait too, so that they stay in order. */
  const waiting = new Set<number>();
  const isBehind = (mine: number) => [...waiting].some((one) => one < mine);

  const queue = async (mine: number, head: Head, body: Uint8Array, makeRoom: () => Promise<boolean>) => {
    let fault: unknown;
    const wait = async () => {
      const wasBehind = isBehind(mine);
      const hasRoom = await makeRoom();
      if (broken) throw broken.error;
      // Only the first waiting batch fails here. The others check again, because it may have found space.
      if (hasRoom || wasBehind || isBehind(mine)) return;
      throw fault === undefined ? queueFull(limit) : notQueued(folder, fault);
    };
    while (isBehind(mine) || size + body.byteLength > limit) await wait();
    size += body.byteLength;
    for (;;) {
      waiting.delete(mine);
      made ??= options.makeFolder(run);
      try {
        const draft = made.then(() => writeDraft(options.pathOf(mine), head, body));
        return await commit(draft, () => void waiting.add(mine));
      } catch (error) {
        if (error instanceof DtpError) throw error;
        if (!isFull(error)) throw notQueued(folder, error);
        fault = error;
      }
      // The disk may have free space again after earlier batches are acknowledged and deleted.
      do await wait();
      while (isBehind(mine));
    }
  };

  return async (body, events, makeRoom) => {
    if (broken) throw broken.error;
    const mine = ++number;
    const head = options.headOf(events);
    waiting.add(mine);
    try {
      await queue(mine, head, body, makeRoom);
    } catch (error) {
      broken ??= { error };
      throw error;
    } finally {
      waiting.delete(mine);
    }
    return counted(options.keptAt(options.pathOf(mine), mine, head), body.byteLength, (more) => {
      size += more;
    });
  };
}

/** Wraps a batch so that `change` is called with each change of its size, in bytes. */
function counted(kept: Queued, length: number, change: (more: number) => void): Queued {
  let bytes = length;
  const grow = (more: number) => {
    bytes += more;
    change(more);
  };
  return {
    ...kept,
    replace: async (less, count) => {
      await kept.replace(less, count);
      grow(less.byteLength - bytes);
    },
    remove: async () => {
      await kept.remove();
      grow(-bytes);
    },
  };
}
