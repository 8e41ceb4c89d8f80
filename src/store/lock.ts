/** Takes and releases locks between processes. A lock is a file that names the process that holds it. */
import { lstat, open, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ignoring, systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { SAFE_READ, smallLimit } from '../system/owner.ts';
import { reasonOf, renameExclusively, suffix } from './files.ts';
import { rename } from './rename.ts';

/** The process that takes a lock, and the system functions that locking needs. */
export interface LockHolder {
  readonly now: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  readonly pid: number;
  /** Whether a process exists. */
  readonly isAlive: (pid: number) => boolean;
  /**
   * Returns the start of a process, which distinguishes it from a later process with the same pid. Returns undefined if
   * the process has ended, or if the system does not report the start.
   */
  readonly beganAt: (pid: number) => string | undefined;
  /**
   * Shows processes that cannot see our pid, for example in another container, that this process is alive. Absent if
   * the system does not support witnesses.
   */
  readonly witness?: Witness;
}

/** Files that show whether their creator is alive. Any process that can access their folder can check this. */
export interface Witness {
  /** Creates a file and returns a function that deletes it. Undefined if the file system does not support it. */
  readonly open: (path: string) => Promise<(() => Promise<void>) | undefined>;
  /** Whether the creator of the file is alive. False if the file does not exist. */
  readonly isOpen: (path: string) => Promise<boolean>;
  /** Whether every process sees the witnesses of all others, so that a witness says more than a pid. */
  readonly isCertain?: true;
}

/**
 * Runs `work` while holding the lock. If the previous holder has died, breaks the lock, but only once. Throws
 * `config` if the lock is not free within `waitMs`.
 */
export async function withLock<T>(path: string, work: () => Promise<T>, holder: LockHolder, waitMs = 10_000) {
  const done = await withFreeLock(path, work, holder, waitMs);
  if (done) return done.result;
  throw held(path, await holderOf(path));
}

/** Like `withLock`, but returns undefined if the lock is not free within `waitMs`. */
export async function withFreeLock<T>(path: string, work: () => Promise<T>, holder: LockHolder, waitMs = 0) {
  const id = suffix();
  // Create the witness before the lock and delete it after the lock, so that no process sees a lock without a witness.
  const close = await holder.witness?.open(witnessOf(path, id));
  try {
    if (!(await acquire(path, close ? id : undefined, holder, waitMs))) return undefined;
    try {
      return { result: await work() };
    } finally {
      // Ignore a failed deletion, because the work is done. Other processes break the lock once this process has ended.
      await rm(path, { force: true }).catch(() => undefined);
    }
  } finally {
    await close?.();
  }
}

/** Returns whether the lock was acquired. `witness` is the id of this process's witness file. */
async function acquire(path: string, witness: string | undefined, holder: LockHolder, waitMs: number) {
  const mark = markOf(holder, witness);
  // The file name contains the mark, so that its creator is known even if the creator is killed before it writes.
  const mine = `${path}.${mark}.${suffix()}`;
  const options = { flag: 'wx', mode: 0o600, flush: true };
  const failed = (error: unknown) => {
    throw new DtpError('config', `cannot create the lock ${path}: ${reasonOf(error)}`, { cause: error });
  };
  try {
    // Write the mark before taking the lock, because a lock without a mark could never be broken.
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
    // If this file cannot be deleted now, a later sweep deletes it.
    await rm(mine, { force: true }).catch(() => undefined);
  }
}

/** The name of the unique file that a process writes before it takes a lock. */
const BEFORE_LOCK = /\.lock(?:\.break)*\.(\d+(?:\.[\w-]+){0,2})\.[0-9a-f]{12}$/;

const WITNESS = /^\.dtp-alive-[0-9a-f]{12}$/;

/** Returns the path of the witness file for a lock's holder. */
const witnessOf = (path: string, id: string) => join(dirname(path), `.dtp-alive-${id}`);

/** Deletes the files in `names` that killed processes left: witnesses, and files written before a lock. Never fails. */
export async function sweepLocks(folder: string, names: readonly string[], holder: LockHolder): Promise<void> {
  for (const name of names) {
    const path = join(folder, name);
    const [, mark] = BEFORE_LOCK.exec(name) ?? [];
    const isLeft = mark === undefined ? isLeftWitness(path, holder) : isGone(readMark(mark), path, holder);
    if (await isLeft.catch(() => false)) await rm(path, { force: true }).catch(() => undefined);
  }
}

async function isLeftWitness(path: string, { witness, sleep }: LockHolder): Promise<boolean> {
  if (!witness || !WITNESS.test(basename(path)) || (await witness.isOpen(path))) return false;
  // Check again, because a new witness file exists for a moment before it accepts connections.
  await sleep(20);
  return !(await witness.isOpen(path));
}

const took = (mine: string, path: string): Promise<true | undefined> =>
  renameExclusively(mine, path)
    .then(() => true as const)
    .catch(ignoring((error) => systemCode(error) === 'EEXIST'));

/**
 * Deletes the lock of a dead process, while holding a second lock. Otherwise two processes could break the same lock,
 * and the second process would break the new lock of the first.
 */
function breakLock(path: string, holder: LockHolder, waitMs: number): Promise<unknown> {
  const work = async () => {
    if (!(await isDead(path, holder))) return;
    // A folder in place of a lock may have content.
    if ((await lstat(path)).isDirectory()) await rename(path, `${path}.${suffix()}`);
    else await rm(path, { force: true });
  };
  return withFreeLock(`${path}.break`, work, holder, waitMs);
}

/** Whether a living process holds the lock. */
export async function isHeld(path: string, holder: LockHolder): Promise<boolean> {
  const there = await lstat(path).catch(() => undefined);
  return there !== undefined && !(await isDead(path, holder));
}

async function isDead(path: string, holder: LockHolder): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  // Locks are files, so no process holds a pipe, a link or a folder.
  if (found && !found.isFile()) return true;
  return isGone(await holderOf(path), path, holder);
}

const holderOf = async (path: string): Promise<Mark | undefined> => readMark(await textAt(path));

/** Returns the content of a small regular file, or '' for anything else. Never waits for a pipe. */
export async function textAt(path: string): Promise<string> {
  const file = await open(path, SAFE_READ).catch(() => undefined);
  try {
    const found = await file?.stat();
    return file && found?.isFile() && found.size <= smallLimit.bytes ? await file.readFile('utf8') : '';
  } catch {
    return '';
  } finally {
    await file?.close();
  }
}

/**
 * Identifies the holder of a lock. A mark is written as the pid, the start of the process (if the system reports it)
 * and the id of its witness (if it has one), separated by dots.
 */
type Mark = NonNullable<ReturnType<typeof readMark>>;

const markOf = ({ pid, beganAt }: LockHolder, witness: string | undefined): string =>
  // A dash means that the system does not report the start.
  [pid, beganAt(pid) ?? (witness === undefined ? undefined : '-'), witness]
    .filter((part) => part !== undefined)
    .join('.');

function readMark(text: string) {
  const [, pid, began, witness] = /^(\d+)(?:\.([\w-]+))?(?:\.([0-9a-f]{12}))?$/.exec(text) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), began, witness };
}

/** Whether the holder of the lock at `path` has certainly ended. False if there is no mark. */
async function isGone(mark: Mark | undefined, path: string, holder: LockHolder): Promise<boolean> {
  if (!mark) return false;
  if (mark.witness !== undefined && holder.witness?.isCertain)
    return !(await holder.witness.isOpen(witnessOf(path, mark.witness)));
  if (isSeen(mark, holder)) return false;
  // The pid may be from another pid namespace and have no meaning here, so check the witness too.
  return mark.witness === undefined || !(await holder.witness?.isOpen(witnessOf(path, mark.witness)));
}

/** Whether this process can see that the process that wrote the mark is still running. */
function isSeen(mark: Mark, holder: LockHolder): boolean {
  const began = holder.beganAt(mark.pid);
  // The holder may not have known its start, for example in another container. If its pid is ours, it has ended.
  if (began === undefined || (mark.began === undefined && mark.pid !== holder.pid)) return holder.isAlive(mark.pid);
  return mark.began === began;
}

const held = (path: string, mark: Mark | undefined) =>
  new DtpError('config', `the lock ${path} is held by ${mark ? `process ${mark.pid}` : 'another process'}`, {
    hint: 'Wait until it exits. If it is not a dtp process, delete the file.',
  });
