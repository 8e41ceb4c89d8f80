/** Collects the events of one lane into batches, queues the batches on the disk, and sends them one after the other. */
import { DtpError } from '../errors.ts';
import type { Queued } from '../store/spool.ts';
import { type EventBytes, openBody, openingSize } from './body.ts';

/** A batch in the send queue of a lane. */
export interface LaneBatch {
  events: number;
  /** In bytes. */
  size: number;
  /** The batch on the disk. Undefined until it is queued, or if queueing is disabled. */
  kept: Queued | undefined;
  /** The content in memory. Undefined if it must be read from the disk before it is sent. */
  body: Uint8Array | undefined;
}

/** The settings and functions that all lanes of a delivery share. */
export interface LaneOptions {
  readonly batchSize: number;
  readonly batchBytes: number;
  /** Queues a batch on the disk, when the spool has room. Returns undefined if queueing is disabled. */
  readonly queue: (batch: LaneBatch) => Promise<Queued | undefined>;
  /** Sends a batch. Returns false if some of its events are not settled. They are sent again later. */
  readonly attempt: (body: Uint8Array, due: LaneBatch) => Promise<boolean>;
  /** Called for a batch that was damaged on the disk. */
  readonly lose: (batch: LaneBatch) => void;
  /** Whether sending is paused. */
  readonly isOut: () => boolean;
  readonly gauge: AcquireBytes;
  /** The buffers of settled batches. */
  readonly spare: Uint8Array[];
  readonly isStopped: () => boolean;
  /** Stops reading. The default reason is the last failure, or the interrupt. */
  readonly stop: (why?: unknown) => void;
  /** Called with 1 when the lane starts to queue a batch or to send batches, and with -1 when it has finished. */
  readonly work: (change: 1 | -1) => void;
}

export function openLane(shared: LaneOptions) {
  const open = openBody(shared.spare);
  let hasClosed = false;
  /** The batches and bytes in memory that are not being sent. */
  const held = { batches: 0, bytes: 0 };
  const due: LaneBatch[] = [];
  let isBehind = false;
  let first: Promise<void> | undefined;
  let queued: Promise<void> = Promise.resolve();
  let sending: Promise<void> = Promise.resolve();
  let isSending = false;

  /** Returns the body of a batch and removes it from memory. */
  const release = (one: LaneBatch): Uint8Array | undefined => {
    const { body } = one;
    if (!body) return undefined;
    one.body = undefined;
    held.bytes -= body.byteLength;
    held.batches--;
    return body;
  };
  /** Frees the memory of queued batches. The lane then reads batches from the disk until it has sent all of them. */
  const forget = () => {
    if (due.length === 0 || isBehind) return;
    isBehind = true;
    for (const one of due) if (one.kept) release(one);
  };

  const sendFirst = async (first: LaneBatch): Promise<boolean> => {
    const done = await shared.gauge(first.size);
    try {
      if (shared.isOut()) return false;
      const held = release(first);
      const body = held ?? (await first.kept?.read());
      if (!body) {
        due.shift();
        shared.lose(first);
        throw new DtpError('error', `the queued batch ${first.kept?.id} was damaged on the disk`);
      }
      const isSettled = await shared.attempt(body, first);
      if (!isSettled) return false;
      due.shift();
      // It is on the disk, and sent. The buffer of an event that is too long for a batch is not used again.
      if (held && held.byteLength <= shared.batchBytes) shared.spare.push(new Uint8Array(held.buffer));
      return true;
    } finally {
      done();
    }
  };
  const sendDue = async () => {
    isSending = true;
    shared.work(1);
    try {
      for (let next = due[0]; next && !shared.isOut(); next = due[0]) {
        if (!next.kept && shared.isStopped()) return;
        if (!(await sendFirst(next))) return;
        if (due.length === 0) isBehind = false;
      }
    } finally {
      isSending = false;
      if (due[0] && !due[0].kept) shared.stop();
      forget();
      shared.work(-1);
    }
  };
  /** Sends batches in order, until all are sent, one is not settled, or sending is paused. */
  const send = () => {
    if (!isSending) sending = sendDue();
    return sending;
  };

  /**
   * Queues a batch, even while earlier batches are still being queued, and sends it after them. Only the first batch is
   * queued alone. If the spool cannot be used, nothing else is written to it.
   */
  const queue = async (one: LaneBatch, before: Promise<void>) => {
    await first;
    if (shared.isStopped()) return;
    shared.work(1);
    try {
      const [kept] = await Promise.all([shared.queue(one), before]);
      one.kept = kept;
      due.push(one);
      if (one.kept && isBehind) release(one);
      if (!isSending) send().catch(shared.stop);
    } finally {
      shared.work(-1);
    }
  };
  /** Returns how many events, starting at index `at`, fit in the open batch. An empty batch accepts any event. */
  const countThatFits = (ends: readonly number[], at: number, from: number): number => {
    const { events, size } = open;
    const most = Math.min(ends.length - at, shared.batchSize - events);
    let count = 0;
    while (count < most && size + (ends[at + count] as number) - from + 1 <= shared.batchBytes) count++;
    return count === 0 && events === 0 ? 1 : count;
  };
  /** Queues the incomplete batch. */
  const close = () => {
    const { events, size } = open;
    if (events === 0) return;
    const one: LaneBatch = { events, size, kept: undefined, body: open.take() };
    hasClosed = true;
    held.bytes += openingSize;
    held.batches++;
    const before = queued;
    const failed = (error: unknown) => {
      release(one);
      shared.stop(error);
    };
    // If this batch fails first, earlier batches may still be in progress, so wait for them.
    queued = queue(one, before)
      .catch(failed)
      .then(() => before);
    first ??= queued;
  };
  return {
    close,
    /** Calls `close`, unless a batch was closed since the last call of `closeOld`. */
    closeOld: () => {
      if (!hasClosed) close();
      hasClosed = false;
    },
    put: ({ bytes, ends = [bytes.length] }: EventBytes) => {
      let from = 0;
      for (let at = 0; at < ends.length; ) {
        const fits = countThatFits(ends, at, from);
        if (fits === 0) {
          close();
          continue;
        }
        const before = open.size;
        open.add(bytes, from, fits === ends.length ? ends : ends.slice(at, at + fits));
        held.bytes += open.size - before;
        at += fits;
        from = (ends[at - 1] as number) + 1;
      }
    },
    held,
    forget,
    send,
    isDue: () => due.length > 0,
    /** Queues all events, and waits until they are on the disk and nothing is being sent. */
    finish: async () => {
      close();
      await queued;
      await sending.catch(shared.stop);
    },
  };
}

/** Waits until this number of bytes fits within the limit. Returns the function that frees these bytes. */
type AcquireBytes = (bytes: number) => Promise<() => void>;

/** `most` is the limit in bytes. Requests start in the order in which they were made. One above it runs alone. */
export function openByteSemaphore(most: number): AcquireBytes {
  let taken = 0;
  const waiting: { readonly bytes: number; readonly go: () => void }[] = [];
  const goOn = () => {
    for (let first = waiting[0]; first && (taken === 0 || taken + first.bytes <= most); first = waiting[0]) {
      waiting.shift();
      taken += first.bytes;
      first.go();
    }
  };
  return async (bytes) => {
    await new Promise<void>((go) => {
      waiting.push({ bytes, go });
      goOn();
    });
    return () => {
      taken -= bytes;
      goOn();
    };
  };
}
