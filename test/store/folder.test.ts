/** The previous content of a folder is not deleted while it may be the only copy. */
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeFileWhole } from '../../src/store/files.ts';
import { openIncoming } from '../../src/store/folder.ts';
import { temporaryFolder } from '../support/context.ts';

const longAgo = Date.now() / 1000 - 2 * 24 * 60 * 60;
const temporaryIn = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('.dtp-'));

/** From now on, nothing can be renamed to this path. */
function blockRenames(target: string): void {
  const { rename } = fs;
  const blocked: typeof rename = async (from, to) => {
    if (to === target) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    return rename(from, to);
  };
  const use = (one: typeof rename) => {
    Object.assign(fs, { rename: one });
    syncBuiltinESMExports();
  };
  use(blocked);
  onTestFinished(() => use(rename));
}

test('a folder that could not be moved back survives later writes next to it', async () => {
  const cwd = temporaryFolder();
  const target = join(cwd, 'copy');
  mkdirSync(target);
  writeFileSync(join(target, 'mine.txt'), 'mine');
  const incoming = await openIncoming(target, true);
  blockRenames(target);
  await expect(incoming.claim()).rejects.toThrow('the previous content is now in');
  await incoming.drop();
  const [place = ''] = temporaryIn(cwd);
  // The user may have deleted the rest.
  for (const name of readdirSync(join(cwd, place)))
    if (name !== 'old') await fs.rm(join(cwd, place, name), { recursive: true });
  // This one was left by a download.
  writeFileSync(join(cwd, '.dtp-0123456789ab'), 'half');
  for (const name of temporaryIn(cwd)) utimesSync(join(cwd, name), longAgo, longAgo);
  await writeFileWhole(join(cwd, 'other.txt'), 'x', { replace: false });
  await (await openIncoming(join(cwd, 'another'), false)).drop();
  expect(readFileSync(join(cwd, place, 'old', 'mine.txt'), 'utf8')).toBe('mine');
  expect(existsSync(join(cwd, '.dtp-0123456789ab'))).toBe(false);
});

test('a folder that a killed pull left without previous content is deleted', async () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, '.dtp-0123456789ab', 'content'), { recursive: true });
  utimesSync(join(cwd, '.dtp-0123456789ab'), longAgo, longAgo);
  await (await openIncoming(join(cwd, 'copy'), false)).drop();
  expect(temporaryIn(cwd)).toEqual([]);
});
