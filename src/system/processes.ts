/** Identifies processes and checks whether they are alive, for locks. */
import { readFileSync, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { attempt, systemCode } from '../caught.ts';
import { builtin } from './builtin.ts';
import { isOnWindows } from './platform.ts';

/** Elsewhere, /proc is a folder that anyone may create. */
const isLinux = process.platform === 'linux';

/** Returns the system functions that locks need. Linux and Windows have witnesses. */
export const processes = () => ({
  pid: ownPid(),
  isAlive,
  beganAt,
  ...(isLinux && { witness: { open: openWitness, isOpen } }),
  ...(isOnWindows && { witness: { open: openPipe, isOpen: isPipeOpen, isCertain: true as const } }),
});

/** Returns our pid in /proc. It differs from process.pid if /proc belongs to another pid namespace. */
const ownPid = (): number => attempt(() => (isLinux ? Number(readlinkSync('/proc/self')) : process.pid), process.pid);

/**
 * Returns the fields of /proc/PID/stat after the process name, which may contain brackets and spaces. The first one is
 * the state. Throws if there is no such process.
 */
function fieldsOf(pid: number): readonly string[] {
  if (!isLinux) throw new Error('there is no /proc');
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Whether a process has ended. Zombies count: in some containers they stay forever, if no parent waits for them. */
const hasEnded = ([state = '']: readonly string[]) => ['Z', 'X', 'x'].includes(state);

/** On Linux, returns the boot id and the ticks from boot to the start of the process. Undefined if it has ended. */
const beganAt = (pid: number): string | undefined =>
  attempt(() => {
    const fields = fieldsOf(pid);
    const start = fields[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return hasEnded(fields) ? undefined : `${start}-${boot}`;
  }, undefined);

function isAlive(pid: number): boolean {
  try {
    if (hasEnded(fieldsOf(pid))) return false;
  } catch {
    // This is not Linux, or the process has ended.
  }
  try {
    // Signal 0 only checks whether the process exists.
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM means that the process exists, but belongs to another user.
    return systemCode(error) === 'EPERM';
  }
}

/**
 * Opens a socket that accepts connections as long as this process exists, even while it is suspended (SIGSTOP). Any
 * process that can access the folder can connect, from any pid namespace. Returns a function that closes and deletes
 * the socket, or undefined if the socket cannot be created.
 */
const openWitness = (path: string) => inFolder(path, listen);

/** Whether the process that created a witness is alive. True if this is not known, so that no live lock is broken. */
const isOpen = async (path: string): Promise<boolean> =>
  (await inFolder(path, (short, release) => answers(short, ['ECONNREFUSED', 'ENOENT']).finally(release))) ?? true;

/** The pipe of a witness on Windows. All processes of the machine see it, and it ends with its process. */
const pipeOf = (path: string): string => `\\\\.\\pipe\\${basename(path)}`;

const openPipe = (path: string) => listen(pipeOf(path));
const isPipeOpen = (path: string) => answers(pipeOf(path), ['ENOENT']);

/** Calls `release` when the socket is closed or could not be created. */
function listen(path: string, release = async () => {}): Promise<(() => Promise<void>) | undefined> {
  // `import()` does not work in a single executable.
  const { createServer } = builtin('node:net');
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((done) => {
    server.once('error', () => done(release().then(() => undefined)));
    server.listen(path, () => {
      server.removeAllListeners('error').on('error', () => undefined);
      done(() => new Promise((closed) => server.close(() => closed(release()))));
    });
  });
}

/** Whether a socket accepts connections. `gone` has the error codes that mean that it certainly does not. */
function answers(path: string, gone: readonly string[]): Promise<boolean> {
  const { connect } = builtin('node:net');
  return new Promise((done) => {
    const socket = connect(path, () => {
      socket.destroy();
      done(true);
    });
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => done(!gone.includes(code)));
  });
}

/**
 * Runs `work` with a short form of the path, because a socket path is limited to 107 bytes. The short path uses an open
 * file descriptor of the folder. Returns undefined if the folder cannot be opened.
 */
async function inFolder<T>(path: string, work: (short: string, release: () => Promise<void>) => Promise<T>) {
  const folder = await open(dirname(path)).catch(() => undefined);
  return folder && work(`/proc/self/fd/${folder.fd}/${basename(path)}`, () => folder.close());
}
