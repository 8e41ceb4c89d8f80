/** Locks between processes: files that say which process holds them. */
import { lstat, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { claim, reasonOf, suffix } from './files.ts';

/** Who holds a lock, and how it waits for one. */
export interface LockHolder {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly pid: number;
  /** Whether a process is there. */
  readonly isAlive: (pid: number) => boolean;
  /** What tells a process from a later one of the same number; undefined where it is gone, or the system does not say. */
  readonly beganAt: (pid: number) => string | undefined;
  /** What shows a process to those that know no number of it, as in another container. Absent if the system has nothing. */
  readonly witness?: Witness;
}

/** Files by which any process that sees their folder can find out whether their maker lives. */
export interface Witness {
  /** Makes such a file and gives what removes it; undefined if the file system cannot hold one. */
  readonly open: (path: string) => Promise<(() => Promise<void>) | undefined>;
  /** Whether the maker of the file lives; false too if there is no file. */
  readonly isOpen: (path: string) => Promise<boolean>;
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
  const id = suffix();
  // Before the lock, and after it: a lock whose holder cannot be seen is never met without it.
  const close = await holder.witness?.open(witnessOf(path, id));
  try {
    if (!(await acquire(path, close ? id : undefined, holder, waitMs))) return undefined;
    try {
      return { result: await work() };
    } finally {
      // Where it stays, it is a dead holder's as soon as this process has ended, and no reason to call the work failed.
      await rm(path, { force: true }).catch(() => undefined);
    }
  } finally {
    await close?.();
  }
}

/** Whether the lock was got. `witness` is the id of the file that shows this process. */
async function acquire(
  path: string,
  witness: string | undefined,
  holder: LockHolder,
  waitMs: number,
): Promise<boolean> {
  const mark = markOf(holder, witness);
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
const BEFORE_LOCK = /\.lock(?:\.break)*\.(\d+(?:\.[\w-]+){0,2})\.[0-9a-f]{12}$/;

const WITNESS = /^\.dtp-alive-[0-9a-f]{12}$/;

/** Where the file lies that shows the holder of a lock. */
const witnessOf = (path: string, id: string) => join(dirname(path), `.dtp-alive-${id}`);

/** Removes, of the `names` in a folder, what processes have left that were killed before they had their lock. Never fails. */
export async function sweepLocks(
  folder: string,
  names: readonly string[],
  holder: LockHolder,
): Promise<void> {
  for (const name of names) {
    const path = join(folder, name);
    const [, mark] = BEFORE_LOCK.exec(name) ?? [];
    const isLeft = mark === undefined ? isLeftWitness(path, holder) : isGone(readMark(mark), path, holder);
    if (await isLeft.catch(() => false)) await rm(path, { force: true }).catch(() => undefined);
  }
}

async function isLeftWitness(path: string, { witness, sleep }: LockHolder): Promise<boolean> {
  if (!witness || !WITNESS.test(basename(path)) || (await witness.isOpen(path))) return false;
  // It is there a moment before it answers.
  await sleep(20);
  return !(await witness.isOpen(path));
}

const took = (mine: string, path: string): Promise<boolean> =>
  claim(mine, path).then(
    () => true,
    (error: unknown) => {
      if (systemCode(error) === 'EEXIST') return false;
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
  return isGone(await holderOf(path), path, holder);
}

const holderOf = async (path: string): Promise<Mark | undefined> =>
  readMark(await readFile(path, 'utf8').catch(() => ''));

/**
 * What a lock says of its holder, after points: the pid, when that process began, where the system tells it, and the id of
 * its witness.
 */
interface Mark {
  readonly pid: number;
  readonly began: string | undefined;
  readonly witness: string | undefined;
}

const markOf = ({ pid, beganAt }: LockHolder, witness: string | undefined): string =>
  // The dash keeps the place of a beginning that the system does not tell.
  [pid, beganAt(pid) ?? (witness === undefined ? undefined : '-'), witness]
    .filter((part) => part !== undefined)
    .join('.');

function readMark(text: string): Mark | undefined {
  const [, pid, began, witness] = /^(\d+)(?:\.([\w-]+))?(?:\.([0-9a-f]{12}))?$/.exec(text) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), began, witness };
}

/** Whether the holder of the lock at `path` has ended. Of a mark that names nobody it is not known. */
async function isGone(mark: Mark | undefined, path: string, holder: LockHolder): Promise<boolean> {
  if (!mark || isSeen(mark, holder)) return false;
  // Its number may be that of another pid namespace, which says nothing here.
  return mark.witness === undefined || !(await holder.witness?.isOpen(witnessOf(path, mark.witness)));
}

/** Whether the process with the number is there, and is the one that wrote it. */
function isSeen(mark: Mark, holder: LockHolder): boolean {
  const began = holder.beganAt(mark.pid);
  // A pid alone is what an older version wrote: it may be anyone's who is there, but not this process's.
  if (began === undefined || (mark.began === undefined && mark.pid !== holder.pid))
    return holder.isAlive(mark.pid);
  return mark.began === began;
}

const held = (path: string, mark: Mark | undefined) =>
  new DtpError('config', `the lock ${path} is held by ${mark ? `process ${mark.pid}` : 'another process'}`, {
    hint: 'Wait until it has ended; if it is no dtp, remove the file.',
  });
