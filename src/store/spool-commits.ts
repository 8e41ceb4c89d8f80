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

/** `sync` syncs the names in the folder of the batches. */
export function openCommits(sync: () => Promise<void>): Commit {
  const entries: Entry[] = [];
  let isRunning = false;

  /** Makes the batches visible that are written, in order and at least one. Returns an error that stopped it. */
  const show = async (
    shown: { entry: Entry; draft: Draft }[],
  ): Promise<{ readonly error: unknown } | undefined> => {
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
  };
  /** From the last one, so that no batch is there without those before it. Those added in the meantime fail as well. */
  const dropAll = async (unsynced: readonly Entry[], error: unknown) => {
    const dropped: Entry[] = [];
    for (let some = [...unsynced, ...entries.splice(0)]; some.length > 0; some = entries.splice(0)) {
      dropped.push(...some);
      for (const { draft } of some.toReversed())
        await draft.then((written) => written.drop()).catch(() => undefined);
    }
    for (const { failed } of dropped) failed(error);
  };
  const run = async () => {
    isRunning = true;
    while (entries.length > 0) {
      const shown: { entry: Entry; draft: Draft }[] = [];
      let fault = await show(shown);
      if (shown.length > 0) {
        try {
          await sync();
          for (const { entry } of shown.splice(0)) entry.done();
        } catch (error) {
          fault = { error };
        }
      }
      const unsynced = shown.map(({ entry }) => entry);
      if (fault) await dropAll(unsynced, fault.error);
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
