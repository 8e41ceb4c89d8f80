/** One kept batch: sent, and out of the spool or not by what came of it. */
import { DtpError } from '../errors.ts';
import type { Kept } from '../store/spool.ts';

export type Settled =
  | { readonly state: 'delivered'; readonly attempts: number }
  /** Refused for good: the service has looked at the events and does not want them. */
  | { readonly state: 'rejected'; readonly attempts: number; readonly error: DtpError }
  /** To be sent again another time: the service was not there, or did not look at them. */
  | { readonly state: 'pending'; readonly attempts: number; readonly error: DtpError };

/**
 * `send` gives how often it was sent, or throws the failure of the last attempt, which knows that too. What is no failure
 * of the network or the service is thrown on, and leaves the batch where it is.
 */
export async function settle(kept: Kept | undefined, send: () => Promise<number>): Promise<Settled> {
  let attempts: number;
  try {
    attempts = await send();
  } catch (error) {
    if (!(error instanceof DtpError)) throw error;
    const settled = { attempts: error.facts.attempts ?? 1, error };
    if (!isRefusal(error)) return { state: 'pending', ...settled };
    await kept?.reject(error.facts.status ?? 0, error.message);
    return { state: 'rejected', ...settled };
  }
  await kept?.remove();
  return { state: 'delivered', attempts };
}

/** A wrong credential says nothing about the events, nor does a service that is asked too often. */
const isRefusal = ({ code, facts }: DtpError) =>
  (code === 'rejected' || code === 'not_found') && facts.retryable !== true;

/** Whether no other batch of this credential will fare better. */
export const isShut = ({ code }: DtpError) => code === 'auth' || code === 'forbidden';
