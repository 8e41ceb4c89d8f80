/** A witness shows that the process which holds a lock is alive. In doubt it is, because a live lock must not be broken. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { processes } from '../../src/system/processes.ts';
import { temporaryFolder } from '../support/context.ts';

const { witness } = processes();

test.skipIf(witness === undefined)('a witness is alive until it is closed', async () => {
  const path = join(temporaryFolder(), 'alive');
  const close = await witness?.open(path);
  expect(await witness?.isOpen(path)).toBe(true);
  await close?.();
  expect(await witness?.isOpen(path)).toBe(false);
});

test.skipIf(witness === undefined)('a file that nobody listens on is not a witness', async () => {
  const path = join(temporaryFolder(), 'file');
  writeFileSync(path, '');
  expect(await witness?.isOpen(path)).toBe(false);
});

test.skipIf(witness === undefined)('if the folder cannot be opened, the process counts as alive', async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'there'));
  expect(await witness?.isOpen(join(folder, 'there', 'alive'))).toBe(false);
  expect(await witness?.isOpen(join(folder, 'not-there', 'alive'))).toBe(true);
});
