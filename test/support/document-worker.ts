/** Processes documents in this process, which is faster than a child process for each document. */
import { messageOf } from '../../src/caught.ts';
import { readAll } from '../../src/request/http.ts';
import { type DocumentWorker, openDocumentWorker } from '../../src/service/document-worker.ts';
import { runDocumentTask, type Task } from '../../src/service/documents/document-work.ts';
import { Refusal } from '../../src/service/refusal.ts';

export const openInProcessWorker = (): DocumentWorker => ({
  ...openDocumentWorker(),
  run: async (task, document) => {
    // As a child process would receive it.
    const copy: Task = JSON.parse(JSON.stringify(task));
    const isWhole = typeof document === 'string' || 'byteLength' in document;
    const bytes = isWhole ? document : ((await readAll(document, Number.POSITIVE_INFINITY)) ?? '');
    return runDocumentTask(copy, Buffer.from(bytes as Uint8Array)).then(Buffer.from, (error: unknown) => {
      throw error instanceof Refusal ? error : new Refusal(422, messageOf(error));
    });
  },
});
