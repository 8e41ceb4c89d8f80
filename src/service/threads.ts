/** Distributes requests over threads, because the database driver blocks its thread until the server has answered. */
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { HttpRequest, HttpResponse, Send } from '../request/http.ts';
import type { DatabaseServer } from './data/store.ts';
import { readChunks, sendChunks } from './database/chunks.ts';
import type { PassedRequest, PassedResponse, ThreadData } from './database/thread.ts';
import { errorResponse } from './handler.ts';
import type { FirstKey } from './tenancy/seed.ts';

/** The script of a thread, which the build writes to dist/. The relative path is the same from src/service/ and from dist/chunks/. */
const PROGRAM = new URL('../../dist/service/thread.cjs', import.meta.url);

/** The time until a thread that has ended is started again, in milliseconds. */
const RESTART_MS = 1000;

export interface Threads {
  readonly send: Send;
  /** A token of the first user of the database. */
  readonly first: FirstKey;
  readonly close: () => Promise<void>;
}

interface Thread {
  readonly worker: Worker;
  /** The number of requests that it is answering. */
  running: number;
}

/**
 * Starts the threads. `now` is the time, in milliseconds. Without it, they do not answer the requests of clients, but
 * export and import the data. Throws if the first one cannot open the database.
 */
export async function openThreads(count: number, server: DatabaseServer, now?: number): Promise<Threads> {
  const threads = new Set<Thread>();
  let isClosed = false;
  const start = () =>
    new Promise<FirstKey>((ready, failed) => {
      const worker = new Worker(PROGRAM, { workerData: { server, start: now } satisfies ThreadData, env: {} });
      const thread: Thread = { worker, running: 0 };
      worker.once('message', (first: FirstKey) => {
        threads.add(thread);
        ready(first);
      });
      worker.once('error', failed);
      worker.once('exit', () => {
        threads.delete(thread);
        if (!isClosed) setTimeout(() => void start().catch(() => undefined), RESTART_MS).unref();
      });
    });
  const first = await start();
  await Promise.all(Array.from({ length: count - 1 }, start));
  return {
    first,
    send: async (request, { signal }) => {
      const [thread] = [...threads].sort((one, other) => one.running - other.running);
      if (!thread) return unavailable();
      thread.running++;
      try {
        return await pass(thread.worker, request, signal);
      } finally {
        thread.running--;
      }
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}

const unavailable = (): HttpResponse => {
  const { headers, ...response } = errorResponse(503, 'the database cannot be reached');
  return { ...response, headers: { ...headers, 'retry-after': '1' } };
};

/** Passes a request to a thread. Rejects if the signal aborts. */
async function pass(worker: Worker, request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> {
  signal.throwIfAborted();
  const { port1: reply, port2 } = new MessageChannel();
  const { method, url, headers, body } = request;
  const bytes = body && sendChunks('byteLength' in body ? only(body) : body.open());
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
      return unavailable();
    }
    return { ...answer, body: untilRead(answer.body, reply) };
  } catch (error) {
    reply.close();
    throw error;
  }
}

const sizeOf = (body: HttpRequest['body']): number =>
  body === undefined ? 0 : 'byteLength' in body ? body.byteLength : body.size;

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** The end of `reply` tells the thread that nobody waits any more. */
async function* untilRead(body: MessagePort, reply: MessagePort): AsyncGenerator<Uint8Array> {
  try {
    yield* readChunks(body);
  } finally {
    reply.close();
  }
}
