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

/** A message cannot contain a Refusal, so it contains what makes one. */
type Outcome =
  | { readonly result: Uint8Array }
  | { readonly error: unknown }
  | { readonly refusal: ConstructorParameters<typeof Refusal> };

/** Processes the documents of a thread. Returns the port for `documentsOf`. */
export function offerDocuments(worker: DocumentWorker): MessagePort {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', async ({ task, document, tenant, reply }: Order) => {
    reply.postMessage(await worker.run(task, document, tenant).then((result) => ({ result }), failureOf));
    reply.close();
  });
  return port2;
}

const failureOf = (error: unknown): Outcome =>
  error instanceof Refusal ? { refusal: [error.status, error.message, error.retryAfter] } : { error };

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
    throw 'error' in outcome ? outcome.error : new Refusal(...outcome.refusal);
  };
  return { run, once };
}
