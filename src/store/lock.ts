/** Locks between processes: files with the holder's pid. */
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
  // With the pid in the name: one who is killed before it stands in the file is known all the same.
  const mine = `${path}.${holder.pid}.${suffix()}`;
  const options = { flag: 'wx', mode: 0o600, flush: true };
  const failed = (error: unknown) => {
    throw new DtpError('config', `cannot make the lock ${path}: ${reasonOf(error)}`, { cause: error });
  };
  try {
    // On the disk before it takes the lock's name: a lock without its holder's pid could never be broken.
    await writeFile(mine, String(holder.pid), options).catch(failed);
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
const BEFORE_LOCK = /\.lock(?:\.break)*\.(\d+)\.[0-9a-f]{12}$/;

/** Removes, of the `names` in a folder, what processes have left that were killed before they had their lock. Never fails. */
export async function sweepLocks(
  folder: string,
  names: readonly string[],
  holder: LockHolder,
): Promise<void> {
  for (const name of names) {
    const [, pid] = BEFORE_LOCK.exec(name) ?? [];
    if (pid !== undefined && !holder.isAlive(Number(pid)))
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
  const pid = await holderOf(path);
  return pid !== undefined && !holder.isAlive(pid);
}

async function holderOf(path: string): Promise<number | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return /^\d+$/.test(text) ? Number(text) : undefined;
}

const held = (path: string, pid: number | undefined) =>
  new DtpError(
    'config',
    `the lock ${path} is held by ${pid === undefined ? 'another process' : `process ${pid}`}`,
    {
      hint: 'Wait until it has ended; if it is no dtp, remove the file.',
    },
  );
