/** Work on a document in a process of its own: there it may take its time and its memory, and die, alone. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readAll } from '../request/http.ts';
import type { Task } from './documents/document-work.ts';
import { Refusal } from './refusal.ts';

/**
 * Built beside the tool: from src/service/ and from dist/chunks/ the way is the same. No thread: JSON.parse of 60 MiB
 * that is out of memory cannot be stopped in one for minutes.
 */
const PROGRAM = new URL('../../dist/service/document-process.cjs', import.meta.url);

export interface Limits {
  readonly memoryMb: number;
  readonly timeMs: number;
  /** Of the documents that wait for their turn, which are held in memory. */
  readonly waitingBytes: number;
}

const LIMITS: Limits = { memoryMb: 1024, timeMs: 30_000, waitingBytes: 256 * 1024 * 1024 };
const ANSWER_LIMIT = 64 * 1024 * 1024;
const AT_ONCE = 2;

export interface Aside {
  /** The answer, or the refusal that the work came to: 503 where too much waits already. */
  readonly work: (task: Task, document: string | Uint8Array) => Promise<string>;
  /** What `start` gives to all who ask under its key until it is done. */
  readonly once: <T>(key: string, start: () => Promise<T>) => Promise<T>;
}

export function openAside(given: Partial<Limits> = {}): Aside {
  const limits = { ...LIMITS, ...given };
  const inTurn = turns(AT_ONCE, limits);
  const begun = new Map<string, Promise<unknown>>();
  return {
    work: (task, document) => inTurn(Buffer.byteLength(document), () => run(task, document, limits)),
    once: <T>(key: string, start: () => Promise<T>) => {
      const known = begun.get(key) as Promise<T> | undefined;
      if (known) return known;
      const work = start().finally(() => begun.delete(key));
      begun.set(key, work);
      return work;
    },
  };
}

async function run(task: Task, document: string | Uint8Array, { memoryMb, timeMs }: Limits): Promise<string> {
  const child = fork(PROGRAM, {
    stdio: ['pipe', 'pipe', 'ignore', 'ipc'],
    execArgv: [],
    // It needs nothing of ours, our credentials least. An executable would take its limit as an argument for itself.
    env: { NODE_OPTIONS: `--max-old-space-size=${memoryMb}` },
    timeout: timeMs,
    killSignal: 'SIGKILL',
  });
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw unstarted();
  // It may end before it has read all.
  stdin.on('error', () => {});
  stdin.write(`${JSON.stringify(task)}\n`);
  stdin.end(document);
  const [answer, [code]] = await Promise.all([readAll(stdout, ANSWER_LIMIT), once(child, 'close')]).catch(
    () => {
      throw unstarted();
    },
  );
  if (!answer) throw new Refusal(422, `the answer would be larger than ${ANSWER_LIMIT} bytes`);
  if (code === 1) throw unstarted();
  if (code !== 0)
    throw new Refusal(
      422,
      `the document is too costly: it takes more than ${timeMs / 1000} s or ${memoryMb} MiB of memory`,
    );
  return read(Buffer.from(answer).toString('utf8'));
}

const unstarted = (): Refusal => new Refusal(503, 'the process for documents did not start or broke off');

function read(answer: string): string {
  const end = answer.indexOf('\n');
  const status = Number(answer.slice(0, end));
  const text = answer.slice(end + 1);
  if (status !== 200) throw new Refusal(status, text);
  return text;
}

/** At most so many at once; the others wait, at most so many bytes of them, until a turn is surely over. */
function turns(free: number, { waitingBytes, timeMs }: Limits) {
  const waiting: (() => void)[] = [];
  let left = free;
  let held = 0;
  const wait = async (size: number) => {
    if (held + size > waitingBytes)
      throw new Refusal(503, 'too many documents wait for their turn', timeMs / 1000);
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
