/** A circuit breaker: while the database does not answer, statements fail at once instead of one after the other. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The time after which a statement without an answer is a reason to try the database, in milliseconds. */
const SUSPICION_MS = 1000;

/** The time between two attempts to reach the database, in milliseconds. */
const EVERY_MS = 500;

interface Database {
  /** Whether the database answers. */
  readonly probe: () => Promise<boolean>;
  /** Ends the exchanges that are waiting for an answer. */
  readonly cut: () => void;
  /** Called when the database stops answering, and when it answers again. */
  readonly onChange?: ((isThere: boolean) => void) | undefined;
}

export function openCircuit({ probe, cut, onChange }: Database) {
  let isAway = false;
  let isTrying = false;
  let isClosed = false;
  const tryOut = async () => {
    if (isTrying) return;
    isTrying = true;
    while (!isClosed && !(await probe())) {
      if (!isAway) onChange?.(false);
      isAway = true;
      cut();
      await sleep(EVERY_MS, undefined, { ref: false });
    }
    if (isAway && !isClosed) onChange?.(true);
    isAway = false;
    isTrying = false;
  };
  return {
    /** Calls `exchange`. Throws without a call while the database is known not to answer. */
    unlessAway: async <T>(exchange: () => Promise<T>): Promise<T> => {
      if (isAway) throw new Error('the database did not answer before');
      const suspicion = setTimeout(tryOut, SUSPICION_MS);
      try {
        return await exchange();
      } catch (error) {
        void tryOut();
        throw error;
      } finally {
        clearTimeout(suspicion);
      }
    },
    close: () => {
      isClosed = true;
    },
  };
}
