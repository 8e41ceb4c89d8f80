/** Stores event batches on the disk (the spool) before they are sent, until the service acknowledges them. */
import { lstat, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { checkRootOwns } from '../system/owner.ts';
import { exposedFolder, type User } from './exposure.ts';
import { mayExist, suffix, syncFolder, writeFileWhole } from './files.ts';
import { isHeld, type LockHolder, sweepLocks, textAt, withFreeLock } from './lock.ts';
import { rename } from './rename.ts';
import { exposedQueue, failedTo, isFull, notLocked, notQueued, tooLong } from './spool-errors.ts';
import { makeFolder, makeFolderInside, namesIn } from './spool-folders.ts';
import { openKeep, type QueueBatch, type Queued } from './spool-keep.ts';
import { type Head, hasRoomFor, readBody, readHead, writeRecord } from './spool-record.ts';

export type { QueueBatch as Keep, Queued } from './spool-keep.ts';
export type { Head } from './spool-record.ts';

/** The service and workspace of a batch. The credential is not stored, but looked up again when the batch is sent. */
export type Destination = Pick<Head, 'base' | 'workspace'>;

/** A batch in a listing. Of a corrupt or unreadable batch, only the id, the size and a reason are known. */
export interface Entry extends Partial<Head> {
  readonly id: string;
  /** `busy` means that a process is sending the batch. A folder that is `unreadable` is listed as one batch. */
  readonly state: 'pending' | 'busy' | 'rejected' | 'corrupt' | 'unreadable';
  /** The size on the disk, in bytes. */
  readonly size: number;
  readonly status?: number;
  readonly reason?: string;
}

export type Spool = ReturnType<typeof openSpool>;

export interface TakeOptions {
  readonly state: 'pending' | 'rejected';
  /** Called once for each batch. */
  readonly wanted: (head: Head) => boolean;
  readonly work: (kept: Queued) => Promise<void>;
  /** Called for each damaged batch, which is set aside. */
  readonly damaged: (id: string) => void;
  /** Called with the error for each batch or folder that cannot be read or set aside. It stays in the queue. */
  readonly unreadable: (error: unknown) => null;
  /** Whether to leave the remaining batches in the queue. */
  readonly isOver: () => boolean;
}

/** A batch file. Its folder `run` belongs to one `dtp events post`, or is `rejected` or `corrupt`. */
interface Found {
  readonly run: string;
  readonly id: string;
  readonly path: string;
  /** If the folder cannot be read, the error. `path` is then the path of the folder. */
  readonly fault?: unknown;
  readonly status?: number;
}

const REJECTED = 'rejected';
const CORRUPT = 'corrupt';
/** Matches the folder of one `dtp events post`, or the lock file that a killed process left for it. */
const RUN = /^([0-9a-z]+_[0-9a-f]+)(?:\.lock)?$/;
/** Matches a batch file. Its name contains the status of a rejected batch, so that the state changes atomically. */
const NAME = /^([\w-]+?)(?:\.(\d{3}))?\.batch$/;

/**
 * Opens the spool in a folder. Each `dtp events post` has a subfolder with numbered batches. A lock file next to the
 * subfolder exists while a process sends them.
 */
export function openSpool(folder: string, holder: LockHolder & User & { readonly date: () => Date }) {
  const isBusy = (run: string) => isHeld(join(folder, `${run}.lock`), holder);

  /** A full disk has no space for a lock file. `noRoom` then decides what to do with the error of the disk. */
  const lock = async <T>(run: string, work: () => Promise<T>, noRoom: (error: unknown) => Promise<T>) => {
    let hasBegun = false;
    const begin = () => {
      hasBegun = true;
      return work();
    };
    return withFreeLock(join(folder, `${run}.lock`), begin, holder).catch(async (error: unknown) => {
      if (hasBegun || !isFull(error)) throw error;
      return { result: await noRoom(error instanceof Error ? (error.cause ?? error) : error) };
    });
  };
  const exposed = () => exposedFolder(folder, holder);
  const checkFolder = () => {
    const found = exposed();
    if (found) throw exposedQueue(folder, found);
    checkRootOwns(folder);
  };

  const batchOf = (run: string, name: string): readonly Found[] => {
    const [, id = '', status] = NAME.exec(name) ?? [];
    const path = join(folder, run, name);
    const full = run === REJECTED || run === CORRUPT ? id : `${run}-${id}`;
    return id === '' ? [] : [{ run, id: full, path, ...(status && { status: Number(status) }) }];
  };
  const found = (run: string): Promise<readonly Found[]> =>
    namesIn(join(folder, run), true).then(
      (names) => names.flatMap((name) => batchOf(run, name)),
      (fault: unknown) => [{ run, id: run, path: join(folder, run), fault }],
    );
  const runs = async () => [...new Set((await namesIn(folder)).flatMap((name) => RUN.exec(name)?.[1] ?? []))];
  const aside = async () => (await namesIn(folder)).filter((name) => name === REJECTED);
  const headOf = async ({ path, fault }: Found) => {
    if (fault) throw fault;
    return readHead(path, holder.uid).catch(failedTo('read', path));
  };
  const all = async (): Promise<readonly Found[]> =>
    (await Promise.all([...(await runs()), REJECTED, CORRUPT].map(found))).flat();
  const why = (id: string) => join(folder, REJECTED, `${id}.why`);

  const removed = (path: string) => rm(path, { force: true, recursive: true }).catch(failedTo('delete', path));
  const setAside = async (path: string, into: string, name: string) => {
    await makeFolderInside(join(folder, into));
    const target = join(folder, into, name);
    // A file replaces anything but a folder.
    const isTaken = (await lstat(target).catch(() => undefined))?.isDirectory();
    if (isTaken) await rename(target, `${target}.${suffix()}`).catch(failedTo('use', folder));
    await rename(path, target).catch(failedTo('use', folder));
    // If the sync fails, a power failure may move the batch back, but nothing is lost.
    await syncFolder(join(folder, into)).catch(() => undefined);
  };
  const keptAt = (path: string, id: string, head: Head): Queued => ({
    ...head,
    id,
    read: async () => {
      const body = await readBody(path, holder.uid).catch(failedTo('read', path));
      if (!body) await setAside(path, CORRUPT, `${id}.batch`);
      return body;
    },
    replace: (body, events) =>
      writeRecord(path, { ...head, events }, body, true).catch((error) => Promise.reject(notQueued(folder, error))),
    remove: async () => {
      // Try unlink first, because it needs one system call less than rm.
      await unlink(path).catch(() => removed(path));
      if (path.startsWith(join(folder, REJECTED))) await removed(why(id));
    },
    reject: async (status, reason) => {
      await makeFolderInside(join(folder, REJECTED));
      // Ignore an error, because the file name still contains the status if the reason cannot be stored.
      await writeFileWhole(why(id), reason, { replace: true }).catch(() => undefined);
      await setAside(path, REJECTED, `${id}.${status}.batch`);
    },
  });

  /** Deletes the unfinished files of killed processes, and then the folder if it is empty. */
  const tidy = async (run: string) => {
    // Skip the folders `rejected` and `corrupt`, because another process may be writing there.
    if (!RUN.test(run)) return;
    for (const name of await namesIn(join(folder, run), true).catch(() => []))
      if (name.startsWith('.dtp-')) await rm(join(folder, run, name), { force: true }).catch(() => undefined);
    await rmdir(join(folder, run)).catch(() => undefined);
  };

  return {
    /** Whether other users could have put batches into the folder. It is then not used. */
    exposed,
    /**
     * Runs `work`, which queues batches with `keep`. Batches that `work` does not remove stay pending. `limit` is the
     * maximum size of the whole spool in bytes. Throws `usage` for a destination that is too long to store.
     */
    open: async <T>(to: Destination, limit: number, work: (keep: QueueBatch) => Promise<T>): Promise<T> => {
      if (!hasRoomFor(to)) throw tooLong(to);
      checkFolder();
      await makeFolder(folder);
      let size = 0;
      for (const one of await all()) size += await sizeOf(one);
      const run = `${holder.date().getTime().toString(36)}_${suffix().slice(0, 6)}`;
      const idOf = (number: number) => String(number).padStart(7, '0');
      const keep = openKeep({
        folder,
        size,
        limit,
        pathOf: (number) => join(folder, run, `${idOf(number)}.batch`),
        keptAt: (path, number, head) => keptAt(path, `${run}-${idOf(number)}`, head),
        makeFolder,
        headOf: (events) => ({ ...to, events, created_at: holder.date().toISOString() }),
      });
      const tidied = () => work(keep).finally(() => tidy(run));
      const done = await lock(run, tidied, (error) => Promise.reject(notQueued(folder, error)));
      if (!done) throw new DtpError('error', `the queue in ${folder} is inconsistent: ${run} is locked`);
      return done.result;
    },
    /**
     * Calls `work` for each batch that `wanted` accepts and no other process is sending, oldest first. Throws `kept` if
     * the disk is too full for a lock, because another process could then send the same batches.
     */
    take: async ({ state, wanted, work, damaged, unreadable, isOver }: TakeOptions) => {
      checkFolder();
      await sweepLocks(folder, await namesIn(folder), holder);
      for (const run of await (state === 'pending' ? runs() : aside())) {
        if (isOver()) return;
        const decided = new Map<string, boolean>();
        const isUnwanted = async (one: Found) => {
          const head = await headOf(one).catch(() => undefined);
          if (head) decided.set(one.path, wanted(head));
          return decided.get(one.path) === false;
        };
        // Look for a batch to send or to set aside first, because taking thousands of locks takes long.
        const all = await found(run);
        let at = 0;
        for (let one = all[0]; one && (await isUnwanted(one)); one = all[++at]);
        if (at > 0 && at === all.length) continue;
        const takeRun = async () => {
          for (const one of await found(run)) {
            const { path, id } = one;
            if (isOver()) break;
            const head = await headOf(one).catch(unreadable);
            if (head === null) continue;
            if (head) {
              if (decided.get(path) ?? wanted(head)) await work(keptAt(path, id, head));
            } else if ((await setAside(path, CORRUPT, `${id}.batch`).catch(unreadable)) !== null) damaged(id);
          }
          await tidy(run);
        };
        await lock(run, takeRun, (error) => Promise.reject(notLocked(folder, error)));
      }
    },
    list: async (): Promise<readonly Entry[]> => {
      const entries: Entry[] = [];
      // Read one after the other, because a process can open only a limited number of files at once.
      for (const one of await all()) {
        const { id, run, status, path } = one;
        // A string is the reason why the batch cannot be read.
        const head = await headOf(one).catch(messageOf);
        // Skip a batch that was delivered in the meantime.
        if (typeof head !== 'object' && !(await mayExist(path))) continue;
        const size = await sizeOf(one);
        if (run === CORRUPT || head === undefined) entries.push({ id, state: 'corrupt', size });
        else if (typeof head === 'string') entries.push({ id, state: 'unreadable', size, reason: head });
        else if (run === REJECTED) {
          const reason = await textAt(why(id));
          entries.push({ id, state: 'rejected', ...head, size, ...(status && { status }), reason });
        } else entries.push({ id, state: (await isBusy(run)) ? 'busy' : 'pending', ...head, size });
      }
      return entries;
    },
    /** Deletes batches, except those that a process is sending. Returns their number. Throws after the last batch. */
    drop: async (ids: ReadonlySet<string>) => {
      checkRootOwns(folder);
      let dropped = 0;
      const failures: unknown[] = [];
      const wanted = (await all()).filter(({ id }) => ids.has(id));
      for (const run of new Set(wanted.map((one) => one.run))) {
        const dropRun = async () => {
          for (const one of wanted.filter((each) => each.run === run)) {
            if (!(await mayExist(one.path))) continue;
            await removed(one.path);
            if (run === REJECTED) await removed(why(one.id));
            dropped++;
          }
          await tidy(run);
        };
        // Without a lock, batches that no process is sending may still be deleted, which frees space.
        await lock(run, dropRun, async () => ((await isBusy(run)) ? undefined : dropRun())).catch((error: unknown) =>
          failures.push(error),
        );
      }
      if (failures.length > 0) throw failures[0];
      return dropped;
    },
  };
}

/** Returns the size in bytes, or 0 if the file is gone. */
const sizeOf = ({ path }: Found): Promise<number> =>
  lstat(path)
    .then(({ size }) => size)
    .catch(() => 0);
