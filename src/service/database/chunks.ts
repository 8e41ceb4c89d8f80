/** Streams bytes from one thread to another. The reader asks for each chunk, so a slow reader slows the writer down. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { messageOf } from '../../caught.ts';

type Message = { readonly bytes: Uint8Array } | { readonly end: true } | { readonly error: string };

/** Returns the port from which another thread reads the bytes. */
export function sendChunks(source: AsyncIterable<Uint8Array>): MessagePort {
  const { port1: port, port2 } = new MessageChannel();
  const chunks = source[Symbol.asyncIterator]();
  const next = async (): Promise<Message> => {
    try {
      const { done, value } = await chunks.next();
      return done ? { end: true } : { bytes: value };
    } catch (error) {
      return { error: messageOf(error) };
    }
  };
  port.on('message', async () => {
    const message = await next();
    port.postMessage(message);
    if (!('bytes' in message)) port.close();
  });
  // The reader has stopped early.
  port.on('close', () => void chunks.return?.().catch(() => undefined));
  return port2;
}

/** Reads what `sendChunks` sends. Throws if its source does, or if the other thread has ended. */
export async function* readChunks(port: MessagePort): AsyncGenerator<Uint8Array> {
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
      if ('end' in message) return;
      if ('error' in message) throw new Error(message.error);
      yield message.bytes;
    }
  } finally {
    port.close();
  }
}
