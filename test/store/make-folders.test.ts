/** Folders that are created by many callers at once, or that cannot be created. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolders } from '../../src/store/files.ts';
import { temporaryFolder } from '../support/context.ts';

test('many concurrent callers can create the same folders', async () => {
  const home = temporaryFolder();
  for (let round = 0; round < 300; round++) {
    const folders = Array.from({ length: 6 }, (_, at) => join(home, `${round}`, 'a', `b${at % 2}`, 'c'));
    await expect(Promise.all(folders.map((one) => makeFolders(one, 0o700)))).resolves.toHaveLength(6);
    expect(folders.every(existsSync)).toBe(true);
  }
});

test.skipIf(process.platform !== 'linux')(
  'a folder that cannot have subfolders is an error, not an endless loop',
  async () => {
    await expect(makeFolders('/proc/self/none/below', 0o700)).rejects.toThrow();
  },
);
