/** Shares the service among its tenants, so that no tenant can end it or make the others wait. */
import { passedOn } from '../request/http.ts';
import { Refusal } from './refusal.ts';

/** What all requests in progress may hold in memory, in bytes. A tenant may hold as much as is free after that. */
const MEMORY = 160 * 2 ** 20;

/** The most requests of one tenant that are in progress. */
const REQUESTS = 250;

/** How long a request may wait for its turn, in milliseconds. */
const PATIENCE_MS = 10_000;

/** What one request has of the share of its tenant. */
export type Share = ReturnType<ReturnType<typeof openShares>>;

/**
 * Returns a function that lets a request of a tenant in. It throws Refusal if too many are in progress. `now` is a time
 * in milliseconds, and `check` throws if the request must end.
 */
export function openShares(now: () => number) {
  const turnOf = openTurns();
  const used = new Map<string, { requests: number; bytes: number }>();
  let all = 0;
  return (tenant: string, check = () => {}) => {
    const own = used.get(tenant) ?? { requests: 0, bytes: 0 };
    if (own.requests >= REQUESTS) throw new Refusal(429, `more than ${REQUESTS} requests are in progress`, 1);
    own.requests++;
    used.set(tenant, own);
    let held = 0;
    let isOver = false;
    const hold = (bytes: number) => {
      if (own.bytes + bytes > MEMORY - all - bytes)
        throw new Refusal(503, 'the requests in progress take too much memory: send this one again later', 1);
      [held, own.bytes, all] = [held + bytes, own.bytes + bytes, all + bytes];
    };
    return {
      /**
       * Waits until it is the tenant's turn. Call it before each piece of work that takes more than a millisecond. Throws
       * what `check` throws, and Refusal with status 503 after a long wait.
       */
      turn: async () => {
        const start = now();
        await turnOf(tenant);
        check();
        if (now() - start > PATIENCE_MS) throw new Refusal(503, 'too many requests are in progress', 1);
      },
      /** Counts bytes that the request holds until it ends. Throws Refusal with status 503 if there is no room for them. */
      hold,
      /** Passes bytes on, and counts them like `hold`. */
      holding: (bytes: AsyncIterable<Uint8Array>) => passedOn(bytes, { see: (piece) => hold(piece.byteLength) }),
      /** Frees what the request holds. The second call does nothing. */
      end: () => {
        if (isOver) return;
        isOver = true;
        [own.bytes, all] = [own.bytes - held, all - held];
        if (--own.requests === 0) used.delete(tenant);
      },
    };
  };
}

/** Gives turns of the event loop to tenants, one after another, however many requests each of them has. */
function openTurns(): (tenant: string) => Promise<void> {
  /** The requests that wait, by tenant. The tenant whose turn is next comes first. */
  const waiting = new Map<string, (() => void)[]>();
  let isTaken = false;
  const next = () => {
    const [first] = waiting;
    isTaken = first !== undefined;
    if (!first) return;
    const [tenant, [go, ...others]] = first;
    waiting.delete(tenant);
    if (others.length > 0) waiting.set(tenant, others);
    setImmediate(next);
    go?.();
  };
  return (tenant) =>
    new Promise((go) => {
      waiting.set(tenant, [...(waiting.get(tenant) ?? []), go]);
      if (!isTaken) next();
    });
}
