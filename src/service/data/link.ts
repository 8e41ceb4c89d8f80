/** Connects the store of a thread to the main thread, which talks to the database server while the thread waits. */
import { MessageChannel, type MessagePort, receiveMessageOnPort, threadId } from 'node:worker_threads';
import { type HranaAnswer, readAnswer } from './hrana.ts';
import { remoteFault } from './remote-fault.ts';

export interface Link {
  readonly port: MessagePort;
  /** Shared memory: 1 as soon as there is an answer. */
  readonly isAnswered: Int32Array;
  /**
   * Memory of all threads: the number of the one that may write, or 0. If the network fails, the database keeps what it
   * was asked for: the transactions of several threads would begin one after another, and block all writers for seconds.
   */
  readonly turn: Int32Array;
}

/** Memory for a number that threads share. */
export const sharedNumber = (): Int32Array => new Int32Array(new SharedArrayBuffer(4));

/** Returns a thread's end of a new link. `answer` sends a request to the server, and returns undefined if it cannot. */
export function openLink(turn: Int32Array, answer: (request: string) => Promise<HranaAnswer | undefined>): Link {
  const { port1, port2: port } = new MessageChannel();
  const isAnswered = sharedNumber();
  port1.on('message', async (request: string) => {
    port1.postMessage(await answer(request));
    Atomics.store(isAnswered, 0, 1);
    Atomics.notify(isAnswered, 0);
  });
  return { port, isAnswered, turn };
}

/** Sends a request to the server, and blocks this thread until the main thread has the answer, or has given up. */
export function askOver({ port, isAnswered }: Link, request: string): ReturnType<typeof readAnswer> {
  Atomics.store(isAnswered, 0, 0);
  port.postMessage(request);
  Atomics.wait(isAnswered, 0, 0);
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

/** Ends the turn of a thread, if it has it. */
export function endTurn({ turn }: Link, of = threadId): void {
  if (Atomics.compareExchange(turn, 0, of, 0) === of) Atomics.notify(turn, 0);
}
