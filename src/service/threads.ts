/** Distributes requests over threads, because the database driver blocks its thread until the server has answered. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { bodyOfBytes, type HttpRequest, type HttpResponse, type Send } from '../request/http.ts';
import { endTurn } from './data/turn.ts';
import { readChunks, sendChunks } from './database/chunks.ts';
import { offerDocuments } from './database/document-port.ts';
import type { PassedRequest, PassedResponse, Started, ThreadInput } from './database/thread.ts';
import { openDocumentWorker } from './document-worker.ts';
import { unavailable } from './handler.ts';
import { refusedStore } from './schema/versions.ts';

/** The script of a thread, which the build writes to dist/. The relative path is the same from src/service/ and from dist/chunks/. */
const PROGRAM = new URL('../../dist/service/thread.cjs', import.meta.url);

/** The time until a thread that has ended is started again, in milliseconds. */
const RESTART_MS = 1000;

/** How long a thread may take to end, in milliseconds. */
const END_MS = 2000;

/** The most requests that a thread answers at once. Others would wait for them. */
const MOST = 64;

export interface Threads {
  readonly send: Send;
  /** Resolves when a thread has opened the database. Rejects, and ends the threads, if none can. */
  readonly first: Promise<Started>;
  readonly isReady: () => boolean;
  readonly close: () => Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  isReady: boolean;
  /** The number of requests that it is answering. */
  running: number;
}

/** Starts the first thread, and the others when it has opened the database. */
export function openThreads(count: number, input: ThreadInput): Threads {
  if (!existsSync(PROGRAM)) throw refusedStore('this executable has no driver for it', 'Install dtp with npm');
  const threads = new Set<Thread>();
  let isClosed = false;
  const documentWorker = openDocumentWorker();
  const start = (given: ThreadInput) =>
    new Promise<Started>((ready, failed) => {
      const documents = offerDocuments(documentWorker);
      const workerData = { ...given, documents };
      const worker = new Worker(PROGRAM, { workerData, transferList: [documents], env: {} });
      const { threadId } = worker;
      const thread: Thread = { worker, isReady: false, running: 0 };
      threads.add(thread);
      worker.once('message', (first: Started) => {
        thread.isReady = true;
        ready(first);
      });
      worker.once('error', failed);
      worker.once('exit', () => {
        threads.delete(thread);
        endTurn(input.server.turn, threadId);
        if (!isClosed) setTimeout(startAgain, RESTART_MS).unref();
      });
    });
  // The owner may have replaced the key since.
  const startAgain = () => void start({ ...input, ownerKey: undefined }).catch(() => undefined);
  const close = async () => {
    isClosed = true;
    await Promise.all([...threads].map(({ worker }) => endOf(worker)));
  };
  const open = async () => {
    const first = await start(input).catch((error) => close().then(() => Promise.reject(error)));
    for (let number = 1; number < count; number++) startAgain();
    return first;
  };
  return {
    first: open(),
    isReady: () => [...threads].some(({ isReady }) => isReady),
    send: async (request, { signal }) => {
      const [thread] = [...threads].filter(isFree).sort((one, other) => one.running - other.running);
      if (!thread) return unreachable();
      thread.running++;
      try {
        return await pass(thread.worker, request, signal);
      } finally {
        thread.running--;
      }
    },
    close,
  };
}

/** Ends a thread. If it were terminated while it waits for the database, the driver would abort the whole process. */
async function endOf(worker: Worker): Promise<void> {
  const ended = once(worker, 'exit');
  worker.postMessage(undefined);
  await Promise.race([ended, sleep(END_MS, undefined, { ref: false })]);
  await worker.terminate();
}

const isFree = ({ isReady, running }: Thread): boolean => isReady && running < MOST;

export const unreachable = (): HttpResponse => unavailable('the database cannot be reached');

/** Passes a request to a thread. Rejects if the signal aborts. */
async function pass(worker: Worker, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  signal.throwIfAborted();
  const { port1: reply, port2 } = new MessageChannel();
  const { method, url, headers, body } = request;
  const bytes = body && sendChunks('byteLength' in body ? bodyOfBytes(body) : body.open());
  const message: PassedRequest = { method, url, headers, size: sizeOf(body), body: bytes, reply: port2 };
  const answered = new Promise<PassedResponse>((done, failed) => {
    reply.once('message', done);
    reply.once('close', () => done({ error: 'the thread has ended' }));
    signal.addEventListener('abort', () => failed(signal.reason), { once: true });
  });
  worker.postMessage(message, bytes ? [bytes, port2] : [port2]);
  try {
    const answer = await answered;
    if ('error' in answer) {
      reply.close();
      return unreachable();
    }
    return { ...answer, body: untilRead(answer.body, reply) };
  } catch (error) {
    reply.close();
    throw error;
  }
}

const sizeOf = (body: HttpRequest['body']): number =>
  body === undefined ? 0 : 'byteLength' in body ? body.byteLength : body.size;

/** The end of `reply` tells the thread that nobody waits any more. */
async function* untilRead(body: MessagePort, reply: MessagePort): AsyncGenerator<Uint8Array> {
  try {
    yield* readChunks(body);
  } finally {
    reply.close();
  }
}
