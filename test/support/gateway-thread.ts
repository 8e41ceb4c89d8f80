/** The thread that sends the statements of the stores in remote-store.ts. */
import { type MessagePort, workerData } from 'node:worker_threads';
import { openGateway } from '../../src/service/database/gateway.ts';
import type { RemoteDatabase } from './remote-store.ts';

const { port, given } = workerData as { readonly port: MessagePort; readonly given: Int32Array };

port.on('message', ({ url, token }: RemoteDatabase) => {
  const link = openGateway({ url: new URL(url), token: async () => token }).link();
  port.postMessage(link, [link.port]);
  Atomics.store(given, 0, 1);
  Atomics.notify(given, 0);
});
