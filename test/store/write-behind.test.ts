/** A stream is written in full, or the first error is reported, whatever the file does with each call. */
import { describe, expect, test } from 'vitest';
import { writeBehind } from '../../src/store/write-behind.ts';

const MIB = 1024 * 1024;
const failed = (error: unknown) => {
  throw new Error(`not written: ${(error as Error).message}`);
};

interface Faults {
  /** The most bytes that one `writev` writes. */
  readonly most?: number;
  /** The call that fails, such as `writev 2`. */
  readonly fails?: string;
}

/** A file in memory. Calls overlap as they would on a disk. */
function fileOf({ most = Number.POSITIVE_INFINITY, fails }: Faults = {}) {
  const parts: Uint8Array[] = [];
  const counts: Record<string, number> = {};
  let open = 0;
  const call = async (name: string, bytes?: Uint8Array) => {
    counts[name] = (counts[name] ?? 0) + 1;
    const isFailing = fails === `${name} ${counts[name]}`;
    open++;
    await new Promise((done) => setImmediate(done));
    open--;
    if (isFailing) throw new Error('the disk failed');
    if (bytes) parts.push(bytes);
  };
  return {
    writev: async (group: readonly Uint8Array[]) => {
      const bytes = Buffer.concat(group).subarray(0, most);
      await call('writev', bytes);
      return { bytesWritten: bytes.byteLength };
    },
    writeFile: (bytes: Uint8Array) => call('writeFile', bytes),
    datasync: () => call('datasync'),
    bytes: () => Buffer.concat(parts),
    counts,
    isBusy: () => open > 0,
  };
}

/** Chunks with different bytes, which never share memory. */
async function* chunks(sizes: readonly number[], end?: Error): AsyncGenerator<Buffer> {
  for (const [at, size] of sizes.entries()) yield Buffer.alloc(size, at + 1);
  if (end) throw end;
}

const whole = async (sizes: readonly number[]) => {
  const all: Buffer[] = [];
  for await (const one of chunks(sizes)) all.push(one);
  return Buffer.concat(all);
};

const streams: Readonly<Record<string, readonly number[]>> = {
  nothing: [],
  'an empty chunk': [0],
  'less than a group': [1, 2, 3],
  'exactly a group': [MIB],
  'groups and a rest': Array.from({ length: 50 }, (_, at) => 64 * 1024 + at),
  'chunks larger than a group': [3 * MIB, 1, 2 * MIB],
};

describe.each(Object.entries(streams))('%s', (_, sizes) => {
  test.each<[string, Faults]>([
    ['written at once', {}],
    ['written in parts', { most: 1000 }],
    ['with nothing written at first', { most: 0 }],
  ])('%s', async (__, faults) => {
    const file = fileOf(faults);
    await writeBehind(file, chunks(sizes), failed);
    expect(file.bytes().equals(await whole(sizes))).toBe(true);
    expect(file.isBusy()).toBe(false);
  });
});

const long = Array.from({ length: 200 }, () => MIB);

test.each(['writev 1', 'writev 2', 'writev 200', 'datasync 1', 'datasync 3'])(
  'if %s fails, so does the whole, and no call is left behind',
  async (fails) => {
    const file = fileOf({ fails });
    await expect(writeBehind(file, chunks(long), failed)).rejects.toThrow('not written: the disk failed');
    expect(file.isBusy()).toBe(false);
  },
);

test('if the rest of a partial write fails, so does the whole', async () => {
  const file = fileOf({ most: 10, fails: 'writeFile 1' });
  await expect(writeBehind(file, chunks([MIB, 5]), failed)).rejects.toThrow('not written: the disk failed');
});

test('the error of the content is reported, once the file has no call left', async () => {
  const broken = new Error('the connection broke');
  for (const fails of [undefined, 'writev 3']) {
    const file = fileOf(fails === undefined ? {} : { fails });
    await expect(writeBehind(file, chunks([MIB, MIB, MIB], broken), failed)).rejects.toBe(broken);
    expect(file.isBusy()).toBe(false);
  }
});

test('a long file is synced as it grows', async () => {
  const file = fileOf();
  await writeBehind(file, chunks(long), failed);
  expect(file.counts.datasync).toBe(3);
});
