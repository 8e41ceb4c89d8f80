/** Processes documents in child processes, so that a huge, slow or crashing document does not stop the service. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readAll } from '../request/http.ts';
import { DOCUMENT_LIMIT } from './data/contents.ts';
import type { Task } from './documents/document-work.ts';
import { Refusal } from './refusal.ts';

/**
 * The script of the child process, which the build writes to dist/. The relative path is the same from src/service/ and
 * from dist/chunks/. A worker thread is not enough: if JSON.parse of 60 MiB runs out of memory in a thread, the thread
 * cannot be stopped for minutes.
 */
const PROGRAM = new URL('../../dist/service/document-process.cjs', import.meta.url);

/** `waiting` is the most documents of one tenant that wait. A stream that waits takes no memory. */
const LIMITS = { memoryMb: 1024, timeMs: 30_000, waiting: 50 };
export type Limits = typeof LIMITS;

/** The most documents that are processed at once: all, and those of one tenant. */
const AT_ONCE = { all: 3, tenant: 2 } as const;

/** A document whose bytes are read when it is processed. */
export type Document = string | Uint8Array | AsyncIterable<Uint8Array>;

export interface DocumentWorker {
  /** Returns the result of a task. Throws the Refusal of the task, or one with status 503 if too many documents wait. */
  readonly run: (task: Task, document: Document, tenant?: string) => Promise<Buffer>;
  /** Calls `start`, unless an earlier call for the same key is still running. All callers share the result. */
  readonly once: <T>(key: string, start: () => Promise<T>) => Promise<T>;
}

export function openDocumentWorker(given: Partial<Limits> = {}): DocumentWorker {
  const limits = { ...LIMITS, ...given };
  const queue = openQueue(limits);
  const running = new Map<string, Promise<unknown>>();
  return {
    run: (task, document, tenant = '') => queue(tenant, () => runTask(task, document, limits)),
    once: <T>(key: string, start: () => Promise<T>) => {
      const known = running.get(key) as Promise<T> | undefined;
      const work = known ?? start().finally(() => running.delete(key));
      running.set(key, work);
      return work;
    },
  };
}

async function runTask(task: Task, document: Document, { memoryMb, timeMs }: Limits): Promise<Buffer> {
  const child = fork(PROGRAM, {
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    execArgv: [],
    // The child inherits no environment variables, so it gets no credentials. The memory limit is in NODE_OPTIONS,
    // because a standalone executable would read a flag for Node as its own argument.
    env: { NODE_OPTIONS: `--max-old-space-size=${memoryMb}` },
    timeout: timeMs,
    killSignal: 'SIGKILL',
  });
  // If no descriptor is free, the child does not start, and an `error` event follows.
  const ended = new Promise<number | null>((done, failed) => child.once('close', done).once('error', failed));
  const { stdin, stdout } = child;
  if (!stdin || !stdout) {
    await ended.catch(() => undefined);
    throw processFailed();
  }
  let fault: unknown;
  const source = bytesOf(task, document, (error) => {
    fault = error;
    child.kill('SIGKILL');
  });
  // The child may exit before it has read everything.
  stdin.on('error', () => {});
  const send = async () => {
    for await (const piece of source) {
      if (stdin.destroyed) return;
      if (!stdin.write(piece)) await Promise.race([once(stdin, 'drain'), ended]);
    }
    stdin.end();
  };
  const sent = send().catch(() => undefined);
  const [answer, code] = await Promise.all([readAll(stdout, DOCUMENT_LIMIT), ended, sent]).catch(() => {
    throw processFailed();
  });
  if (fault !== undefined) throw fault;
  if (!answer) throw new Refusal(422, `the result is larger than ${DOCUMENT_LIMIT} bytes`);
  // Windows has many exit codes for a process that does not start, so the missing first byte is what counts.
  if (code === 1 || answer.byteLength === 0) throw processFailed();
  if (code !== 0)
    throw new Refusal(422, `the document takes more than ${timeMs / 1000} s or ${memoryMb} MiB of memory to process`);
  return resultIn(Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength).subarray(1));
}

/** Yields the line with the task, and then the document. Ends early, and calls `failed`, if that cannot be read. */
async function* bytesOf(task: Task, document: Document, failed: (error: unknown) => void): AsyncGenerator<Uint8Array> {
  yield Buffer.from(`${JSON.stringify(task)}\n`);
  if (typeof document === 'string') yield Buffer.from(document);
  else if ('byteLength' in document) yield document;
  else {
    const pieces = document[Symbol.asyncIterator]();
    // A catch around `yield` would also get the errors of the reader.
    const next = () => pieces.next().catch(failed);
    for (let piece = await next(); piece && !piece.done; piece = await next()) yield piece.value;
  }
}

const processFailed = (): Refusal =>
  new Refusal(503, 'the process that reads documents did not start, or stopped too early', 1);

function resultIn(answer: Buffer): Buffer {
  const end = answer.indexOf('\n');
  const status = Number(answer.toString('latin1', 0, end));
  const result = answer.subarray(end + 1);
  if (status !== 200) throw new Refusal(status, result.toString());
  return result;
}

/** Runs tasks at once up to the limits. Of those that wait, the tenant with the fewest running tasks is next. */
function openQueue({ waiting: most, timeMs }: Limits) {
  const running: string[] = [];
  const waiting: { readonly tenant: string; readonly go: () => void }[] = [];
  const countOf = (tenant: string) => running.filter((one) => one === tenant).length;
  const start = () => {
    while (running.length < AT_ONCE.all) {
      const [first] = waiting.toSorted((one, other) => countOf(one.tenant) - countOf(other.tenant));
      if (!first || countOf(first.tenant) >= AT_ONCE.tenant) return;
      waiting.splice(waiting.indexOf(first), 1);
      running.push(first.tenant);
      first.go();
    }
  };
  return async <T>(tenant: string, work: () => Promise<T>): Promise<T> => {
    if (waiting.filter((one) => one.tenant === tenant).length >= most)
      throw new Refusal(503, 'too many documents are queued', timeMs / 1000);
    await new Promise<void>((go) => {
      waiting.push({ tenant, go });
      start();
    });
    try {
      return await work();
    } finally {
      running.splice(running.indexOf(tenant), 1);
      start();
    }
  };
}
