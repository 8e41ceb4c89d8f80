/** A lane of a delivery: events become batches, which are queued on the disk and sent one after the other. */
import { DtpError } from '../errors.ts';
import type { Kept } from '../store/spool.ts';
import { emptySize, joined } from './body.ts';
import type { Gauge } from './gauge.ts';

/** A batch that is to be sent after those before it. */
export interface Due {
  events: number;
  /** Bytes. */
  size: number;
  /** Absent if it is not queued, or not yet. */
  kept: Kept | undefined;
  /** Absent if it is read from the disk when it is sent. */
  body: Uint8Array | undefined;
}

/** What the lanes of a delivery share. */
export interface Shared {
  readonly batchSize: number;
  readonly batchBytes: number;
  /** Puts a batch on the disk, waiting for room in the spool; undefined if nothing is queued. */
  readonly queue: (batch: Due) => Promise<Kept | undefined>;
  /** Sends a batch. Whether it is settled; what is left of it is due again. */
  readonly attempt: (body: Uint8Array, due: Due) => Promise<boolean>;
  /** Told of a batch that was damaged on the disk. */
  readonly lose: (batch: Due) => void;
  /** Whether nothing may be sent just now. */
  readonly isOut: () => boolean;
  readonly gauge: Gauge;
  /** Whether no more is taken in. */
  readonly isStopped: () => boolean;
  /** Takes in no more: why, or for a batch that is lost if it cannot be sent. */
  readonly stop: (why?: unknown) => void;
  /** Told when a batch of the lane begins, or ends, to be queued or sent. */
  readonly work: (change: 1 | -1) => void;
}

export interface Lane {
  readonly put: (event: Uint8Array) => void;
  /** Queues the events that wait for others of their batch. */
  readonly close: () => void;
  /** The same, if none was closed since it was last called. */
  readonly closeOld: () => void;
  /** Batches, and bytes, that are in memory and not being sent. */
  readonly held: { readonly batches: number; readonly bytes: number };
  /** Forgets what is on the disk already; from then on batches are sent from there, until none is due. */
  readonly forget: () => void;
  /** Sends what is due, as far as it can be sent. */
  readonly send: () => Promise<void>;
  readonly isDue: () => boolean;
  /** Queues what there is, and waits until it is on the disk and what is being sent has been. */
  readonly finish: () => Promise<void>;
}

export function openLane(shared: Shared): Lane {
  let parts: Uint8Array[] = [];
  let size = emptySize;
  let hasClosed = false;
  const held = { batches: 0, bytes: 0 };
  const due: Due[] = [];
  let isBehind = false;
  let queued: Promise<void> = Promise.resolve();
  let sending: Promise<void> = Promise.resolve();
  let isSending = false;

  /** The body, which is no longer held. */
  const release = (one: Due): Uint8Array | undefined => {
    const { body } = one;
    if (!body) return undefined;
    one.body = undefined;
    held.bytes -= body.byteLength;
    held.batches--;
    return body;
  };
  const forget = () => {
    if (due.length === 0 || isBehind) return;
    isBehind = true;
    for (const one of due) if (one.kept) release(one);
  };

  const sendFirst = async (first: Due): Promise<boolean> => {
    const done = await shared.gauge(first.size);
    try {
      if (shared.isOut()) return false;
      const body = release(first) ?? (await first.kept?.read());
      if (!body) {
        due.shift();
        shared.lose(first);
        throw new DtpError('error', `the kept batch ${first.kept?.id} was damaged on the disk`);
      }
      const isSettled = await shared.attempt(body, first);
      if (isSettled) due.shift();
      return isSettled;
    } finally {
      done();
    }
  };
  const sendDue = async () => {
    isSending = true;
    shared.work(1);
    try {
      for (let first = due[0]; first && !shared.isOut(); first = due[0]) {
        if (!first.kept && shared.isStopped()) return;
        if (!(await sendFirst(first))) return;
        if (due.length === 0) isBehind = false;
      }
    } finally {
      isSending = false;
      if (due[0] && !due[0].kept) shared.stop();
      forget();
      shared.work(-1);
    }
  };
  const send = () => {
    if (!isSending) sending = sendDue();
    return sending;
  };

  const queue = async (one: Due) => {
    if (shared.isStopped()) return;
    shared.work(1);
    try {
      one.kept = await shared.queue(one);
      due.push(one);
      if (one.kept && isBehind) release(one);
      if (!isSending) send().catch(shared.stop);
    } finally {
      shared.work(-1);
    }
  };
  const close = () => {
    if (parts.length === 0) return;
    const one: Due = { events: parts.length, size, kept: undefined, body: joined(parts, size) };
    parts = [];
    size = emptySize;
    hasClosed = true;
    held.bytes += emptySize;
    held.batches++;
    queued = queued
      .then(() => queue(one))
      .catch((error: unknown) => {
        release(one);
        shared.stop(error);
      });
  };
  return {
    close,
    closeOld: () => {
      if (!hasClosed) close();
      hasClosed = false;
    },
    put: (event) => {
      const length = event.byteLength + 1;
      if (parts.length >= shared.batchSize || size + length > shared.batchBytes) close();
      parts.push(event);
      size += length;
      held.bytes += length;
    },
    held,
    forget,
    send,
    isDue: () => due.length > 0,
    finish: async () => {
      close();
      await queued;
      await sending.catch(shared.stop);
    },
  };
}
