/** Tracks blobs that no manifest refers to, and deletes them if no manifest follows within a day. */
import { bytesIn } from '../data/cells.ts';
import { dropContent } from '../data/contents.ts';
import type { Store } from '../data/store.ts';
import { manifestPartsOf } from './manifest-parts.ts';
import { findBlob, ofRepository, type Repository } from './registry.ts';

/** The time that a blob may exist without a manifest, in milliseconds. It is also the time limit for an upload. */
export const LOOSE_MS = 24 * 3_600_000;

/**
 * A client that finds a blob does not push it, so a request for a blob delays its deletion. The delay is stored at most
 * once in this time, in milliseconds.
 */
const SEEN_MS = 60_000;

/** The maximum number of blobs that one request deletes, so that no request takes long. */
const SWEEP_LIMIT = 20;

/** Marks a blob as loose. It is deleted after LOOSE_MS, unless a manifest refers to it by then. */
export const markLoose = (store: Store, repository: Repository, digest: string, now: Date): unknown =>
  store.insert('loose_blobs', { ...ofRepository(repository), digest, since: now.toISOString() }, 'replace');

const REFERRED = `DELETE FROM loose_blobs
  WHERE workspace_id = ? AND namespace = ? AND digest IN (SELECT value FROM json_each(?))`;

/** Removes the marks that `markLoose` sets, because a manifest now refers to the blobs. */
export const markReferred = (
  store: Store,
  { workspaceId, namespace }: Repository,
  digests: readonly string[],
): unknown => store.run(REFERRED, workspaceId, namespace, JSON.stringify(digests));

/** Delays the deletion of a loose blob. Call it if a client has found the blob. */
export function delayDeletion(store: Store, repository: Repository, digest: string, now: Date): void {
  const known = store.find('loose_blobs', { ...ofRepository(repository), digest });
  if (known && Date.parse(String(known.since)) < now.getTime() - SEEN_MS)
    store.transaction(() => {
      // Another process may have deleted the blob meanwhile.
      if (findBlob(store, repository, digest)) markLoose(store, repository, digest, now);
    });
}

export function isReferredTo(store: Store, repository: Repository, digest: string): boolean {
  // JSON may contain the digest in an escaped form, so a manifest with a backslash is parsed too.
  const sql = `SELECT manifest FROM revisions WHERE workspace_id = ? AND namespace = ?
    AND (instr(manifest, CAST(? AS BLOB)) > 0 OR instr(manifest, CAST('\\' AS BLOB)) > 0)`;
  return store.all(sql, repository.workspaceId, repository.namespace, digest).some(({ manifest }) => {
    const text = Buffer.from(bytesIn(manifest)).toString('utf8');
    return manifestPartsOf(JSON.parse(text)).blobs.includes(digest);
  });
}

/** Deletes a blob, and its content unless another repository has mounted it. Call in a transaction. */
export function dropBlob(store: Store, repository: Repository, digest: string): void {
  const blob = findBlob(store, repository, digest);
  markReferred(store, repository, [digest]);
  if (!blob) return;
  const id = String(blob.content_id);
  store.delete('blobs', { ...ofRepository(repository), digest });
  if (!store.find('blobs', { content_id: id })) dropContent(store, id);
}

/** Deletes blobs that no manifest has referred to for a day. */
export function deleteUnreferencedBlobs(store: Store, now: Date): void {
  const until = new Date(now.getTime() - LOOSE_MS).toISOString();
  const due = store.all('SELECT * FROM loose_blobs WHERE since < ? LIMIT ?', until, SWEEP_LIMIT);
  for (const row of due)
    store.transaction(() => {
      const repository = { workspaceId: String(row.workspace_id), namespace: String(row.namespace) };
      const digest = String(row.digest);
      const marked = store.find('loose_blobs', { ...ofRepository(repository), digest });
      if (!marked || String(marked.since) >= until) return;
      if (isReferredTo(store, repository, digest)) markReferred(store, repository, [digest]);
      else dropBlob(store, repository, digest);
    });
}
