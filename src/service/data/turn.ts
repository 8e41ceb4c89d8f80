/**
 * Lets one thread of this process write at a time. If the network fails, the database keeps what it was asked for: with
 * several threads, their transactions would begin one after another, and each would block all writers for seconds.
 */
import { threadId } from 'node:worker_threads';

/** Shared memory with the number of the thread whose turn it is, or 0. */
export type Turn = Int32Array;

export const openTurn = (): Turn => new Int32Array(new SharedArrayBuffer(4));

/** Blocks this thread until it is its turn. Returns false if that takes longer than `waitMs`. */
export function takeTurn(turn: Turn, waitMs: number): boolean {
  const end = performance.now() + waitMs;
  while (true) {
    const other = Atomics.compareExchange(turn, 0, 0, threadId);
    if (other === 0) return true;
    if (Atomics.wait(turn, 0, other, Math.max(0, end - performance.now())) === 'timed-out') return false;
  }
}

/** Ends the turn of a thread, if it has it. */
export function endTurn(turn: Turn, of = threadId): void {
  if (Atomics.compareExchange(turn, 0, of, 0) === of) Atomics.notify(turn, 0);
}
