/** Lets concurrent requests retry only one after the other, so that an outage does not multiply the load. */

/** Waits for a turn and returns the function that ends it. Throws the signal's reason if the signal aborts first. */
export type AcquireTurn = (signal: AbortSignal) => Promise<() => void>;

/** Creates a queue of turns. They are granted in the order in which they were requested. */
export function openTurns(): AcquireTurn {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  const end = () => {
    const next = waiting.shift();
    if (next) next();
    else isTaken = false;
  };
  return async (signal) => {
    signal.throwIfAborted();
    if (isTaken)
      await new Promise<void>((done, failed) => {
        const next = () => {
          signal.removeEventListener('abort', leave);
          done();
        };
        const leave = () => {
          waiting.splice(waiting.indexOf(next), 1);
          failed(signal.reason);
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.push(next);
      });
    isTaken = true;
    let isEnded = false;
    return () => {
      if (!isEnded) end();
      isEnded = true;
    };
  };
}
