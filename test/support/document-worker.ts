/** Processes documents in this process, which is faster than a child process for each document. */
import { messageOf } from '../../src/caught.ts';
import { type DocumentWorker, openDocumentWorker } from '../../src/service/document-worker.ts';
import { runDocumentTask, type Task } from '../../src/service/documents/document-work.ts';
import { Refusal } from '../../src/service/refusal.ts';

export const openInProcessWorker = (): DocumentWorker => ({
  ...openDocumentWorker(),
  run: async (task, document) => {
    // As a child process would receive it.
    const copy: Task = JSON.parse(JSON.stringify(task));
    return runDocumentTask(copy, Buffer.from(document)).catch((error: unknown) => {
      throw error instanceof Refusal ? error : new Refusal(422, messageOf(error));
    });
  },
});
