/**
 * Queues batches in groups: their files are written at the same time, then become visible in order, and the names of a
 * group are synced together. A slow disk then delays a group as long as a single batch.
 */
import type { Draft } from './spool-record.ts';

/**
 * Waits until a batch is on the disk. Throws the error of the file system, and then neither this batch nor any that was
 * added later is there. `onFail` is called first for all of these batches, before another one can be added.
 */
export type Commit = (draft: Promise<Draft>, onFail: () => void) => Promise<void>;

interface Entry {
  readonly draft: Promise<Draft>;
  /** Whether the draft is written, or failed. */
  isWritten: boolean;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** A batch that is visible, but may not be synced yet. */
interface Shown {
  readonly entry: Entry;
  readonly draft: Draft;
}

/**
 * Makes the batches visible that are written, in order and at least one, and moves them to `shown`. Returns an error
 * that stopped it.
 */
async function showWritten(
  entries: Entry[],
  shown: Shown[],
): Promise<{ readonly error: unknown } | undefined> {
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
 * Deletes `unsynced` batches and all `entries`, from the last one, so that no batch is there without those before it.
 * Those that are added in the meantime fail as well.
 */
async function dropAll(unsynced: readonly Entry[], entries: Entry[], error: unknown): Promise<void> {
  const dropped: Entry[] = [];
  for (let some = [...unsynced, ...entries.splice(0)]; some.length > 0; some = entries.splice(0)) {
    dropped.push(...some);
    for (const { draft } of some.toReversed())
      await draft.then((written) => written.drop()).catch(() => undefined);
  }
  for (const { failed } of dropped) failed(error);
}

/** `sync` syncs the names in the folder of the batches. */
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
