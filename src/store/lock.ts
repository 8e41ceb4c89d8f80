/** Locks between processes: files that say which process holds them. */
import { lstat, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DtpError } from '../errors.ts';
import { claim, codeIn, reasonOf, suffix } from './files.ts';

/** Who holds a lock, and how it waits for one. */
export interface LockHolder {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly pid: number;
  /** Whether a process is there. */
  readonly isAlive: (pid: number) => boolean;
  /** What tells a process from a later one of the same number; undefined where it is gone, or the system does not say. */
  readonly beganAt: (pid: number) => string | undefined;
}

/**
 * Does `work` while no other process does work under the same path. A lock whose holder has died is broken, once. Throws
 * `config` where the lock is not free within `waitMs`.
 */
export async function withLock<T>(
  path: string,
  work: () => Promise<T>,
  holder: LockHolder,
  waitMs = 10_000,
): Promise<T> {
  const done = await withFreeLock(path, work, holder, waitMs);
  if (done) return done.result;
  throw held(path, await holderOf(path));
}

/** The same, and undefined where the lock is not free within `waitMs`. */
export async function withFreeLock<T>(
  path: string,
  work: () => Promise<T>,
  holder: LockHolder,
  waitMs = 0,
): Promise<{ readonly result: T } | undefined> {
  if (!(await acquire(path, holder, waitMs))) return undefined;
  try {
    return { result: await work() };
  } finally {
    // Where it stays, it is a dead holder's as soon as this process has ended, and no reason to call the work failed.
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/** Whether the lock was got. */
async function acquire(path: string, holder: LockHolder, waitMs: number): Promise<boolean> {
  const mark = markOf(holder);
  // With the mark in the name: one who is killed before it stands in the file is known all the same.
  const mine = `${path}.${mark}.${suffix()}`;
  const options = { flag: 'wx', mode: 0o600, flush: true };
  const failed = (error: unknown) => {
    throw new DtpError('config', `cannot make the lock ${path}: ${reasonOf(error)}`, { cause: error });
  };
  try {
    // On the disk before it takes the lock's name: a lock without its holder's mark could never be broken.
    await writeFile(mine, mark, options).catch(failed);
    const start = holder.now();
    let broken = false;
    while (!(await took(mine, path).catch(failed))) {
      const left = waitMs - (holder.now() - start);
      if (!broken && (await isDead(path, holder))) {
        broken = true;
        await breakLock(path, holder, left);
      } else if (left > 0) await holder.sleep(20);
      else return false;
    }
    return true;
  } finally {
    // Where it stays, the sweep takes it.
    await rm(mine, { force: true }).catch(() => undefined);
  }
}

/** What a process writes of a lock before it takes it, under a name that nobody else uses. */
const BEFORE_LOCK = /\.lock(?:\.break)*\.(\d+(?:\.[\w-]+)?)\.[0-9a-f]{12}$/;

/** Removes, of the `names` in a folder, what processes have left that were killed before they had their lock. Never fails. */
export async function sweepLocks(
  folder: string,
  names: readonly string[],
  holder: LockHolder,
): Promise<void> {
  for (const name of names) {
    const [, mark] = BEFORE_LOCK.exec(name) ?? [];
    if (mark !== undefined && isGone(readMark(mark), holder))
      await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

const took = (mine: string, path: string): Promise<boolean> =>
  claim(mine, path).then(
    () => true,
    (error: unknown) => {
      if (codeIn(error) === 'EEXIST') return false;
      throw error;
    },
  );

/** Under a lock of its own, or two could break it, the second one that which the first has just taken. */
const breakLock = (path: string, holder: LockHolder, waitMs: number): Promise<unknown> =>
  withFreeLock(
    `${path}.break`,
    async () => {
      if (await isDead(path, holder)) await rm(path, { force: true });
    },
    holder,
    waitMs,
  );

/** Whether a living process holds the lock. */
export async function isHeld(path: string, holder: LockHolder): Promise<boolean> {
  const there = await lstat(path).catch(() => undefined);
  return there !== undefined && !(await isDead(path, holder));
}

async function isDead(path: string, holder: LockHolder): Promise<boolean> {
  return isGone(await holderOf(path), holder);
}

const holderOf = async (path: string): Promise<Mark | undefined> =>
  readMark(await readFile(path, 'utf8').catch(() => ''));

/** What a lock says of its holder: the pid, and after a point when that process began, where the system tells it. */
interface Mark {
  readonly pid: number;
  readonly began: string | undefined;
}

const markOf = ({ pid, beganAt }: LockHolder): string => {
  const began = beganAt(pid);
  return began === undefined ? String(pid) : `${pid}.${began}`;
};

function readMark(text: string): Mark | undefined {
  const [, pid, began] = /^(\d+)(?:\.([\w-]+))?$/.exec(text) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), began };
}

/** Of a mark that names nobody it is not known. */
function isGone(mark: Mark | undefined, holder: LockHolder): boolean {
  if (!mark) return false;
  const began = holder.beganAt(mark.pid);
  // A pid alone is what an older version wrote: it may be anyone's who is there, but not this process's.
  if (began === undefined || (mark.began === undefined && mark.pid !== holder.pid))
    return !holder.isAlive(mark.pid);
  return mark.began !== began;
}

const held = (path: string, mark: Mark | undefined) =>
  new DtpError('config', `the lock ${path} is held by ${mark ? `process ${mark.pid}` : 'another process'}`, {
    hint: 'Wait until it has ended; if it is no dtp, remove the file.',
  });
