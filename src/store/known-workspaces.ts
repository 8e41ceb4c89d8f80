/** Stores the workspace of each credential in a private file, so that it is looked up only once. */
import { readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { sha256 } from '@noble/hashes/sha2.js';
import { attempt } from '../caught.ts';
import { readPrivate } from '../system/owner.ts';
import { writePrivate } from './files.ts';

const limit = 100;

/** Returns a digest that does not reveal the credential. Loading node:crypto would take 4 ms of every command. */
export const credentialDigestOf = (of: { origin: string; scheme: string; secret: string }): string =>
  Buffer.from(sha256(JSON.stringify([of.origin, of.scheme, of.secret]))).toString('hex');

const fileOf = (folder: string, digest: string) => join(folder, `${digest}.json`);

/** Returns the workspace of a credential, or undefined if it is unknown or its file is not readable and private. */
export const recallWorkspace = (folder: string, digest: string, uid?: number): string | undefined =>
  attempt(() => {
    const { of, workspace } = JSON.parse(readPrivate(fileOf(folder, digest), uid).toString());
    return of === digest && typeof workspace === 'string' && workspace !== '' ? workspace : undefined;
  }, undefined);

/**
 * Stores the workspace of a credential, and deletes the oldest files beyond the limit. Each credential has a separate
 * file, so that concurrent processes do not overwrite each other's entries. Throws if the file cannot be written.
 */
export async function rememberWorkspace(folder: string, digest: string, workspace: string): Promise<void> {
  await writePrivate(fileOf(folder, digest), JSON.stringify({ of: digest, workspace }), dirname(folder));
  await forgetOldest(folder);
}

async function forgetOldest(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
  if (names.length <= limit) return;
  const timed = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      // Another process may have deleted the file in the meantime.
      const found = await stat(path).catch(() => undefined);
      return { path, at: found?.mtimeMs ?? 0 };
    }),
  );
  const newestFirst = timed.sort((one, other) => other.at - one.at);
  for (const { path } of newestFirst.slice(limit)) await rm(path, { force: true });
}
