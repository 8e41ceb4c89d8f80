/** Distributes requests over threads, because the store blocks its thread until the database server has answered. */
import { existsSync } from 'node:fs';
import { hrtime } from 'node:process';
import { fileURLToPath } from 'node:url';
import { MessageChannel, Worker } from 'node:worker_threads';
import type { HttpResponse, Send } from '../request/http.ts';
import { endTurn } from './data/link.ts';
import { passBytes, portsIn, readPassed } from './database/chunks.ts';
import { offerDocuments } from './database/document-port.ts';
import type { Gateway } from './database/gateway.ts';
import type {
  PassedAnswer,
  PassedRequest,
  PassedResponse,
  Started,
  ThreadInput,
  ThreadMessage,
} from './database/thread.ts';
import { openDocumentWorker } from './document-worker.ts';
import { unavailable } from './handler.ts';
import type { Report } from './refusal.ts';
import { refusedStore } from './schema/versions.ts';

/** The loader of the built tool. The relative path is the same from src/service/ and from dist/chunks/. */
const LOADER = fileURLToPath(new URL('../../dist/load.cjs', import.meta.url));

/** The `require` of the program itself would read `package.json` in the current folder, which others may have written. */
const PROGRAM = `const { createRequire } = require('node:module');
createRequire(${JSON.stringify(LOADER)})(${JSON.stringify(LOADER)}).load('service/thread.cjs');`;

/** A thread neither uses nor writes the code cache of commands. */
const env = { NODE_DISABLE_COMPILE_CACHE: '1' };

/** The time until a thread that has ended is started again, in milliseconds. */
const RESTART_MS = 1000;

/** The most requests that a thread answers at once. Others would wait for them. */
const MOST = 64;

export type Threads = ReturnType<typeof openThreads>;

interface Thread {
  readonly worker: Worker;
  isReady: boolean;
  /** The number of requests that it is answering. */
  running: number;
}

/** Starts the first thread, and the others when it has opened the database. They end with the gateway. */
export function openThreads(count: number, gateway: Gateway, input: ThreadInput, report: Report) {
  if (!existsSync(LOADER)) throw refusedStore('this executable has no driver for it', 'Install dtp with npm');
  const threads = new Set<Thread>();
  let isClosed = false;
  const documentWorker = openDocumentWorker();
  const start = (given: ThreadInput) =>
    new Promise<Started>((ready, failed) => {
      const documents = offerDocuments(documentWorker);
      const link = gateway.link();
      const workerData = { ...given, documents, link };
      const worker = new Worker(PROGRAM, { workerData, transferList: [documents, link.port], eval: true, env });
      const { threadId } = worker;
      const thread: Thread = { worker, isReady: false, running: 0 };
      threads.add(thread);
      worker.on('message', (message: ThreadMessage) => {
        if ('fault' in message) return report(message.fault);
        thread.isReady = true;
        // A thread without a token only moves data, and then nobody reads it.
        return ready(message.started as Started);
      });
      worker.once('error', failed);
      worker.once('exit', () => {
        threads.delete(thread);
        endTurn(link, threadId);
        if (!isClosed) setTimeout(startAgain, RESTART_MS).unref();
      });
    });
  // The owner may have replaced the key since.
  const startAgain = () => void start({ ...input, ownerKey: undefined }).catch(() => undefined);
  const close = async () => {
    isClosed = true;
    gateway.close();
    await Promise.all([...threads].map(({ worker }) => worker.terminate()));
  };
  const open = async () => {
    const first = await start(input).catch((error) => close().then(() => Promise.reject(error)));
    for (let number = 1; number < count; number++) startAgain();
    return first;
  };
  return {
    /** Resolves when a thread can answer (with a token if it serves). Rejects, and ends the threads, if none can. */
    first: open(),
    isReady: () => [...threads].some(({ isReady }) => isReady),
    send: async (...[request, sending]: Parameters<Send>) => {
      const [thread] = [...threads].filter(isFree).sort((one, other) => one.running - other.running);
      if (!thread) return unreachable();
      thread.running++;
      try {
        return await pass(thread.worker, request, sending);
      } finally {
        thread.running--;
      }
    },
    close,
  };
}

const isFree = ({ isReady, running }: Thread): boolean => isReady && running < MOST;

export const unreachable = (): HttpResponse => unavailable('the database cannot be reached');

/** Passes a request to a thread. Rejects if the signal aborts. */
async function pass(worker: Worker, ...[request, { signal, known }]: Parameters<Send>): Promise<HttpResponse> {
  const { method, url, headers, body } = request;
  const bytes = body && (await passBytes('byteLength' in body ? readPassed(body) : body.open()));
  signal.throwIfAborted();
  const { port1: reply, port2 } = new MessageChannel();
  const answered = new Promise<PassedResponse>((done, failed) => {
    reply.on('message', (message: PassedAnswer) => ('known' in message ? known?.() : done(message)));
    reply.once('close', () => done({ error: 'the thread has ended' }));
    signal.addEventListener('abort', () => failed(signal.reason), { once: true });
  });
  const passed: PassedRequest = { method, url, headers, body: bytes, reply: port2, since: hrtime.bigint() };
  worker.postMessage(passed, [...portsIn(bytes), port2]);
  try {
    const answer = await answered;
    return 'error' in answer ? unreachable() : { ...answer, body: readPassed(answer.body) };
  } finally {
    reply.postMessage('the client has its answer, or has gone');
    reply.close();
  }
}
