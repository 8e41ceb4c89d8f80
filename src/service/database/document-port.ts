/** Lets all threads use the document processes of the main thread, so that their number has one limit. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { readAll } from '../../request/http.ts';
import { DOCUMENT_LIMIT } from '../data/contents.ts';
import type { Document, DocumentWorker } from '../document-worker.ts';
import type { Task } from '../documents/document-work.ts';
import { Refusal } from '../refusal.ts';

interface Order {
  readonly task: Task;
  readonly document: string | Uint8Array;
  readonly tenant: string | undefined;
  readonly reply: MessagePort;
}

type Outcome =
  | { readonly result: Uint8Array }
  | { readonly error: unknown }
  | { readonly status: number; readonly message: string; readonly retryAfter?: number | undefined };

/** Processes the documents of a thread. Returns the port for `documentsOf`. */
export function offerDocuments(worker: DocumentWorker): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', async ({ task, document, tenant, reply }: Order) => {
    reply.postMessage(await outcomeOf(worker.run(task, document, tenant)));
    reply.close();
  });
  return port2;
}

async function outcomeOf(result: Promise<Uint8Array>): Promise<Outcome> {
  try {
    return { result: await result };
  } catch (error) {
    if (!(error instanceof Refusal)) return { error };
    const { status, message, retryAfter } = error;
    return { status, message, retryAfter };
  }
}

/** Returns the worker of a thread, which sends its documents to `port`. `once` only combines calls of this thread. */
export function documentsOf(port: MessagePort, { once }: Pick<DocumentWorker, 'once'>): DocumentWorker {
  const run = async (task: Task, source: Document, tenant?: string) => {
    const isWhole = typeof source === 'string' || 'byteLength' in source;
    const document = isWhole ? source : ((await readAll(source, DOCUMENT_LIMIT)) ?? '');
    const { port1, port2: reply } = new MessageChannel();
    const answered = new Promise<Outcome>((done) => port1.once('message', done));
    port.postMessage({ task, document, tenant, reply } satisfies Order, [reply]);
    const outcome = await answered;
    if ('result' in outcome) return Buffer.from(outcome.result);
    if ('error' in outcome) throw outcome.error;
    throw new Refusal(outcome.status, outcome.message, outcome.retryAfter);
  };
  return { run, once };
}
