/** Answers requests in a worker thread, which has its own connection to the database. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type DatabaseServer, openStore } from '../data/store.ts';
import { openDocumentWorker } from '../document-worker.ts';
import { createService } from '../service.ts';
import { firstKey, seed } from '../tenancy/seed.ts';
import { transferOf } from '../transfer.ts';
import { readChunks, sendChunks } from './chunks.ts';

export interface ThreadData {
  readonly server: DatabaseServer;
  /** The time, in milliseconds. Undefined for a thread that exports or imports the data. */
  readonly start: number | undefined;
}

/** A request that the main thread passes on. */
export interface PassedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly size: number;
  /** Undefined without a body. */
  readonly body: MessagePort | undefined;
  /** Answers go there. A message or the end of this port means that nobody waits any more. */
  readonly reply: MessagePort;
}

/** The response, or the reason why it has failed. */
export type PassedResponse =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: MessagePort }
  | { readonly error: string };

const { server, start } = workerData as ThreadData;
const store = openStore(server);
if (start !== undefined) seed(store, new Date(start));
const handle =
  start === undefined ? transferOf(store) : createService(store, { now: Date.now }, openDocumentWorker()).handle;
parentPort?.on('message', async ({ method, url, headers, size, body, reply }: PassedRequest) => {
  const gone = new AbortController();
  reply.on('close', () => gone.abort());
  try {
    const answer = await handle(
      { method, url, headers, ...(body && { body: { size, open: () => readChunks(body) } }) },
      { signal: gone.signal },
    );
    const chunks = sendChunks(answer.body);
    reply.postMessage({ status: answer.status, headers: answer.headers, body: chunks } satisfies PassedResponse, [
      chunks,
    ]);
  } catch (error) {
    reply.postMessage({ error: String(error) } satisfies PassedResponse);
  }
});
parentPort?.postMessage(start === undefined ? {} : firstKey(store));
