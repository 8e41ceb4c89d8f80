/**
 * Processes one document in a child process. Reads a line with the task, then the document, from standard input. Writes
 * an empty line to standard output when it has started, then a line with the status, then the result.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '../caught.ts';
import { runDocumentTask, type Task } from './documents/document-work.ts';
import { Refusal } from './refusal.ts';

const STDIN = 0;
const STDOUT = 1;

async function answer(given: Buffer): Promise<readonly [status: number, result: string | Uint8Array]> {
  const end = given.indexOf('\n');
  try {
    const task = JSON.parse(given.toString('utf8', 0, end)) as Task;
    return [200, await runDocumentTask(task, given.subarray(end + 1))];
  } catch (error) {
    // An error that is not a Refusal is assumed to be caused by the document.
    const status = error instanceof Refusal ? error.status : 422;
    return [status, messageOf(error)];
  }
}

writeFileSync(STDOUT, '\n');
void answer(readFileSync(STDIN)).then(([status, result]) => {
  writeFileSync(STDOUT, `${status}\n`);
  writeFileSync(STDOUT, result);
});
