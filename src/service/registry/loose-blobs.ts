/** Tracks blobs that no manifest refers to, and deletes them if no manifest follows within a day. */
import { dropContent } from '../data/contents.ts';
import type { Store } from '../data/store.ts';
import type { OpenScope } from '../handler.ts';
import { findBlob, findRevision, manifestIn, manifestPartsOf, ofRepository, type Repository } from './registry.ts';

/** The time that a blob may exist without a manifest, in milliseconds. It is also the time limit for an upload. */
export const LOOSE_MS = 24 * 3_600_000;

/**
 * A client that finds a blob does not push it, so a request for a blob delays its deletion. The delay is stored at most
 * once in this time, in milliseconds.
 */
const SEEN_MS = 60_000;

/** The maximum number of blobs that one request deletes, so that no request takes long. */
const SWEEP_LIMIT = 20;

/** How many manifests of up to 4 MiB are searched at once. */
const AT_ONCE = 20;

type SharedScope = Pick<OpenScope, 'store' | 'share'>;

/** Marks a blob as loose. It is deleted after LOOSE_MS, unless a manifest refers to it by then. */
export const markLoose = (store: Store, repository: Repository, digest: string, now: Date): unknown =>
  store.insert('loose_blobs', { ...ofRepository(repository), digest, since: now.toISOString() }, 'replace');

const REFERRED = `DELETE FROM loose_blobs
  WHERE workspace_id = ? AND namespace = ? AND digest IN (SELECT value FROM json_each(?))`;

/** Removes the marks that `markLoose` sets, because a manifest now refers to the blobs. */
export function markReferred(store: Store, { workspaceId, namespace }: Repository, digests: readonly string[]): void {
  store.run(REFERRED, workspaceId, namespace, JSON.stringify(digests));
}

/** Delays the deletion of a loose blob. Call it if a client has found the blob. */
export function delayDeletion(store: Store, repository: Repository, digest: string, now: Date): void {
  const known = store.find('loose_blobs', { ...ofRepository(repository), digest });
  if (known && Date.parse(String(known.since)) < now.getTime() - SEEN_MS)
    store.transaction(() => {
      // Another process may have deleted the blob meanwhile.
      if (findBlob(store, repository, digest)) markLoose(store, repository, digest, now);
    });
}

// JSON may contain the digest in an escaped form, so a manifest with a backslash may refer to it too.
const NEXT_MANIFESTS = `SELECT seq, digest,
    instr(manifest, CAST(?3 AS BLOB)) > 0 OR instr(manifest, CAST('\\' AS BLOB)) > 0 AS may_refer
  FROM revisions WHERE workspace_id = ?1 AND namespace = ?2 AND seq > ?4 ORDER BY seq LIMIT ${AT_ONCE}`;

async function isReferredTo({ store, share }: SharedScope, repository: Repository, digest: string): Promise<boolean> {
  const { workspaceId, namespace } = repository;
  for (let last = 0; ; ) {
    const rows = store.all(NEXT_MANIFESTS, workspaceId, namespace, digest, last);
    for (const row of rows) {
      last = Number(row.seq);
      if (row.may_refer !== 1) continue;
      await share.turn();
      const found = findRevision(store, repository, String(row.digest));
      if (found && manifestPartsOf(manifestIn(found)).blobs.includes(digest)) return true;
    }
    if (rows.length < AT_ONCE) return false;
    await share.turn();
  }
}

/**
 * Deletes a blob that is marked as loose, and its content unless another repository has mounted it. Returns false if a
 * manifest refers to it, or if its mark is from `until` or later.
 */
export async function deleteLooseBlob(scope: SharedScope, repository: Repository, digest: string, until?: string) {
  const { store } = scope;
  const key = { ...ofRepository(repository), digest };
  const isReferred = await isReferredTo(scope, repository, digest);
  return store.transaction(() => {
    const mark = store.find('loose_blobs', key);
    // A manifest that came during the search has removed the mark.
    if (!mark || (until !== undefined && String(mark.since) >= until)) return false;
    store.delete('loose_blobs', key);
    if (isReferred) return false;
    const id = String(findBlob(store, repository, digest)?.content_id);
    store.delete('blobs', key);
    if (!store.find('blobs', { content_id: id })) dropContent(store, id);
    return true;
  });
}

const DUE = 'SELECT namespace, digest FROM loose_blobs WHERE workspace_id = ? AND since < ? LIMIT ?';

/** Deletes blobs of a workspace that no manifest has referred to for a day. */
export async function sweepLooseBlobs(scope: SharedScope, workspaceId: string, now: Date): Promise<void> {
  const until = new Date(now.getTime() - LOOSE_MS).toISOString();
  for (const { namespace, digest } of scope.store.all(DUE, workspaceId, until, SWEEP_LIMIT))
    await deleteLooseBlob(scope, { workspaceId, namespace: String(namespace) }, String(digest), until);
}
