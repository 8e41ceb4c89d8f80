/** This process and the others of the machine, as locks tell them apart. */
import { readFileSync, readlinkSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { systemCode } from '../caught.ts';
import { builtin } from './builtin.ts';

export const processes = () => ({
  pid: ownPid(),
  isAlive,
  beganAt,
  ...(process.platform === 'linux' && { witness: { open: openWitness, isOpen } }),
});

/** By the count of /proc: in a namespace of its own a process has another number, by which /proc may know a stranger. */
function ownPid(): number {
  try {
    return Number(readlinkSync('/proc/self'));
  } catch {
    return process.pid;
  }
}

/** What Linux says of a process after its name, which may hold brackets and spaces: the state first. Throws without one. */
function fieldsOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** A zombie has ended. It stays as long as its parent does not wait for it, in some containers for ever. */
const hasEnded = ([state = '']: readonly string[]) => ['Z', 'X', 'x'].includes(state);

/** On Linux the ticks from the boot to its start, and the boot; undefined for a process that has ended. */
function beganAt(pid: number): string | undefined {
  try {
    const fields = fieldsOf(pid);
    const start = fields[19];
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return hasEnded(fields) ? undefined : `${start}-${boot}`;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    if (hasEnded(fieldsOf(pid))) return false;
  } catch {
    // Not Linux, or gone.
  }
  try {
    // Signal 0 asks only.
    return process.kill(pid, 0);
  } catch (error) {
    // A process of somebody else's is there too.
    return systemCode(error) === 'EPERM';
  }
}

/**
 * A socket that takes connections as long as this process lives, also while it is stopped. Whoever sees the folder can ask
 * it, from any pid namespace. Gives what closes and removes it; undefined if there is no socket on that file system.
 */
async function openWitness(path: string): Promise<(() => Promise<void>) | undefined> {
  // An executable imports nothing while it runs.
  const { createServer } = builtin('node:net');
  return inFolder(path, (short, release) => {
    const server = createServer((socket) => socket.destroy()).unref();
    return new Promise<(() => Promise<void>) | undefined>((done) => {
      server.once('error', () => done(release().then(() => undefined)));
      server.listen(short, () => {
        server.removeAllListeners('error').on('error', () => undefined);
        done(() => new Promise((closed) => server.close(() => closed(release()))));
      });
    });
  });
}

/** Whether the process that made a witness lives. True too if the system does not say. */
async function isOpen(path: string): Promise<boolean> {
  const { connect } = builtin('node:net');
  const answer = await inFolder(path, (short, release) => {
    return new Promise<boolean>((done) => {
      const end = (isThere: boolean) => {
        socket.destroy();
        done(release().then(() => isThere));
      };
      const socket = connect(short, () => end(true));
      socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
        end(!['ECONNREFUSED', 'ENOENT'].includes(code));
      });
    });
  });
  return answer ?? false;
}

/** A socket's path may have 107 bytes, and a folder's more: it is reached by its open descriptor. Undefined if it is not there. */
async function inFolder<T>(
  path: string,
  work: (short: string, release: () => Promise<void>) => Promise<T>,
): Promise<T | undefined> {
  const folder = await open(dirname(path)).catch(() => undefined);
  return folder && work(`/proc/self/fd/${folder.fd}/${basename(path)}`, () => folder.close());
}
