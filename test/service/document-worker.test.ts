/** The child process that reads documents: what the service reports if it does not start. */
import { expect, test } from 'vitest';
import { openDocumentWorker } from '../../src/service/document-worker.ts';

const task = { kind: 'describe' } as never;

test.each([
  ['cannot start', { memoryMb: Number.NaN }, 503, /did not start, or stopped too early/],
  ['is ended before it starts', { timeMs: 1 }, 503, /did not start, or stopped too early/],
])('a child that %s', async (_, limits, status, message) => {
  await expect(openDocumentWorker(limits).run(task, '{}')).rejects.toMatchObject({ status, message });
});
