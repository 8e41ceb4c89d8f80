/** Runs the shell command that prints a credential, and returns its output. */
import { spawn, spawnSync } from 'node:child_process';
import { messageOf, orThrow } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { credentialLimit } from '../limits.ts';
import { helperFolder, isOnWindows } from './platform.ts';

/** The maximum run time of the command, in milliseconds (README, "Settings, files and credentials"). */
const limitMs = 3000;

/** The time between SIGTERM and SIGKILL for a command that must end, in milliseconds. */
const graceMs = 100;

/**
 * Returns the output of the command. The command runs in a separate process group, so that its children can be killed
 * with it. Throws `config` if the command fails, prints more than 64 KiB or takes longer than `limitMs`. If
 * interrupted, throws the reason of the interrupt.
 */
export async function credentialOutputOf(command: string, interrupt: AbortSignal): Promise<string> {
  interrupt.throwIfAborted();
  const shell = start(command);
  const kill = (by: NodeJS.Signals) => {
    if (shell.pid === undefined) return;
    try {
      if (!isOnWindows) process.kill(-shell.pid, by);
      else if (!endTree(shell.pid)) shell.kill();
    } catch {
      // Ignore the error, because all processes of the group have ended.
    }
  };
  const killAll = () => kill('SIGKILL');
  const abort = new AbortController();
  const late = setTimeout(() => abort.abort(overdue(shell.exitCode === 0)), limitMs);
  process.once('exit', killAll);
  try {
    return await printed(shell, AbortSignal.any([interrupt, abort.signal]));
  } catch (error) {
    kill('SIGTERM');
    await new Promise((done) => setTimeout(done, graceMs));
    killAll();
    throw error;
  } finally {
    clearTimeout(late);
    process.removeListener('exit', killAll);
    // Close the pipe, because a process outside the group may keep it open.
    shell.stdout.destroy();
    shell.unref();
  }
}

/** Ends a process and its children on Windows. Returns whether that worked. */
const endTree = (pid: number): boolean =>
  spawnSync('taskkill', ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true, cwd: helperFolder })
    .status === 0;

type Shell = ReturnType<typeof start>;

function start(command: string) {
  // On Windows, a detached program would open a window.
  const how = { shell: true, detached: !isOnWindows, windowsHide: true } as const;
  return orThrow(() => spawn(command, { ...how, stdio: ['ignore', 'pipe', 'inherit'] }), unstarted);
}

const printed = (shell: Shell, signal: AbortSignal): Promise<string> =>
  new Promise((done, failed) => {
    signal.addEventListener('abort', () => failed(signal.reason), { once: true });
    const pieces: Buffer[] = [];
    let size = 0;
    // If no descriptor is free, `stdout` is undefined, and an `error` event follows.
    shell.stdout?.on('data', (piece: Buffer) => {
      pieces.push(piece);
      size += piece.byteLength;
      if (size <= credentialLimit.bytes) return;
      shell.stdout.destroy();
      failed(faulty(`printed more than ${credentialLimit.text}`, 'It must print the credential and nothing else.'));
    });
    shell.on('error', (error) => failed(unstarted(error)));
    shell.on('exit', (code, by) => {
      if (code !== 0) failed(faulty(by === null ? `exited with ${code}` : `was killed by ${by}`));
    });
    shell.on('close', () => done(Buffer.concat(pieces).toString('utf8')));
  });

const faulty = (what: string, hint?: string) =>
  new DtpError('config', `the credential command ${what}`, hint === undefined ? {} : { hint });

const unstarted = (error: unknown) => faulty(`cannot be started: ${messageOf(error)}`);

const overdue = (hasExited: boolean) =>
  hasExited
    ? faulty(
        'left a background process that keeps its output open',
        'Redirect the output of that process, for example with: COMMAND >/dev/null 2>&1 &',
      )
    : faulty(`took longer than ${limitMs / 1000} s`);
