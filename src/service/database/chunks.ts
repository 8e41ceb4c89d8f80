/** Passes bytes between threads: few in one message, many chunk by chunk, so that a slow reader slows its writer. */
import { MessageChannel, MessagePort } from 'node:worker_threads';
import { messageOf } from '../../caught.ts';

/** Without bytes and an error, it is the end. */
type Message = { readonly bytes?: Uint8Array | undefined; readonly error?: string };

/** The bytes, or the port from which another thread reads them. */
export type PassedBytes = Uint8Array | MessagePort;

const MOST_IN_MESSAGE = 1024 * 1024;

/** Returns what a message to another thread can contain. */
export async function passBytes(source: AsyncIterable<Uint8Array>): Promise<PassedBytes> {
  const chunks = source[Symbol.asyncIterator]();
  const first: Uint8Array[] = [];
  for (let size = 0; size <= MOST_IN_MESSAGE; ) {
    const { done, value } = await chunks.next();
    if (done) return Buffer.concat(first);
    first.push(value);
    size += value.byteLength;
  }
  const { port1: port, port2 } = new MessageChannel();
  const next = async (): Promise<Message> => {
    try {
      return { bytes: first.shift() ?? (await chunks.next()).value };
    } catch (error) {
      return { error: messageOf(error) };
    }
  };
  port.on('message', async () => {
    const message = await next();
    port.postMessage(message);
    if (!message.bytes) port.close();
  });
  // The reader has stopped early.
  port.on('close', () => void chunks.return?.().catch(() => undefined));
  return port2;
}

/** The ports among these, which must be transferred. */
export const portsIn = (...all: readonly (PassedBytes | undefined)[]): readonly MessagePort[] =>
  all.filter((one) => one instanceof MessagePort);

/** Reads what `passBytes` passes. Throws if its source does, or if the other thread has ended. */
export async function* readPassed(passed: PassedBytes): AsyncGenerator<Uint8Array> {
  if (!(passed instanceof MessagePort)) {
    if (passed.byteLength > 0) yield passed;
    return;
  }
  const port = passed;
  let receive: (message: Message) => void = () => {};
  port.on('message', (message: Message) => receive(message));
  port.on('close', () => receive({ error: 'the other side has ended' }));
  try {
    while (true) {
      const received = new Promise<Message>((done) => {
        receive = done;
      });
      port.postMessage('next');
      const message = await received;
      if (message.error !== undefined) throw new Error(message.error);
      if (!message.bytes) return;
      yield message.bytes;
    }
  } finally {
    port.close();
  }
}
