/** A program of the user's, run on our own streams and in our own process group. */

import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { entriesOf } from '../entries.ts';
import { DtpError, ExitCode, signals } from '../errors.ts';

export interface Program {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a program to its end and gives its exit code, as a shell counts it. The interrupt reaches it exactly once. It does
 * not outlive this process unless that is killed. Throws `usage` if the program cannot be started.
 */
export async function runChild({ name, args, env }: Program, interrupt: AbortSignal): Promise<number> {
  interrupt.throwIfAborted();
  const witness = openWitness();
  const child = spawn(name, args, { env, stdio: 'inherit' });
  const forward = () => {
    const by = signalOf(interrupt.reason);
    witness.ifSpared(by, () => child.kill(by));
  };
  const kill = () => child.kill('SIGKILL');
  interrupt.addEventListener('abort', forward, { once: true });
  process.once('exit', kill);
  try {
    return await new Promise((done, failed) => {
      child.on('error', (error) =>
        failed(new DtpError('usage', `${name} cannot be started: ${error.message}`)),
      );
      child.on('close', (code, by) => done(code ?? 128 + (by === null ? 0 : constants.signals[by])));
    });
  } finally {
    interrupt.removeEventListener('abort', forward);
    process.removeListener('exit', kill);
    witness.close();
  }
}

/** The signal that an interrupt came from. */
const signalOf = (reason: unknown) =>
  entriesOf(signals).find(([, code]) => reason instanceof ExitCode && code === reason.code)?.[0];

/**
 * A terminal's Ctrl-C goes to the whole process group, `kill PID` to one process, and Node does not say which it was. A
 * `cat` in our group knows: a signal to the group ends it, and if it still echoes then the signal was for us alone.
 */
function openWitness() {
  const cat = spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'] });
  let isMissing = false;
  cat.on('error', () => {
    isMissing = true;
  });
  // A write to a cat that has ended.
  cat.stdin?.on('error', () => undefined);
  return {
    /** Does `work` if `signal` reached this process and not its group. */
    ifSpared: (signal: string | undefined, work: () => void) => {
      // Windows has no cat. Its console gives Ctrl-C to all its programs, as a terminal does.
      if (isMissing) {
        if (signal === 'SIGTERM' || ![0, 1, 2].some(isatty)) work();
        return;
      }
      cat.stdout.once('data', work);
      cat.stdin.write('\n');
    },
    close: () => cat.kill('SIGKILL'),
  };
}
