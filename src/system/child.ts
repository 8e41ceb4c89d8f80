/** Runs a program for the user, with our standard streams and in our process group. */
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { DtpError, ExitCode, signals } from '../errors.ts';
import { entriesOf } from '../json-object.ts';
import { helperFolder, isOnWindows } from './platform.ts';
import { startFault } from './start-fault.ts';

export interface Program {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Runs a program and returns its exit code, or 128 plus the number of the signal that killed it, as a shell does. The
 * program receives an interrupt exactly once. It is killed when this process exits, unless this process is killed
 * itself. Throws `usage` if the program cannot be started.
 */
export async function runChild({ name, args, env }: Program, interrupt: AbortSignal): Promise<number> {
  interrupt.throwIfAborted();
  const witness = openWitness();
  const child = (await spawner())(name, args, { env, stdio: 'inherit' });
  const forward = () => {
    const by = signalOf(interrupt.reason);
    witness.ifSpared(by, () => child.kill(by));
  };
  const kill = () => child.kill('SIGKILL');
  interrupt.addEventListener('abort', forward, { once: true });
  process.once('exit', kill);
  try {
    return await new Promise((done, failed) => {
      child.on('error', (error) => failed(new DtpError('usage', startFault(name, error))));
      child.on('close', (code, by) => done(code ?? 128 + (by === null ? 0 : constants.signals[by])));
    });
  } finally {
    interrupt.removeEventListener('abort', forward);
    process.removeListener('exit', kill);
    witness.close();
  }
}

/** On Windows, finds programs such as `npm.cmd` through PATHEXT, and starts them with cmd, with quoted arguments. */
const spawner = async (): Promise<(name: string, args: readonly string[], how: SpawnOptions) => ChildProcess> =>
  isOnWindows ? (await import('cross-spawn')).default : spawn;

/** Returns the name of the signal that caused an interrupt. */
const signalOf = (reason: unknown) =>
  entriesOf(signals).find(([, code]) => reason instanceof ExitCode && code === reason.code)?.[0];

/**
 * Detects whether a signal was sent to our process group, as by Ctrl-C on a terminal, or only to this process, as by
 * `kill PID`. Node does not report this. Therefore a `cat` process runs in our group: if it still echoes its input
 * after the signal, only this process received the signal.
 */
function openWitness() {
  const cat = spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'], cwd: helperFolder });
  let isMissing = false;
  cat.on('error', () => {
    isMissing = true;
  });
  // Ignore a failed write to a `cat` that has ended.
  cat.stdin?.on('error', () => undefined);
  return {
    /** Runs `work` if `signal` was sent only to this process, not to its group. */
    ifSpared: (signal: string | undefined, work: () => void) => {
      // Windows has no `cat`. Its console sends Ctrl-C to all programs, like a terminal.
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
