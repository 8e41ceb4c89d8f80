/** Settles one batch: sends it, splits it if the service rejects some events, and updates the spool. */
import { DtpError } from '../errors.ts';
import { elementsIn } from '../request/elements.ts';
import type { Queued } from '../store/spool.ts';
import { joined } from './body.ts';

/** Events as a JSON array. */
export interface Batch {
  readonly body: Uint8Array;
  readonly events: number;
  readonly kept: Queued | undefined;
}

/** Sends a body and returns the number of attempts. Throws the last failure, which includes that number. */
export type SendBody = (body: Uint8Array) => Promise<number>;

export interface Settled {
  /** Events that were acknowledged, and their bytes. */
  readonly delivered: number;
  readonly bytes: number;
  /** Events that the service checked and rejected permanently. */
  readonly rejected: number;
  readonly attempts: number;
  /** Why the first rejected events were rejected. */
  readonly refusal: DtpError | undefined;
  /**
   * Why the other events are pending. Undefined if all events are settled. Any error other than a DtpError stops delivery.
   */
  readonly failure: unknown;
}

/** After these statuses, a batch is split: perhaps only some of its events are invalid, or it is too large. */
const divisible: readonly unknown[] = [400, 413, 422];

/** The maximum number of extra requests for one batch. */
const MOST = 32;

/** Settles a batch. Throws disk errors, and then the batch stays pending. */
export async function settle(batch: Batch, send: SendBody): Promise<Settled> {
  const { body, events, kept } = batch;
  const first = await attempt(body, send);
  const { attempts } = first;
  if (first.state === 'refused' && events > 1 && isDivisible(first.error))
    return settleParts(batch, send, attempts);
  const settled = { delivered: 0, bytes: 0, rejected: 0, attempts, refusal: undefined, failure: undefined };
  if (first.state === 'failed') return { ...settled, failure: first.error };
  if (first.state === 'refused') {
    await reject(kept, first.error);
    return { ...settled, rejected: events, refusal: first.error };
  }
  await kept?.remove();
  return { ...settled, delivered: events, bytes: body.byteLength };
}

/** Consecutive events of a batch that was rejected. */
type Part = readonly Uint8Array[];

/**
 * Sends the halves of a batch, and splits a rejected half again, from the first event to the last to keep their
 * order. Acknowledged events are deleted from the disk at once. Events that are still rejected at the end are set
 * aside.
 */
async function settleParts({ body, kept }: Batch, send: SendBody, before: number): Promise<Settled> {
  const settled = { delivered: 0, bytes: 0, attempts: before };
  const refused: Part[] = [];
  const due = halves(elementsIn(body));
  let refusal: DtpError | undefined;
  let failure: unknown;
  for (let sent = 1; due[0]; sent++) {
    const part = due[0];
    const bytes = joined(part);
    const outcome = await attempt(bytes, send);
    settled.attempts += outcome.attempts;
    if (outcome.state === 'failed') {
      failure = outcome.error;
      break;
    }
    due.shift();
    if (outcome.state === 'refused') {
      // Split only if the requests that are left are enough for all remaining parts.
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
    if (left.length > 0) await kept?.replace(joined(left), left.length);
  }
  // The rejected events stay in the batch too. They are found again when the batch is sent again.
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

/** Whether the service rejected the events themselves. A wrong credential or a rate limit says nothing about them. */
const isRefusal = ({ code, facts }: DtpError) =>
  (code === 'rejected' || code === 'not_found') && facts.retryable !== true;

/** Whether all other batches with this credential will fail too. */
export const isShut = ({ code }: DtpError) => code === 'auth' || code === 'forbidden';
