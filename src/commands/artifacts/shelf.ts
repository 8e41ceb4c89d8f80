/** Stores the downloaded layers of a pull under their digests, and then unpacks or copies them to their final names. */
import { constants, copyFile, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { faultOfFileName, faultOnWindows, openNames } from '../../flows/names.ts';
import type { LayerStorage } from '../../flows/pull.ts';
import { badResponse, limits } from '../../flows/registry.ts';
import type { IncomingFolder } from '../../store/folder.ts';
import { type UnzipLimits, unzip } from './unzip.ts';

/** Opens the storage in a new folder. `platform` decides which names the files may have. */
export function openShelf({ parts, content }: IncomingFolder, signal: AbortSignal, platform: string): LayerStorage {
  const isFree = openNames();
  const take: UnzipLimits['take'] = (name, kind) =>
    (platform === 'win32' ? faultOnWindows(name) : undefined) ?? isFree(name, kind);
  const room: UnzipLimits = { files: limits.files, bytes: limits.bytes, take };
  return {
    keep: async (key, bytes) => {
      try {
        await writeAll(join(parts, key), bytes);
      } catch (error) {
        // Delete the incomplete file, because the layer may be downloaded again.
        await rm(join(parts, key), { force: true });
        throw error;
      }
    },
    isZip: async (key) => {
      const file = await open(join(parts, key));
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
        return bytesRead === 4 && ['504b0304', '504b0506'].includes(buffer.toString('hex'));
      } finally {
        await file.close();
      }
    },
    unpack: (key) => unzip(join(parts, key), content, room, signal),
    rename: async (key, name) => {
      const fault = faultOfFileName(name) ?? room.take(name, 'file');
      if (fault !== undefined) throw badResponse(`a layer has the invalid name ${JSON.stringify(name)}: ${fault}`);
      // Copy the file instead of moving it, because two layers with the same digest become two separate files.
      await copyFile(join(parts, key), join(content, name), constants.COPYFILE_FICLONE);
      const file = await open(join(content, name), 'r+');
      try {
        await file.sync();
        return { name, size: (await file.stat()).size };
      } finally {
        await file.close();
      }
    },
  };
}

async function writeAll(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of bytes) await file.writeFile(piece);
    await file.sync();
  } finally {
    await file.close();
  }
}
