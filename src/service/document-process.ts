/** The child process for one document: reads a line with the task, then the document. Writes a status and the result. */
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '../caught.ts';
import { type Task, work } from './documents/document-work.ts';
import { Refusal } from './refusal.ts';

const STDIN = 0;
const STDOUT = 1;

async function answer(given: Buffer): Promise<string> {
  const end = given.indexOf('\n');
  try {
    const task = JSON.parse(given.toString('utf8', 0, end)) as Task;
    return `200\n${await work(task, given.subarray(end + 1))}`;
  } catch (error) {
    // No known fault of ours ends up here, so an unexpected error is caused by the document.
    const status = error instanceof Refusal ? error.status : 422;
    return `${status}\n${messageOf(error)}`;
  }
}

void answer(readFileSync(STDIN)).then((text) => writeFileSync(STDOUT, text));
