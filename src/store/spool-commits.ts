/**
 * Queues batches in groups. The files of a group are written at the same time. They then become visible in order, and
 * their names are synced together. On a slow disk, a group therefore takes only as long as a single batch.
 */
import type { Draft } from './spool-record.ts';

/**
 * Waits until a batch is on the disk. Throws the file system error if this batch, or an earlier one that is not on the
 * disk yet, cannot be written. All batches that were added later then fail too, and none of them stays on the disk.
 * `onFail` is called for each failed batch before another batch can be added.
 */
export type Commit = (draft: Promise<Draft>, onFail: () => void) => Promise<void>;

interface Entry {
  readonly draft: Promise<Draft>;
  /** Whether writing the draft has finished, successfully or not. */
  isWritten: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** A batch that is visible, but whose name may not be synced yet. */
interface Shown {
  readonly entry: Entry;
  readonly draft: Draft;
}

/**
 * Waits for the first batch, then makes it and the written batches after it visible, in order. Moves them from
 * `entries` to `shown`. Stops at the first error and returns it.
 */
async function showWritten(entries: Entry[], shown: Shown[]): Promise<{ readonly error: unknown } | undefined> {
  for (let entry = entries[0]; entry && (shown.length === 0 || entry.isWritten); entry = entries[0]) {
    try {
      const draft = await entry.draft;
      await draft.show();
      shown.push({ entry, draft });
    } catch (error) {
      return { error };
    }
    entries.shift();
  }
  return undefined;
}

/**
 * Deletes the `unsynced` batches and all `entries`, starting with the last one, so that no batch exists without the
 * earlier ones. Batches that are added in the meantime fail as well.
 */
async function dropAll(unsynced: readonly Entry[], entries: Entry[], error: unknown): Promise<void> {
  const dropped: Entry[] = [];
  for (let some = [...unsynced, ...entries.splice(0)]; some.length > 0; some = entries.splice(0)) {
    for (const one of some) dropped.push(one);
    for (const { draft } of some.toReversed()) await draft.then((written) => written.drop()).catch(() => undefined);
  }
  for (const { failed } of dropped) failed(error);
}

/** Opens a queue of batches to write. `sync` syncs the folder of the batches. */
export function openCommits(sync: () => Promise<void>): Commit {
  const entries: Entry[] = [];
  let isRunning = false;

  const run = async () => {
    isRunning = true;
    while (entries.length > 0) {
      const shown: Shown[] = [];
      let fault = await showWritten(entries, shown);
      if (shown.length > 0) {
        try {
          await sync();
          for (const { entry } of shown.splice(0)) entry.done();
        } catch (error) {
          fault = { error };
        }
      }
      const unsynced = shown.map(({ entry }) => entry);
      if (fault) await dropAll(unsynced, entries, fault.error);
    }
    isRunning = false;
  };
  return (draft, onFail) =>
    new Promise<void>((done, reject) => {
      const failed = (error: unknown) => {
        onFail();
        reject(error);
      };
      const entry: Entry = { draft, isWritten: false, done, failed };
      const written = () => {
        entry.isWritten = true;
      };
      draft.then(written, written);
      entries.push(entry);
      if (!isRunning) void run();
    });
}
