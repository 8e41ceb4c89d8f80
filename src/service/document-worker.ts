/** Processes documents in child processes, so that a huge, slow or crashing document does not stop the service. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readAll } from '../request/http.ts';
import type { Task } from './documents/document-work.ts';
import { Refusal } from './refusal.ts';

/**
 * The script of the child process, which the build writes to dist/. The relative path is the same from src/service/ and
 * from dist/chunks/. A worker thread is not enough: if JSON.parse of 60 MiB runs out of memory in a thread, the thread
 * cannot be stopped for minutes.
 */
const PROGRAM = new URL('../../dist/service/document-process.cjs', import.meta.url);

export interface Limits {
  readonly memoryMb: number;
  readonly timeMs: number;
  /** The maximum total size of queued documents, which are held in memory. */
  readonly waitingBytes: number;
}

const LIMITS: Limits = { memoryMb: 1024, timeMs: 30_000, waitingBytes: 256 * 1024 * 1024 };
const ANSWER_LIMIT = 64 * 1024 * 1024;
const AT_ONCE = 2;

export interface DocumentWorker {
  /** Returns the result of a task. Throws the Refusal of the task, or one with status 503 if the queue is full. */
  readonly run: (task: Task, document: string | Uint8Array) => Promise<string>;
  /** Calls `start`, unless an earlier call for the same key is still running. All callers share the result. */
  readonly once: <T>(key: string, start: () => Promise<T>) => Promise<T>;
}

export function openDocumentWorker(given: Partial<Limits> = {}): DocumentWorker {
  const limits = { ...LIMITS, ...given };
  const queue = limitConcurrency(AT_ONCE, limits);
  const running = new Map<string, Promise<unknown>>();
  return {
    run: (task, document) => queue(Buffer.byteLength(document), () => runTask(task, document, limits)),
    once: <T>(key: string, start: () => Promise<T>) => {
      const known = running.get(key) as Promise<T> | undefined;
      const work = known ?? start().finally(() => running.delete(key));
      running.set(key, work);
      return work;
    },
  };
}

async function runTask(task: Task, document: string | Uint8Array, { memoryMb, timeMs }: Limits): Promise<string> {
  const child = fork(PROGRAM, {
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    execArgv: [],
    // The child inherits no environment variables, so it gets no credentials. The memory limit is in NODE_OPTIONS,
    // because a standalone executable would read a flag for Node as its own argument.
    env: { NODE_OPTIONS: `--max-old-space-size=${memoryMb}` },
    timeout: timeMs,
    killSignal: 'SIGKILL',
  });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw processFailed();
  // The child may exit before it has read everything.
  stdin.on('error', () => {});
  stdin.write(`${JSON.stringify(task)}\n`);
  stdin.end(document);
  const [answer, [code]] = await Promise.all([readAll(stdout, ANSWER_LIMIT), once(child, 'close')]).catch(() => {
    throw processFailed();
  });
  if (!answer) throw new Refusal(422, `the result is larger than ${ANSWER_LIMIT} bytes`);
  // Windows has many exit codes for a process that does not start, so the missing first byte is what counts.
  if (code === 1 || answer.byteLength === 0) throw processFailed();
  if (code !== 0)
    throw new Refusal(422, `the document takes more than ${timeMs / 1000} s or ${memoryMb} MiB of memory to process`);
  return read(Buffer.from(answer).toString('utf8', 1));
}

const processFailed = (): Refusal =>
  new Refusal(503, 'the process that reads documents did not start, or stopped too early');

function read(answer: string): string {
  const end = answer.indexOf('\n');
  const status = Number(answer.slice(0, end));
  const text = answer.slice(end + 1);
  if (status !== 200) throw new Refusal(status, text);
  return text;
}

/** Runs up to `free` tasks at once and queues others, up to `waitingBytes`. A full queue has room after `timeMs`. */
function limitConcurrency(free: number, { waitingBytes, timeMs }: Limits) {
  const waiting: (() => void)[] = [];
  let left = free;
  let held = 0;
  const wait = async (size: number) => {
    if (held + size > waitingBytes) throw new Refusal(503, 'too many documents are queued', timeMs / 1000);
    held += size;
    await new Promise<void>((go) => waiting.push(go));
    held -= size;
  };
  return async <T>(size: number, start: () => Promise<T>): Promise<T> => {
    if (left > 0) left--;
    else await wait(size);
    try {
      return await start();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else left++;
    }
  };
}
