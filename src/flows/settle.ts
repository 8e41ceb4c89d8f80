/** One batch: sent, split if the service refuses some of its events, and out of the spool or not by what came of it. */
import { DtpError } from '../errors.ts';
import { elementsIn } from '../request/elements.ts';
import type { Kept } from '../store/spool.ts';
import { joined } from './body.ts';

/** Events, as a JSON array. */
export interface Batch {
  readonly body: Uint8Array;
  readonly events: number;
  readonly kept: Kept | undefined;
}

/** Sends a body; how often it was sent. Throws the failure of the last attempt, which knows that too. */
export type SendBody = (body: Uint8Array) => Promise<number>;

export interface Settled {
  /** Events that were acknowledged, and their bytes. */
  readonly delivered: number;
  readonly bytes: number;
  /** Events that were refused for good: the service has looked at them and does not accept them. */
  readonly rejected: number;
  readonly attempts: number;
  /** Why the first of them was refused. */
  readonly refusal: DtpError | undefined;
  /** Why the other events are pending; undefined if there are no others. Any error but a DtpError ends the sending. */
  readonly failure: unknown;
}

/** Statuses that may be about some events of a batch, or about its size: it is split. */
const divisible: readonly unknown[] = [400, 413, 422];

/** Requests of a batch beside the first one. */
const MOST = 32;

/** Throws what the disk does; the batch is pending then. */
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

/** Some events of a batch that was refused, in their order. */
type Part = readonly Uint8Array[];

/**
 * Halves of the batch, and halves of those that are refused, from the first event to the last, so that the order stays.
 * What is acknowledged leaves the disk at once. What is refused at the end is rejected as it stands.
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
      // Each part that is due needs a request of its own.
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
  // What is refused is looked for again when the others can be sent.
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

const reject = (kept: Kept | undefined, { facts, message }: DtpError): Promise<void> | undefined =>
  kept?.reject(facts.status ?? 0, message);

const isDivisible = ({ facts }: DtpError): boolean => divisible.includes(facts.status);

/** A wrong credential says nothing about the events, nor does a service that is asked too often. */
const isRefusal = ({ code, facts }: DtpError) =>
  (code === 'rejected' || code === 'not_found') && facts.retryable !== true;

/** Whether no other batch of this credential will fare better. */
export const isShut = ({ code }: DtpError) => code === 'auth' || code === 'forbidden';
