/** Opens a store on a libSQL server in this thread. Another thread sends its statements, as the main thread of the tool does. */
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { build } from 'rolldown';
import type { Link } from '../../src/service/data/link.ts';
import { openRemoteStore } from '../../src/service/data/remote.ts';
import type { Store } from '../../src/service/data/store.ts';
import { versions } from '../../src/service/schema/versions.ts';

const {
  output: [{ code }],
} = await build({
  input: new URL('./gateway-thread.ts', import.meta.url).pathname,
  platform: 'node',
  write: false,
  output: { format: 'cjs' },
});

const { port1, port2 } = new MessageChannel();
const given = new Int32Array(new SharedArrayBuffer(4));
new Worker(code, { eval: true, workerData: { port: port2, given }, transferList: [port2] }).unref();

/** A database of the server, or of a test's proxy. */
export interface RemoteDatabase {
  readonly url: string;
  readonly token?: string;
}

export function openRemote(database: RemoteDatabase, all = versions): Store {
  Atomics.store(given, 0, 0);
  port1.postMessage(database);
  Atomics.wait(given, 0, 0);
  const link: Link = receiveMessageOnPort(port1)?.message;
  return openRemoteStore(link, all);
}
