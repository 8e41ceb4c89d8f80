/** Events in, batches out: in lanes that keep the order of each execution, over the spool, through an outage. */
import type { Clock } from '../clock.ts';
import { DtpError, isRepeated } from '../errors.ts';
import { backoff } from '../operations/shared.ts';
import type { Keep, Kept } from '../store/spool.ts';
import { settle } from './settle.ts';

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

/** Milliseconds between two attempts during an outage: the declared policy's longest wait. */
const LOOK = backoff.maxMs;

/** Milliseconds from the beginning of an outage in which attempts go on when the input has ended (Limits 1). */
const PATIENCE = backoff.elapsedMs;

/** Batches of a lane that wait in memory before the input does. */
const WAITING = 2;

/** A batch of a lane, to be sent after those before it. The body is held while it is new. */
interface Due {
  readonly events: number;
  readonly kept: Kept | undefined;
  body: Uint8Array | undefined;
}

/**
 * Takes in events until the input ends, or throws (which is told as `ended`), or they can no more be kept. An outage
 * does not end it: what comes meanwhile is kept unsent, and now and then one batch is tried, in the order of its lane. A
 * failure that the declared policy does not repeat ends the sending: what comes after it is kept for another command.
 */
export async function deliver(
  input: AsyncIterable<readonly EventBytes[]>,
  options: DeliverOptions,
): Promise<Delivery> {
  const { keep, clock, random, signal } = options;
  const counts = { delivered: 0, pending: 0, rejected: 0, batches: 0, attempts: 0, bytes: 0 };
  const tally = () => ({ accepted: counts.delivered + counts.pending + counts.rejected, ...counts });
  let read = 0;
  let failure: DtpError | undefined;
  let refusal: DtpError | undefined;
  let full: unknown;
  /** When the next look is due; 0 while the service answers. */
  let outUntil = 0;
  let outSince = 0;
  /** Set by a failure that is not repeated. A batch that succeeds in another lane does not undo it. */
  let isOver = false;

  const isOut = () => signal.aborted || isOver || clock.now() < outUntil;

  /** Waits for the next look; false where that is not worth it. */
  const isWorthAnother = async (): Promise<boolean> => {
    const wait = outUntil - clock.now();
    if (signal.aborted || isOver || outUntil - outSince > PATIENCE) return false;
    if (wait > 0) await clock.sleep(wait, signal).catch(() => undefined);
    return !signal.aborted && !isOver;
  };

  /** Whether the batch is settled. */
  const attempt = async (body: Uint8Array, { events, kept }: Due): Promise<boolean> => {
    // A look is one attempt, and nobody else looks meanwhile.
    const again = outUntil === 0;
    const start = clock.now();
    if (!again) outUntil = start + LOOK;
    const settled = await settle(kept, () => options.send(body, again)).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    counts.attempts += settled?.attempts ?? 1;
    if (!settled) return false;
    if (settled.state === 'pending') {
      failure = settled.error;
      if (!isRepeated(backoff, failure.facts)) isOver = true;
      if (again) outSince = start;
      outUntil = clock.now() + Math.max(LOOK * (0.5 + random() / 2), failure.facts.waitMs ?? 0);
      return false;
    }
    outUntil = 0;
    counts[settled.state] += events;
    if (kept) counts.pending -= events;
    if (settled.state === 'rejected') refusal ??= settled.error;
    else counts.bytes += body.byteLength;
    options.tell(tally(), outUntil > 0);
    move();
    return true;
  };

  const settled = () => counts.delivered + counts.rejected;
  /** Batches in the hands of a lane that does not wait for room. */
  let busy = 0;
  const waiting: (() => void)[] = [];
  const move = () => {
    for (const go of waiting.splice(0)) go();
  };
  /** Waits until a batch is settled, of an outage too. False where nothing moves any more. */
  const makeRoom = async (): Promise<boolean> => {
    busy--;
    move();
    try {
      for (const before = settled(); settled() === before; signal.throwIfAborted()) {
        if (busy > 0) await new Promise<void>((go) => waiting.push(go));
        else await Promise.all(lanes.map((lane) => lane.catchUp()));
        if (busy > 0 || settled() > before) continue;
        if (lanes.some((lane) => lane.isDue()) && (await isWorthAnother())) continue;
        signal.throwIfAborted();
        return false;
      }
      return true;
    } finally {
      busy++;
    }
  };

  const openLane = () => {
    let parts: Uint8Array[] = [];
    /** Bytes, with the brackets and commas. */
    let size = 1;
    const under: Promise<void>[] = [];
    const due: Due[] = [];

    const sendDue = async () => {
      for (let first = due[0]; first && !isOut(); first = due[0]) {
        const body = first.body ?? (await first.kept?.read());
        if (!body) {
          due.shift();
          counts.pending -= first.events;
          throw new DtpError('error', `the kept batch ${first.kept?.id} was damaged on the disk`);
        }
        if (!(await attempt(body, first))) return;
        due.shift();
      }
    };
    let turn: Promise<unknown> = Promise.resolve();
    /** One after the other: a batch has one sender. */
    const catchUp = (): Promise<void> => {
      const done = turn.then(sendDue);
      turn = done.catch(() => undefined);
      return done;
    };
    const deliverBatch = async (body: Uint8Array, events: number) => {
      if (full !== undefined) return;
      busy++;
      try {
        const kept = await keep?.(body, events, makeRoom);
        counts.batches++;
        if (kept) counts.pending += events;
        const one: Due = { events, kept, body };
        due.push(one);
        await catchUp().finally(() => {
          // What is on the disk need not be held.
          if (kept) one.body = undefined;
          else if (due.includes(one)) full ??= failure ?? signal.reason;
        });
      } finally {
        busy--;
        move();
      }
    };
    const close = () => {
      if (parts.length === 0) return;
      const [body, events] = [arrayOf(parts, size), parts.length];
      parts = [];
      size = 1;
      const before = under.at(-1) ?? Promise.resolve();
      const done = before
        .then(() => deliverBatch(body, events))
        .catch((error: unknown) => {
          full ??= error;
        })
        .finally(() => {
          under.shift();
        });
      under.push(done);
    };
    return {
      catchUp,
      isDue: () => due.length > 0,
      put: (bytes: Uint8Array) => {
        const length = bytes.byteLength + 1;
        if (parts.length >= options.batchSize || size + length > options.batchBytes) close();
        parts.push(bytes);
        size += length;
      },
      room: async () => {
        while (under.length > WAITING) await under[0];
      },
      finish: async () => {
        close();
        await under.at(-1);
        try {
          await catchUp();
          while (due[0]?.kept && (await isWorthAnother())) await catchUp();
        } catch (error) {
          full ??= error;
        }
      },
    };
  };

  const lanes = Array.from({ length: options.concurrency }, openLane);
  let ended: unknown;
  try {
    for await (const events of input) {
      read += events.length;
      for (const { bytes, execution } of events) lanes[laneOf(execution, lanes.length)]?.put(bytes);
      for (const lane of lanes) await lane.room();
      if (full !== undefined) break;
    }
  } catch (error) {
    ended = error;
  }
  await Promise.all(lanes.map((lane) => lane.finish()));
  const final = tally();
  return { tally: final, failure, refusal, ended: ended ?? full, left: read - final.accepted };
}

/** `size` is what comes out: each part and one byte more, and one for all. */
function arrayOf(parts: readonly Uint8Array[], size: number): Uint8Array {
  const all = Buffer.allocUnsafe(size);
  all[0] = 0x5b;
  let at = 1;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
    all[at++] = 0x2c;
  }
  all[size - 1] = 0x5d;
  return all;
}

/** FNV-1a. */
function laneOf(execution: string, lanes: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < execution.length; at++)
    hash = Math.imul(hash ^ execution.charCodeAt(at), 0x01000193) >>> 0;
  return hash % lanes;
}
