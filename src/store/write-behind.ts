/** Writes a stream of chunks to a file. While some are being written and synced, the next ones arrive. */

/** An open file of `node:fs/promises`. */
interface Growing {
  readonly writev: (group: readonly Uint8Array[]) => Promise<{ readonly bytesWritten: number }>;
  readonly writeFile: (bytes: Uint8Array) => Promise<void>;
  readonly datasync: () => Promise<void>;
}

/** Chunks are written together once they have this many bytes. */
const GROUP = 1024 * 1024;
/** After this many groups the file is synced, so that the sync at its end is short. */
const SYNCED = 64;

/**
 * Memory holds two groups at most. Throws what `content` throws, or what `failed` throws for the first error of the
 * file.
 */
export async function writeBehind(
  file: Growing,
  content: AsyncIterable<Uint8Array>,
  failed: (error: unknown) => never,
): Promise<void> {
  let group: Uint8Array[] = [];
  let size = 0;
  let groups = 0;
  let writing: Promise<void> = Promise.resolve();
  let syncing: Promise<void> = Promise.resolve();
  try {
    for await (const chunk of content) {
      group.push(chunk);
      size += chunk.byteLength;
      if (size < GROUP) continue;
      await writing.catch(failed);
      writing = awaitedLater(writeGroup(file, group, size));
      [group, size] = [[], 0];
      if (++groups % SYNCED > 0) continue;
      await syncing.catch(failed);
      syncing = awaitedLater(file.datasync());
    }
  } finally {
    await Promise.allSettled([writing, syncing]);
  }
  await writing.catch(failed);
  await syncing.catch(failed);
  if (size > 0) await writeGroup(file, group, size).catch(failed);
}

/** A promise whose failure is reported when it is awaited, and not as unhandled until then. */
function awaitedLater(work: Promise<void>): Promise<void> {
  work.catch(() => undefined);
  return work;
}

/** A file system may write only a part at once, for example if its disk is almost full. */
async function writeGroup(file: Growing, group: readonly Uint8Array[], size: number): Promise<void> {
  const { bytesWritten } = await file.writev(group);
  if (bytesWritten < size) await file.writeFile(Buffer.concat(group).subarray(bytesWritten));
}
