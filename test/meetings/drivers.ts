/** Processes that run command lines of a built tool, one after another each. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

export interface Job {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly isTerminal?: boolean;
  /** A folder on a full disk. */
  readonly full?: string;
  /** When Ctrl-C is pressed, in milliseconds. */
  readonly interruptMs?: number;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The stack of an error that nothing has caught. */
  readonly crash: string;
}

/** Only a command that never ends takes longer than these waits, each in milliseconds. */
const WAIT_MS = 10_000;
const WAITS = 12;

export const built = process.env.DTP_BIN ?? join(import.meta.dirname, '../../bin/dtp.cjs');

export type Drivers = ReturnType<typeof openDrivers>;

/** Opens `count` processes. Each runs the command lines of one task at a time. */
export function openDrivers(count: number) {
  const open = () =>
    fork(join(import.meta.dirname, 'driver.cjs'), [built], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const children = Array.from({ length: count }, open);
  const runIn = (slot: number, job: Job): Promise<Ended> =>
    new Promise((done) => {
      const child = children[slot] as ChildProcess;
      const end = (ended: Ended) => {
        clearInterval(late);
        child.removeAllListeners();
        done(ended);
      };
      const dead = (crash: string) => {
        child.kill('SIGKILL');
        children[slot] = open();
        end({ code: -1, stdout: '', stderr: '', crash });
      };
      // A machine that was suspended ends one wait early, but not all of them.
      let waits = 0;
      const late = setInterval(() => ++waits === WAITS && dead('the command did not end'), WAIT_MS);
      child.once('exit', (code, signal) => dead(`the process ended with ${signal ?? code}`));
      child.once('message', ({ stdout, stderr, ...rest }: Ended) => {
        const text = (bytes: string) => Buffer.from(bytes, 'base64').toString();
        end({ ...rest, stdout: text(stdout), stderr: text(stderr) });
      });
      child.send(job);
    });
  return {
    /** Does each task in one of the processes, and returns the results in the order of the tasks. */
    each: async <T, R>(tasks: readonly T[], work: (task: T, run: (job: Job) => Promise<Ended>) => Promise<R>) => {
      const results: R[] = [];
      const queue = tasks.entries();
      const worker = async (_: unknown, slot: number) => {
        for (const [at, task] of queue) results[at] = await work(task, (job) => runIn(slot, job));
      };
      await Promise.all(Array.from({ length: count }, worker));
      return results;
    },
    close: () => {
      for (const child of children) child.kill();
    },
  };
}
