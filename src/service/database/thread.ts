/** Answers requests in a worker thread, which has its own connection of the database. */
import { hrtime } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { HttpRequest, Send } from '../../request/http.ts';
import type { Link } from '../data/link.ts';
import { openRemoteStore } from '../data/remote.ts';
import { databaseProblem } from '../data/remote-fault.ts';
import { openDocumentWorker } from '../document-worker.ts';
import { createService } from '../service.ts';
import { type FirstKey, firstKey, seed } from '../tenancy/seed.ts';
import { transferOf } from '../transfer.ts';
import { type PassedBytes, passBytes, portsIn, readPassed } from './chunks.ts';
import { documentsOf } from './document-port.ts';

/** A request that the main thread passes on. */
export interface PassedRequest extends Pick<HttpRequest, 'method' | 'url' | 'headers'> {
  /** Undefined without a body. */
  readonly body: PassedBytes | undefined;
  /** Answers go there. A message on it means that nobody waits any more. */
  readonly reply: MessagePort;
  /** The time since which it waits, in nanoseconds of `process.hrtime`, which is the same in all threads. */
  readonly since: bigint;
}

/** The response, or the reason why it has failed. */
export type PassedResponse =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: PassedBytes }
  | { readonly error: string };

/** What a thread sends back: that the credential is valid, and then the response. */
export type PassedAnswer = { readonly known: true } | PassedResponse;

export interface ThreadInput {
  /** The time at which the service started, in milliseconds. Undefined if the thread exports or imports the data. */
  readonly start: number | undefined;
  readonly ownerKey: string | undefined;
}

/** A token of the first user, and whether this thread has added it. */
export type Started = FirstKey & { readonly isNew: boolean };

/** What a thread sends: once that it is ready, with a token if it serves, and then what is wrong in dtp itself. */
export type ThreadMessage = { readonly started: Started | undefined } | { readonly fault: string };

/** The time between two attempts to open the database, in milliseconds. */
const RETRY_MS = 500;

const { link, start, ownerKey, documents } = workerData as ThreadInput & {
  readonly link: Link;
  readonly documents: MessagePort;
};

async function openWhenThere(now: Date) {
  for (; ; await sleep(RETRY_MS))
    try {
      const store = openRemoteStore(link);
      const isNew = seed(store, now, ownerKey);
      return { store, started: { ...firstKey(store), isNew } satisfies Started };
    } catch (error) {
      if (databaseProblem(error) === undefined) throw error;
    }
}

/** How long a request waits while its thread answers others, in nanoseconds. Each of them may wait for the database. */
const PATIENCE_NS = 10_000_000_000n;

async function answer(handle: Send, { method, url, headers, body, reply, since }: PassedRequest): Promise<void> {
  const gone = new AbortController();
  const leave = () => gone.abort();
  reply.on('message', leave);
  const { signal } = gone;
  /** Reads whether the client has gone while this thread waited for the database, when no event could say so. */
  const checkClient = () => {
    if (receiveMessageOnPort(reply)) gone.abort();
    signal.throwIfAborted();
  };
  const checkWait = () => {
    if (hrtime.bigint() - since > PATIENCE_NS) throw new Error('the request has waited too long');
  };
  const open = async function* () {
    if (body) yield* readPassed(body);
    checkClient();
    // A longer body may take as long as it needs.
    if (body instanceof Uint8Array) checkWait();
  };
  const known = () => reply.postMessage({ known: true } satisfies PassedAnswer);
  try {
    checkClient();
    checkWait();
    const size = Number(headers['content-length'] ?? 0);
    const request = { method, url, headers, ...(body && { body: { size, open } }) };
    const { status, headers: answered, body: bytes } = await handle(request, { signal, known });
    const passed = await passBytes(bytes);
    // From here on, a message says that the answer has arrived. Its body goes another way.
    reply.off('message', leave);
    reply.postMessage({ status, headers: answered, body: passed } satisfies PassedResponse, portsIn(passed));
  } catch (error) {
    reply.postMessage({ error: String(error) } satisfies PassedResponse);
  }
}

function answerAll(handle: Send, started?: Started): void {
  parentPort?.on('message', (request: PassedRequest) => answer(handle, request));
  parentPort?.postMessage({ started } satisfies ThreadMessage);
}

if (start === undefined) {
  answerAll(transferOf(openRemoteStore(link, undefined, false)));
} else
  void openWhenThere(new Date(start)).then(({ store, started }) => {
    const report = (fault: string) => parentPort?.postMessage({ fault } satisfies ThreadMessage);
    const worker = documentsOf(documents, openDocumentWorker());
    answerAll(createService(store, { now: Date.now, report }, worker), started);
  });
