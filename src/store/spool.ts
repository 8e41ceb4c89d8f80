/** The spool: event batches on the disk, from before the first attempt until they are acknowledged. */
import { access, constants, readdir, readFile, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { makeFolders, suffix, syncFolder, writeFileWhole } from './files.ts';
import { isHeld, type LockHolder, sweepLocks, withFreeLock } from './lock.ts';
import { full, isFull, notQueued, tooLong, unusable } from './spool-errors.ts';
import { type Head, hasRoomFor, readBody, readHead, writeRecord } from './spool-record.ts';

export type { Head } from './spool-record.ts';

/** Where to send a batch. It has no credential: that is looked up again when the batch is sent. */
export interface Destination {
  readonly base: string;
  readonly workspace: string;
}

/** A queued batch that only this process may send. */
export interface Queued extends Head {
  readonly id: string;
  /** Reads the body. If it was damaged, the batch is set aside and the result is undefined. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** Replaces the batch with the events that were not acknowledged. */
  readonly replace: (body: Uint8Array, events: number) => Promise<void>;
  /** Deletes the batch, because it was acknowledged. */
  readonly remove: () => Promise<void>;
  /** Sets the batch aside because the service rejected it, with the status and the reason. */
  readonly reject: (status: number, reason: string) => Promise<void>;
}

/** A batch in a listing. Only the name and the size of a corrupt batch are known. */
export interface Entry extends Partial<Head> {
  readonly id: string;
  /** `busy`: another process is sending it. */
  readonly state: 'pending' | 'busy' | 'rejected' | 'corrupt';
  /** On the disk, in bytes. */
  readonly size: number;
  readonly status?: number;
  readonly reason?: string;
}

/**
 * Queues a batch of events on the disk. While the spool is full, it calls `makeRoom`, which waits. Throws `error` if
 * that returns false, or if the disk is full.
 */
export type Keep = (body: Uint8Array, events: number, makeRoom: () => Promise<boolean>) => Promise<Queued>;

export interface Spool {
  readonly folder: string;
  /**
   * Batches that `work` queues and does not remove stay pending. `limit` is the size of the whole spool in bytes.
   * Throws `usage` for a destination that is too long to store.
   */
  readonly open: <T>(to: Destination, limit: number, work: (keep: Keep) => Promise<T>) => Promise<T>;
  /** Passes on the wanted batches that no other process is sending, oldest first. */
  readonly take: (
    state: 'pending' | 'rejected',
    wanted: (head: Head) => boolean,
    work: (kept: Queued) => Promise<void>,
    /** Called for each damaged batch, which is set aside. */
    damaged: (id: string) => void,
  ) => Promise<void>;
  readonly list: () => Promise<readonly Entry[]>;
  /** Deletes batches, except those that a process is sending. Returns their number. */
  readonly drop: (ids: ReadonlySet<string>) => Promise<number>;
}

/** `run` is the folder of one `post`, or one of the two folders for batches that were set aside. */
interface Found {
  readonly run: string;
  readonly name: string;
  readonly id: string;
  readonly path: string;
  readonly status?: number;
}

const REJECTED = 'rejected';
const CORRUPT = 'corrupt';
/** The folder of a `post`, or only the lock that a killed one left. */
const RUN = /^([0-9a-z]+_[0-9a-f]+)(?:\.lock)?$/;
/** The status is part of the name, so that a batch changes its state atomically. */
const NAME = /^([\w-]+?)(?:\.(\d{3}))?\.batch$/;

/** Opens the spool of a folder. Each `post` has a folder with numbered batches, locked by a file next to it while they are sent. */
export function openSpool(folder: string, holder: LockHolder & { readonly date: () => Date }): Spool {
  const isBusy = (run: string) => isHeld(join(folder, `${run}.lock`), holder);

  const lock = async <T>(run: string, work: () => Promise<T>) => {
    try {
      return await withFreeLock(join(folder, `${run}.lock`), work, holder);
    } catch (error) {
      // A full disk has no room for a lock, but delivering batches is what frees space.
      if (!isFull(error) || (await isBusy(run))) throw error;
      return { result: await work() };
    }
  };

  const found = async (run: string): Promise<readonly Found[]> =>
    (await namesIn(join(folder, run))).flatMap((name) => {
      const [, id = '', status] = NAME.exec(name) ?? [];
      const path = join(folder, run, name);
      const full = run === REJECTED || run === CORRUPT ? id : `${run}-${id}`;
      return id === '' ? [] : [{ run, name, id: full, path, ...(status && { status: Number(status) }) }];
    });
  const runs = async () => [...new Set((await namesIn(folder)).flatMap((name) => RUN.exec(name)?.[1] ?? []))];
  const aside = async () => (await namesIn(folder)).filter((name) => name === REJECTED);
  const all = async (): Promise<readonly Found[]> =>
    (await Promise.all([...(await runs()), REJECTED, CORRUPT].map(found))).flat();
  const why = (id: string) => join(folder, REJECTED, `${id}.why`);

  const removed = (path: string) =>
    rm(path, { force: true }).catch((error: unknown) => {
      throw unusable(folder, error);
    });
  const setAside = async (path: string, into: string, name: string) => {
    await makeFolder(join(folder, into));
    await rename(path, join(folder, into, name)).catch((error: unknown) => {
      throw unusable(folder, error);
    });
    // If this fails, a power failure may undo the change of state, but nothing is lost.
    await syncFolder(join(folder, into)).catch(() => undefined);
  };
  const keptAt = (path: string, id: string, head: Head): Queued => ({
    ...head,
    id,
    read: async () => {
      const body = await readBody(path).catch((error: unknown) => {
        throw unusable(folder, error);
      });
      if (!body) await setAside(path, CORRUPT, `${id}.batch`);
      return body;
    },
    replace: (body, events) =>
      writeRecord(path, { ...head, events }, body, true).catch((error: unknown) => {
        throw notQueued(folder, error);
      }),
    remove: async () => {
      // unlink needs one system call less than rm.
      await unlink(path).catch(() => removed(path));
      if (path.startsWith(join(folder, REJECTED))) await removed(why(id));
    },
    reject: async (status, reason) => {
      await makeFolder(join(folder, REJECTED));
      // If the reason cannot be stored, the status is still in the name.
      await writeFileWhole(why(id), reason, { replace: true }).catch(() => undefined);
      await setAside(path, REJECTED, `${id}.${status}.batch`);
    },
  });

  /** Deletes an empty folder, and unfinished files of killed processes. */
  const tidy = async (run: string) => {
    // Folders for batches that were set aside have no single owner: another process may be writing there.
    if (!RUN.test(run)) return;
    for (const name of await namesIn(join(folder, run)))
      if (name.startsWith('.dtp-')) await rm(join(folder, run, name), { force: true }).catch(() => undefined);
    await rmdir(join(folder, run)).catch(() => undefined);
  };

  return {
    folder,
    open: async (to, limit, work) => {
      if (!hasRoomFor(to)) throw tooLong(to);
      await makeFolder(folder);
      let size = 0;
      for (const one of await all()) size += await sizeOf(one);
      const run = `${holder.date().getTime().toString(36)}_${suffix().slice(0, 6)}`;
      let made: Promise<void> | undefined;
      let number = 0;
      const keep: Keep = async (body, events, makeRoom) => {
        while (size + body.byteLength > limit) if (!(await makeRoom())) throw full(limit);
        size += body.byteLength;
        const id = String(++number).padStart(7, '0');
        const path = join(folder, run, `${id}.batch`);
        const head = { ...to, events, created_at: holder.date().toISOString() };
        made ??= makeFolder(join(folder, run));
        await made;
        const write = (): Promise<void> =>
          writeRecord(path, head, body).catch(async (error: unknown) => {
            // The disk has room again when earlier batches are acknowledged.
            if (!isFull(error) || !(await makeRoom())) throw notQueued(folder, error);
            return write();
          });
        await write();
        const kept = keptAt(path, `${run}-${id}`, head);
        let bytes = body.byteLength;
        const grow = (more: number) => {
          bytes += more;
          size += more;
        };
        return {
          ...kept,
          replace: async (less, count) => {
            await kept.replace(less, count);
            grow(less.byteLength - bytes);
          },
          remove: async () => {
            await kept.remove();
            grow(-bytes);
          },
        };
      };
      const done = await lock(run, () => work(keep).finally(() => tidy(run)));
      if (!done) throw new DtpError('error', `the spool ${folder} is inconsistent: ${run} is locked`);
      return done.result;
    },
    take: async (state, wanted, work, damaged) => {
      await sweepLocks(folder, await namesIn(folder), holder);
      for (const run of await (state === 'pending' ? runs() : aside()))
        await lock(run, async () => {
          for (const { path, id } of await found(run)) {
            const head = await readHead(path).catch((error: unknown) => {
              throw unusable(folder, error);
            });
            if (head) {
              if (wanted(head)) await work(keptAt(path, id, head));
            } else {
              await setAside(path, CORRUPT, `${id}.batch`);
              damaged(id);
            }
          }
          await tidy(run);
        });
    },
    list: async () => {
      const entries: Entry[] = [];
      // One after the other, because there may be more batches than files that a process may open.
      for (const one of await all()) {
        const { id, run, status, path } = one;
        const head = await readHead(path).catch(() => null);
        // It was delivered meanwhile.
        if (!head && !(await isThere(path))) continue;
        const size = await sizeOf(one);
        // A batch that cannot be read right now is not damaged.
        if (run === CORRUPT || head === undefined) entries.push({ id, state: 'corrupt', size });
        else if (run === REJECTED) {
          const reason = await readFile(why(id), 'utf8').catch(() => '');
          entries.push({ id, state: 'rejected', ...head, size, ...(status && { status }), reason });
        } else entries.push({ id, state: (await isBusy(run)) ? 'busy' : 'pending', ...head, size });
      }
      return entries;
    },
    drop: async (ids) => {
      let dropped = 0;
      const wanted = (await all()).filter(({ id }) => ids.has(id));
      for (const run of new Set(wanted.map((one) => one.run)))
        await lock(run, async () => {
          for (const one of wanted.filter((each) => each.run === run)) {
            if (!(await isThere(one.path))) continue;
            await removed(one.path);
            if (run === REJECTED) await removed(why(one.id));
            dropped++;
          }
          await tidy(run);
        });
      return dropped;
    },
  };
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return [];
    throw unusable(folder, error);
  });
  return names.sort();
}

/** Returns the size in bytes, or 0 if the file is gone. */
const sizeOf = ({ path }: Found): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  );

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Creates a folder and its missing parents, and syncs their names to the disk. */
async function makeFolder(folder: string): Promise<void> {
  try {
    let made = resolve(folder);
    const first = await makeFolders(made, 0o700);
    await access(made, constants.W_OK);
    // Sync the parent in any case: the process that created this folder may have been killed before it did so.
    do {
      made = dirname(made);
      await syncFolder(made);
    } while (first !== undefined && made.length >= first.length);
  } catch (error) {
    throw unusable(folder, error);
  }
}
