/** Sends one batch, splits it if the service rejects it, and removes its settled events from the spool. */
import { DtpError } from '../errors.ts';
import { elementsIn } from '../request/elements.ts';
import type { Queued } from '../store/spool.ts';
import { joinEvents } from './body.ts';

/** A JSON array of events. `kept` is the queued batch, unless queueing is disabled. */
export interface Batch {
  readonly body: Uint8Array;
  readonly events: number;
  readonly kept: Queued | undefined;
}

/** Sends a body and returns the number of attempts. Throws the last failure, which includes that number. */
export type SendBody = (body: Uint8Array) => Promise<number>;

export interface Settled {
  /** The number of acknowledged events. `bytes` is their size. */
  readonly delivered: number;
  readonly bytes: number;
  /** The number of events that the service rejected permanently. */
  readonly rejected: number;
  readonly attempts: number;
  /** The error for the first rejected events. */
  readonly refusal: DtpError | undefined;
  /** Why the remaining events are pending, if any are. An error other than a DtpError stops the delivery. */
  readonly failure: unknown;
}

/** The counts that are added up over batches. */
export const settledCounts = ['delivered', 'rejected', 'attempts', 'bytes'] as const;

/** The statuses after which a batch is split: only some of its events may be invalid, or it may be too large. */
const divisible: readonly unknown[] = [400, 409, 413, 422];

/** The maximum number of requests for the parts of one batch. */
const MOST = 32;

/** Sends a batch and updates it in the spool. Throws disk errors. The batch then stays pending. */
export async function settleBatch(batch: Batch, send: SendBody): Promise<Settled> {
  const { body, events, kept } = batch;
  const first = await attempt(body, send);
  const { attempts } = first;
  if (first.state === 'refused' && events > 1 && isDivisible(first.error)) return settleParts(batch, send, attempts);
  const settled = { delivered: 0, bytes: 0, rejected: 0, attempts, refusal: undefined, failure: undefined };
  if (first.state === 'failed') return { ...settled, failure: first.error };
  if (first.state === 'refused') {
    await reject(kept, first.error);
    return { ...settled, rejected: events, refusal: first.error };
  }
  await kept?.remove();
  return { ...settled, delivered: events, bytes: body.byteLength };
}

/** Consecutive events of a rejected batch. */
type Part = readonly Uint8Array[];

/**
 * Sends the two halves of a rejected batch, and splits a rejected half again. The parts are sent from first to last, to
 * keep the events in order. Acknowledged events are deleted from the disk at once. Events that are still rejected at
 * the end are set aside.
 */
async function settleParts({ body, kept }: Batch, send: SendBody, before: number): Promise<Settled> {
  const settled = { delivered: 0, bytes: 0, attempts: before };
  const refused: Part[] = [];
  const due = halves(elementsIn(body));
  let refusal: DtpError | undefined;
  let failure: unknown;
  for (let sent = 1; due[0]; sent++) {
    const part = due[0];
    const bytes = joinEvents(part);
    const outcome = await attempt(bytes, send);
    settled.attempts += outcome.attempts;
    if (outcome.state === 'failed') {
      failure = outcome.error;
      break;
    }
    due.shift();
    if (outcome.state === 'refused') {
      // Split only if the remaining requests are enough for all remaining parts.
      const isSplit = part.length > 1 && isDivisible(outcome.error) && sent + due.length + 2 <= MOST;
      if (isSplit) due.unshift(...halves(part));
      else {
        refused.push(part);
        refusal ??= outcome.error;
      }
      continue;
    }
    settled.delivered += part.length;
    settled.bytes += bytes.byteLength;
    const left = [...refused, ...due].flat();
    if (left.length > 0) await kept?.replace(joinEvents(left), left.length);
  }
  // The batch also keeps the rejected events. The service will reject them again when the batch is sent again.
  if (failure !== undefined) return { ...settled, rejected: 0, refusal: undefined, failure };
  if (refusal) await reject(kept, refusal);
  else await kept?.remove();
  return { ...settled, rejected: refused.flat().length, refusal, failure };
}

const halves = (part: Part): Part[] => {
  const middle = part.length >> 1;
  return [part.slice(0, middle), part.slice(middle)];
};

type Outcome =
  | { readonly state: 'delivered'; readonly attempts: number }
  | { readonly state: 'refused'; readonly attempts: number; readonly error: DtpError }
  | { readonly state: 'failed'; readonly attempts: number; readonly error: unknown };

async function attempt(body: Uint8Array, send: SendBody): Promise<Outcome> {
  try {
    return { state: 'delivered', attempts: await send(body) };
  } catch (error) {
    if (!(error instanceof DtpError)) return { state: 'failed', attempts: 1, error };
    const { attempts = 1 } = error.facts;
    return isRefusal(error) ? { state: 'refused', attempts, error } : { state: 'failed', attempts, error };
  }
}

const reject = (kept: Queued | undefined, { facts, message }: DtpError): Promise<void> | undefined =>
  kept?.reject(facts.status ?? 0, message);

const isDivisible = ({ facts }: DtpError): boolean => divisible.includes(facts.status);

/** Whether the service rejected the events themselves, unlike for a wrong credential or a rate limit. */
const isRefusal = ({ code, facts }: DtpError) =>
  (code === 'rejected' || code === 'not_found') && facts.retryable !== true;

/** Whether all other batches with this credential will fail too. */
export const isCredentialRefused = ({ code }: DtpError) => code === 'auth' || code === 'forbidden';
