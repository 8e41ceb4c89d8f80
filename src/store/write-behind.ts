/** Writes a stream of chunks to a file, and receives the next chunks while earlier ones are written and synced. */

/** The methods of an open file of `node:fs/promises` that are used here. */
interface Growing {
  readonly writev: (group: readonly Uint8Array[]) => Promise<{ readonly bytesWritten: number }>;
  readonly writeFile: (bytes: Uint8Array) => Promise<void>;
  readonly datasync: () => Promise<void>;
}

/** The minimum size of a group of chunks that is written together, in bytes. */
const GROUP = 1024 * 1024;
/** The number of groups after which the file is synced, so that the final sync is short. */
const SYNCED = 64;

/**
 * Writes `content` to `file`, with at most two groups in memory. Passes on errors thrown by `content`. For the first
 * error of the file, throws what `failed` throws.
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

/** Returns the same promise, but Node does not report its failure as unhandled before it is awaited. */
function awaitedLater(work: Promise<void>): Promise<void> {
  work.catch(() => undefined);
  return work;
}

/** Writes a group of `size` bytes. Writes the rest if writev wrote only a part, as on a disk that is almost full. */
export async function writeGroup(
  file: Pick<Growing, 'writev' | 'writeFile'>,
  group: readonly Uint8Array[],
  size: number,
): Promise<void> {
  const { bytesWritten } = await file.writev(group);
  if (bytesWritten < size) await file.writeFile(Buffer.concat(group).subarray(bytesWritten));
}
