/** Events in, batches out: in lanes that keep the order of each execution, over the spool, through an outage. */
import type { Clock } from '../clock.ts';
import { DtpError } from '../errors.ts';
import type { Keep } from '../store/spool.ts';
import { openGauge } from './gauge.ts';
import { type Due, openLane } from './lane.ts';
import { openOutage } from './outage.ts';
import { type Settled, settle } from './settle.ts';

/** An event as its JSON; events of one execution are delivered in their order. */
export interface EventBytes {
  readonly bytes: Uint8Array;
  readonly execution: string;
}

export interface DeliverOptions {
  /** Absent where nothing is to be kept. */
  readonly keep: Keep | undefined;
  /** How often it was sent; throws the last failure. `again` asks for the declared retry. */
  readonly send: (body: Uint8Array, again: boolean) => Promise<number>;
  readonly batchSize: number;
  /** The most bytes of a batch; an event that is longer is one of its own. */
  readonly batchBytes: number;
  readonly concurrency: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends the sending; what was taken in is kept all the same. */
  readonly signal: AbortSignal;
  /** `isOut` while the service does not answer. */
  readonly tell: (tally: Tally, isOut: boolean) => void;
}

/** Events, save the last three. Accepted ones are delivered, pending or rejected, and nowhere else. */
export interface Tally {
  readonly accepted: number;
  readonly delivered: number;
  readonly pending: number;
  readonly rejected: number;
  readonly batches: number;
  readonly attempts: number;
  /** Acknowledged. */
  readonly bytes: number;
}

export interface Delivery {
  readonly tally: Tally;
  /** Why batches are pending, or not delivered where nothing is kept. */
  readonly failure: DtpError | undefined;
  /** Why the first rejected batch was. */
  readonly refusal: DtpError | undefined;
  /** Why the input was not taken in to its end. */
  readonly ended: unknown;
  /** Events that were read and not accepted. */
  readonly left: number;
}

/** Batches of a lane that wait in memory before the input does. */
const WAITING = 1;

/** Bytes that are in memory before the input waits, and as many again that are being sent; a batch may be longer. */
const MOST = 32 * 1024 * 1024;

/** Milliseconds that the input waits for the network; then batches are queued on the disk alone, and it goes on. */
const WAIT = 200;

/**
 * Takes in events until the input ends, or throws (which is told as `ended`), or they can no more be kept. Where the input
 * gives no events, it pauses: what waits for others of its batch is queued.
 *
 * The network holds up neither the reading nor the queueing: what is not sent soon waits on the disk, and is read from
 * there. An outage does not end it: now and then one batch is tried, in the order of its lane. A failure that the declared
 * policy does not repeat ends the sending: what comes after it is kept for another command.
 */
export async function deliver(
  input: AsyncIterable<readonly EventBytes[]>,
  options: DeliverOptions,
): Promise<Delivery> {
  const { keep, signal } = options;
  const counts = { delivered: 0, pending: 0, rejected: 0, batches: 0, attempts: 0, bytes: 0 };
  const tally = () => ({ accepted: counts.delivered + counts.pending + counts.rejected, ...counts });
  const settled = () => counts.delivered + counts.rejected;
  const outage = openOutage(options);
  let read = 0;
  let failure: DtpError | undefined;
  let refusal: DtpError | undefined;
  let full: unknown;

  /** Batches that are being queued or sent, but for those that wait for room in the spool. */
  let busy = 0;
  let waiting: (() => void)[] = [];
  const move = () => {
    const all = waiting;
    waiting = [];
    for (const go of all) go();
  };
  /** Waits until a batch has been queued or sent, or for so many milliseconds; false for that. */
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

  /** Whether the batch is settled. */
  const attempt = async (body: Uint8Array, due: Due): Promise<boolean> => {
    const tried = outage.begin();
    const { events, kept } = due;
    // The parts of a batch are sent when the service has answered.
    const send = (part: Uint8Array) => options.send(part, tried.again || part !== body);
    const came = await settle({ body, events, kept }, send).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (!came) {
      counts.attempts++;
      return false;
    }
    const done = came.delivered + came.rejected;
    count(came);
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
  const count = ({ delivered, rejected, attempts, bytes }: Settled) => {
    counts.delivered += delivered;
    counts.rejected += rejected;
    counts.attempts += attempts;
    counts.bytes += bytes;
  };

  /** Waits until a batch is settled, of an outage too. False where nothing moves any more. */
  const makeRoom = async (): Promise<boolean> => {
    work(-1);
    try {
      for (const before = settled(); settled() === before; signal.throwIfAborted()) {
        if (busy > 0) await moved();
        else await Promise.all(lanes.map((lane) => lane.send()));
        if (busy > 0 || settled() > before) continue;
        if (lanes.some((lane) => lane.isDue()) && (await outage.isWorthAnother())) continue;
        signal.throwIfAborted();
        return false;
      }
      return true;
    } finally {
      work(1);
    }
  };

  const gauge = openGauge(MOST);
  const lanes = Array.from({ length: options.concurrency }, () =>
    openLane({
      ...options,
      attempt,
      work,
      gauge,
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

  /** Waits until there is memory for more events. */
  const makeWay = async () => {
    for (;;) {
      const bytes = lanes.reduce((sum, { held }) => sum + held.bytes, 0);
      if (bytes <= MOST && lanes.every(({ held }) => held.batches <= WAITING)) return;
      if (bytes > MOST) for (const lane of lanes) lane.close();
      if (full !== undefined) return;
      if (!(await moved(WAIT))) for (const lane of lanes) lane.forget();
    }
  };

  /** Sends what is due, and waits out an outage that does not last. */
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
      read += events.length;
      for (const { bytes, execution } of events) lanes[laneOf(execution, lanes.length)]?.put(bytes);
      if (events.length === 0) for (const lane of lanes) lane.closeOld();
      await makeWay();
      if (full !== undefined) break;
    }
  } catch (error) {
    ended = error;
  }
  await Promise.all(lanes.map(finish));
  const final = tally();
  return { tally: final, failure, refusal, ended: ended ?? full, left: read - final.accepted };
}

/** FNV-1a. */
function laneOf(execution: string, lanes: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < execution.length; at++)
    hash = Math.imul(hash ^ execution.charCodeAt(at), 0x01000193) >>> 0;
  return hash % lanes;
}
