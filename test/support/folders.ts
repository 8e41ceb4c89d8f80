/** Deletes the folders of tests. */
import { rmSync } from 'node:fs';
import { systemCode } from '../../src/caught.ts';
import { isOnWindows } from '../../src/system/platform.ts';

/**
 * Deletes a folder. On Windows, files that are in use stay: the driver keeps the file of a closed store open until
 * its statements are collected.
 */
export function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: isOnWindows ? 0 : 10 });
  } catch (error) {
    if (!isOnWindows || !['EBUSY', 'EPERM', 'ENOTEMPTY'].includes(systemCode(error) ?? '')) throw error;
  }
}
