/** Connects the store of a thread to the main thread, which talks to the database server while the thread waits. */
import { MessageChannel, receiveMessageOnPort, threadId } from 'node:worker_threads';
import { type HranaAnswer, readAnswer } from './hrana.ts';
import { remoteFault } from './remote-fault.ts';

export type Link = ReturnType<typeof openLink>;

/** Creates memory for a number that threads share. */
export const sharedNumber = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

/** A request with its number. The main thread stores the number when the answer can be read. */
type Question = readonly [number: number, request: string];

/**
 * Returns a thread's end of a new link. `answer` sends a request to the server, and returns undefined if it cannot.
 * `turn` is memory of all threads: the id of the thread that may begin a transaction, or 0. If several threads had
 * requested one when the network failed, the server would begin these later, one after another, and each would block
 * all writers for seconds.
 */
export function openLink(turn: Int32Array, answer: (request: string) => Promise<HranaAnswer | undefined>) {
  const { port1, port2: port } = new MessageChannel();
  /** The number of the last request that has an answer. */
  const answered = sharedNumber();
  port1.on('message', async ([number, request]: Question) => {
    port1.postMessage(await answer(request));
    Atomics.store(answered, 0, number);
    Atomics.notify(answered, 0);
  });
  return { port, answered, turn };
}

let lastNumber = 0;

/** Sends a request to the server, and blocks this thread until the main thread has the answer, or has given up. */
export function askOver({ port, answered }: Link, request: string): ReturnType<typeof readAnswer> {
  // Shared memory has 32-bit numbers, so -2 ** 31 follows 2 ** 31 - 1.
  lastNumber = (lastNumber + 1) | 0;
  port.postMessage([lastNumber, request] satisfies Question);
  // A late notification of an earlier answer may end the wait, so check the number again.
  for (let seen = Atomics.load(answered, 0); seen !== lastNumber; seen = Atomics.load(answered, 0))
    Atomics.wait(answered, 0, seen);
  const answer: HranaAnswer | undefined = receiveMessageOnPort(port)?.message;
  if (!answer) throw remoteFault({ message: 'the database does not answer' });
  return readAnswer(answer);
}

/** Blocks this thread until it is its turn. Returns false if that takes longer than `waitMs`. */
export function takeTurn({ turn }: Link, waitMs: number): boolean {
  const end = performance.now() + waitMs;
  while (true) {
    const other = Atomics.compareExchange(turn, 0, 0, threadId);
    if (other === 0) return true;
    if (Atomics.wait(turn, 0, other, Math.max(0, end - performance.now())) === 'timed-out') return false;
  }
}

/** Ends the turn of a thread, if it has the turn. The main thread does it for a thread that has stopped. */
export function endTurn({ turn }: Link, of = threadId): void {
  if (Atomics.compareExchange(turn, 0, of, 0) === of) Atomics.notify(turn, 0);
}
