/** Answers requests in a worker thread, which has its own connection to the database. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { Send } from '../../request/http.ts';
import { databaseProblem } from '../data/remote-fault.ts';
import { type DatabaseServer, openStore } from '../data/store.ts';
import { openDocumentWorker } from '../document-worker.ts';
import { createService } from '../service.ts';
import { type FirstKey, firstKey, seed } from '../tenancy/seed.ts';
import { transferOf } from '../transfer.ts';
import { readChunks, sendChunks } from './chunks.ts';
import { documentsOf } from './document-port.ts';

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

export interface ThreadInput {
  readonly server: Required<DatabaseServer>;
  /** The time at which the service started, in milliseconds. Undefined if the thread exports or imports the data. */
  readonly start: number | undefined;
  readonly ownerKey: string | undefined;
}

/** A token of the first user, and whether this thread has added it. */
export type Started = FirstKey & { readonly isNew: boolean };

/** The time between two attempts to open the database, in milliseconds. */
const RETRY_MS = 500;

const { server, start, ownerKey, documents } = workerData as ThreadInput & { readonly documents: MessagePort };

/** Opens the store, and waits while the database cannot be used. */
async function openWhenThere(now: Date) {
  for (; ; await sleep(RETRY_MS))
    try {
      const store = openStore(server);
      const isNew = seed(store, now, ownerKey);
      return { store, started: { ...firstKey(store), isNew } satisfies Started };
    } catch (error) {
      if (databaseProblem(error) === undefined) throw error;
    }
}

async function answer(handle: Send, { method, url, headers, size, body, reply }: PassedRequest): Promise<void> {
  const gone = new AbortController();
  reply.on('close', () => gone.abort());
  const { signal } = gone;
  /** Reads from the port whether the client has gone while this thread waited for the database. */
  const checkClient = async () => {
    await nextTurn();
    signal.throwIfAborted();
  };
  const chunksOf = async function* (port: MessagePort) {
    yield* readChunks(port);
    await checkClient();
  };
  try {
    await checkClient();
    const request = { method, url, headers, ...(body && { body: { size, open: () => chunksOf(body) } }) };
    const { status, headers: answered, body: bytes } = await handle(request, { signal });
    const chunks = sendChunks(bytes);
    reply.postMessage({ status, headers: answered, body: chunks } satisfies PassedResponse, [chunks]);
  } catch (error) {
    reply.postMessage({ error: String(error) } satisfies PassedResponse);
  }
}

/** Answers requests until the main thread sends something else. Then this thread ends when it has nothing to do. */
function answerAll(handle: Send, started?: Started): void {
  parentPort?.on('message', (request?: PassedRequest) => (request ? answer(handle, request) : parentPort?.close()));
  parentPort?.postMessage(started);
}

if (start === undefined) {
  const transfer = transferOf(openStore(server));
  answerAll(transfer);
} else
  void openWhenThere(new Date(start)).then(({ store, started }) => {
    const { handle } = createService(store, { now: Date.now }, documentsOf(documents, openDocumentWorker()));
    answerAll(handle, started);
  });
