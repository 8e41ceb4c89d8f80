/** The spool: event batches on the disk, from before their first attempt until they are acknowledged. */
import { access, constants, readdir, readFile, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { makeFolders, suffix, syncFolder, writeFileWhole } from './files.ts';
import { isHeld, type LockHolder, sweepLocks, withFreeLock } from './lock.ts';
import { full, isFull, notKept, tooLong, unusable } from './spool-errors.ts';
import { type Head, hasRoomFor, readBody, readHead, writeRecord } from './spool-record.ts';

export type { Head } from './spool-record.ts';

/** Where a batch is to go. No credential: that is found anew when it is sent. */
export interface Destination {
  readonly base: string;
  readonly workspace: string;
}

/** A batch on the disk that is this process's to send, and nobody else's. */
export interface Kept extends Head {
  readonly id: string;
  /** The body; undefined for one that was damaged meanwhile, which is set aside. */
  readonly read: () => Promise<Uint8Array | undefined>;
  /** Some of its events were acknowledged: the others, in its place. */
  readonly replace: (body: Uint8Array, events: number) => Promise<void>;
  /** It was acknowledged. */
  readonly remove: () => Promise<void>;
  /** It was refused for good: kept apart, with the status and the service's words. */
  readonly reject: (status: number, reason: string) => Promise<void>;
}

/** A batch as it is listed; of a corrupt one only the name and the size are known. */
export interface Entry extends Partial<Head> {
  readonly id: string;
  /** `busy`: in the hands of a running process. */
  readonly state: 'pending' | 'busy' | 'rejected' | 'corrupt';
  /** Bytes on the disk. */
  readonly size: number;
  readonly status?: number;
  readonly reason?: string;
}

/**
 * Puts a batch of events on the disk. While the spool is full `makeRoom` is asked to wait; where that gives false, or the
 * disk does not take the batch, `error` is thrown.
 */
export type Keep = (body: Uint8Array, events: number, makeRoom: () => Promise<boolean>) => Promise<Kept>;

export interface Spool {
  readonly folder: string;
  /**
   * What `work` keeps and does not remove is pending when it ends. `limit` in bytes, of the whole spool. Throws `usage` for
   * a destination that is too long to be written down.
   */
  readonly open: <T>(to: Destination, limit: number, work: (keep: Keep) => Promise<T>) => Promise<T>;
  /** Hands over the wanted batches that nobody else has in hand, oldest first. */
  readonly take: (
    state: 'pending' | 'rejected',
    wanted: (head: Head) => boolean,
    work: (kept: Kept) => Promise<void>,
    /** Told of each whose first line was damaged, and which is set aside. */
    damaged: (id: string) => void,
  ) => Promise<void>;
  readonly list: () => Promise<readonly Entry[]>;
  /** Removes batches for good, save those in a process's hands; how many. */
  readonly drop: (ids: ReadonlySet<string>) => Promise<number>;
}

/** `run` is a folder of one post's batches, or one of the two that hold what was set aside. */
interface Found {
  readonly run: string;
  readonly name: string;
  readonly id: string;
  readonly path: string;
  readonly status?: number;
}

const REJECTED = 'rejected';
const CORRUPT = 'corrupt';
/** A post's folder, or the lock alone that a killed one has left. */
const RUN = /^([0-9a-z]+_[0-9a-f]+)(?:\.lock)?$/;
/** The status stands in the name, so that a batch changes its state in one step. */
const NAME = /^([\w-]+?)(?:\.(\d{3}))?\.batch$/;

/**
 * The spool of a folder, which is made when something is kept: a folder for each post, its batches by number, and beside
 * it, while somebody sends them, a lock.
 */
export function openSpool(folder: string, holder: LockHolder & { readonly date: () => Date }): Spool {
  const isBusy = (run: string) => isHeld(join(folder, `${run}.lock`), holder);

  const lock = async <T>(run: string, work: () => Promise<T>) => {
    try {
      return await withFreeLock(join(folder, `${run}.lock`), work, holder);
    } catch (error) {
      // A full disk has no room for a lock, and what is to make room may not wait for it.
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
    // Where this fails, a power cut may undo the change of state; nothing is lost by that.
    await syncFolder(join(folder, into)).catch(() => undefined);
  };
  const keptAt = (path: string, id: string, head: Head): Kept => ({
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
        throw notKept(folder, error);
      }),
    remove: async () => {
      // rm would look at it first.
      await unlink(path).catch(() => removed(path));
      if (path.startsWith(join(folder, REJECTED))) await removed(why(id));
    },
    reject: async (status, reason) => {
      await makeFolder(join(folder, REJECTED));
      // Where the words cannot be kept, the status stands in the name all the same.
      await writeFileWhole(why(id), reason, { replace: true }).catch(() => undefined);
      await setAside(path, REJECTED, `${id}.${status}.batch`);
    },
  });

  /** Leaves no folder that is empty, and nothing that a killed process had only begun to write. */
  const tidy = async (run: string) => {
    // What was set aside has no one holder: another may just be writing there.
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
            // A disk has room again when earlier batches are acknowledged.
            if (!isFull(error) || !(await makeRoom())) throw notKept(folder, error);
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
      if (!done) throw new DtpError('error', `the spool ${folder} is in disorder: ${run} is locked`);
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
      // One after the other: a process may not open as many files as a spool may hold.
      for (const one of await all()) {
        const { id, run, status, path } = one;
        const head = await readHead(path).catch(() => null);
        // Delivered meanwhile.
        if (!head && !(await isThere(path))) continue;
        const size = await sizeOf(one);
        // What cannot be read just now is not damaged.
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

/** Bytes; none for one that is gone meanwhile. */
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

/** Makes a folder and those above it that are not there; its name is on the disk when it returns. */
async function makeFolder(folder: string): Promise<void> {
  try {
    let made = resolve(folder);
    const first = await makeFolders(made, 0o700);
    await access(made, constants.W_OK);
    // The one above in any case: who has made this one may have been killed before he could.
    do {
      made = dirname(made);
      await syncFolder(made);
    } while (first !== undefined && made.length >= first.length);
  } catch (error) {
    throw unusable(folder, error);
  }
}
