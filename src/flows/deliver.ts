/** Delivers events in batches, through the spool and across outages. Lanes keep the events of an execution in order. */
import { DtpError, hasCode } from '../errors.ts';
import type { Keep } from '../store/spool.ts';
import type { EventBytes } from './body.ts';
import { type LaneBatch, type LaneOptions, openByteSemaphore, openLane } from './lane.ts';
import { openOutage } from './outage.ts';
import { type Settled, settleBatch, settledCounts } from './settle.ts';

export interface DeliverOptions
  extends Pick<Parameters<typeof openOutage>[0], 'clock' | 'random'>,
    Pick<LaneOptions, 'batchSize'> {
  /** Queues a batch on the disk. Undefined if queueing is disabled. */
  readonly keep: Keep | undefined;
  /**
   * Sends a body. Returns the number of attempts, or throws the last failure. `again` enables retries. The memory of a
   * body is used again once its batch is settled.
   */
  readonly send: (body: Uint8Array, again: boolean) => Promise<number>;
  /** The maximum size of a batch in bytes. A longer event gets its own batch. */
  readonly batchBytes: number;
  readonly concurrency: number;
  /** Stops sending. Events that were already read are still queued. */
  readonly signal: AbortSignal;
  /** Reports the progress. `isOut` is true during an outage. */
  readonly tell: (tally: Tally, isOut: boolean) => void;
}

/** Each accepted event is delivered, pending or rejected. */
export interface Tally extends Pick<Settled, (typeof settledCounts)[number]> {
  readonly accepted: number;
  readonly pending: number;
  readonly batches: number;
}

export interface Delivery {
  readonly tally: Tally;
  /** Why batches are pending. If queueing is disabled, why they were not delivered. */
  readonly failure: DtpError | undefined;
  /** Why the first rejected batch was rejected. */
  readonly refusal: DtpError | undefined;
  /** Why the input was not read to its end. Undefined if it was. */
  readonly ended: unknown;
  /** Events that were read but not accepted. */
  readonly left: number;
}

/**
 * The number and the total size in bytes of batches that may wait in memory before reading pauses. A slow disk should
 * sync about this many at once. Above this limit, each lane may still have one waiting batch.
 */
const WAITING = { batches: 32, bytes: 8 * 1024 * 1024 };

/**
 * The number of bytes that may wait in memory before reading pauses. The same number of bytes may be in transit at the
 * same time, and a single batch may be larger.
 */
const MOST = 32 * 1024 * 1024;

/**
 * How long reading waits for the network, in milliseconds. After that, queued batches are removed from memory so that
 * reading can continue. They are read from the disk when they are sent.
 */
const WAIT = 200;

/**
 * Reads events and delivers them, until the input ends or fails (reported as `ended`), or nothing more can be queued.
 * An empty array means that the input has paused. Incomplete batches are then queued, except in a lane that has
 * completed a batch since the last pause.
 *
 * A slow network delays neither reading nor queueing: batches that are not sent soon wait on the disk and are read from
 * there. During an outage, one batch is tried from time to time. Each lane always sends its batches in order. A failure
 * that is not retried stops the delivery. The remaining batches then stay queued for a later command.
 */
export async function deliver(input: AsyncIterable<readonly EventBytes[]>, options: DeliverOptions): Promise<Delivery> {
  const { keep, signal } = options;
  const counts = { delivered: 0, pending: 0, rejected: 0, batches: 0, attempts: 0, bytes: 0 };
  const tally = () => ({ accepted: counts.delivered + counts.pending + counts.rejected, ...counts });
  const settled = () => counts.delivered + counts.rejected;
  const outage = openOutage(options);
  let read = 0;
  let failure: DtpError | undefined;
  let refusal: DtpError | undefined;
  let full: unknown;

  /** The number of queue and send operations in progress, not counting those that wait for room in the spool. */
  let busy = 0;
  let waiting: (() => void)[] = [];
  const move = () => {
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  };
  /** Waits until a batch has been queued or sent. Returns false if `ms` milliseconds pass first. */
  const moved = (ms?: number) =>
    new Promise<boolean>((done) => {
      const late = ms === undefined ? undefined : setTimeout(done, ms, false);
      waiting.push(() => {
        clearTimeout(late);
        done(true);
      });
    });
  const work = (change: 1 | -1) => {
    busy += change;
    if (change < 0) move();
  };

  /** Sends a batch. Returns whether all its events are settled. */
  const attempt = async (body: Uint8Array, due: LaneBatch): Promise<boolean> => {
    const tried = outage.begin();
    const { events, kept } = due;
    // Retry the parts of a split batch even during an outage: the service rejected the whole batch, so it is available.
    const send = (part: Uint8Array) => options.send(part, tried.again || part !== body);
    const came = await settleBatch({ body, events, kept }, send).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (!came) {
      counts.attempts++;
      return false;
    }
    const done = came.delivered + came.rejected;
    for (const name of settledCounts) counts[name] += came[name];
    due.events -= done;
    due.size = body.byteLength - came.bytes;
    if (kept) counts.pending -= done;
    refusal ??= came.refusal;
    if (done > 0) {
      outage.end();
      options.tell(tally(), outage.isOut());
      move();
    }
    if (came.failure === undefined) return true;
    if (came.failure instanceof DtpError) {
      failure = came.failure;
      outage.fail(failure, { ...tried, again: tried.again || done > 0 });
    } else if (!signal.aborted) throw came.failure;
    return false;
  };

  /** Waits until at least one event is settled, even during an outage. Returns false if no progress is possible. */
  const progress = async (): Promise<boolean> => {
    const before = settled();
    for (let mayGoOn = true; mayGoOn; ) {
      if (busy > 0) await moved();
      else await Promise.all(lanes.map((lane) => lane.send()));
      if (settled() > before && !isInterrupted(signal)) return true;
      mayGoOn = busy > 0 || (lanes.some((lane) => lane.isDue()) && (await outage.isWorthAnother()));
      mayGoOn &&= !signal.aborted;
    }
    // After the deadline, the caller reports why there was no room.
    if (isInterrupted(signal)) throw signal.reason;
    return false;
  };
  let coming: Promise<boolean> | undefined;
  /** Waits for room in the spool. If several batches wait, they share one call of `progress`. */
  const makeRoom = async (): Promise<boolean> => {
    work(-1);
    try {
      coming ??= progress().finally(() => {
        coming = undefined;
      });
      return await coming;
    } finally {
      work(1);
    }
  };

  const gauge = openByteSemaphore(MOST);
  const spare: Uint8Array[] = [];
  const lanes = Array.from({ length: options.concurrency }, () =>
    openLane({
      ...options,
      attempt,
      work,
      gauge,
      spare,
      lose: ({ events }) => {
        counts.pending -= events;
      },
      isOut: outage.isOut,
      isStopped: () => full !== undefined,
      stop: (why = failure ?? signal.reason) => {
        full ??= why;
      },
      queue: async ({ body, events }) => {
        const kept = body && (await keep?.(body, events, makeRoom));
        counts.batches++;
        if (kept) counts.pending += events;
        return kept;
      },
    }),
  );

  /** Waits until there is enough memory for more events, or reading has stopped. */
  const makeWay = async () => {
    for (;;) {
      const bytes = lanes.reduce((sum, { held }) => sum + held.bytes, 0);
      const batches = lanes.reduce((sum, { held }) => sum + held.batches, 0);
      if (batches <= WAITING.batches && bytes <= WAITING.bytes) return;
      if (bytes <= MOST && lanes.every(({ held }) => held.batches <= 1)) return;
      if (bytes > MOST) for (const lane of lanes) lane.close();
      if (full !== undefined) return;
      if (!(await moved(WAIT))) for (const lane of lanes) lane.forget();
    }
  };

  /** Sends the remaining batches of a lane, and waits for the end of a short outage. */
  const finish = async (lane: (typeof lanes)[number]) => {
    await lane.finish();
    try {
      await lane.send();
      while (keep && lane.isDue() && (await outage.isWorthAnother())) await lane.send();
    } catch (error) {
      full ??= error;
    }
  };

  let ended: unknown;
  try {
    for await (const events of input) {
      for (const one of events) {
        read += one.ends?.length ?? 1;
        lanes[laneOf(one.execution, lanes.length)]?.put(one);
      }
      if (events.length === 0) for (const lane of lanes) lane.closeOld();
      await makeWay();
      if (full !== undefined) break;
    }
  } catch (error) {
    ended = error;
  }
  await Promise.all(lanes.map(finish));
  const final = tally();
  // The deadline only shows that something took long, so another reason is reported instead.
  const reason = hasCode(ended, 'timeout') ? (full ?? ended) : (ended ?? full);
  return { tally: final, failure, refusal, ended: reason, left: read - final.accepted };
}

const isInterrupted = ({ aborted, reason }: AbortSignal): boolean => aborted && !hasCode(reason, 'timeout');

/** Chooses the lane of an execution by an FNV-1a hash. */
function laneOf(execution: string, lanes: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < execution.length; at++) hash = Math.imul(hash ^ execution.charCodeAt(at), 0x01000193) >>> 0;
  return hash % lanes;
}
