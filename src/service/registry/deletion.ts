/** Deletes tags, manifests and blobs (OCI Distribution Specification 1.1, Content Management). */
import { bytesIn } from '../data/cells.ts';
import type { Store } from '../data/store.ts';
import { type OpenScope, type Reply, replyWith } from '../handler.ts';
import { dropBlob, isReferredTo, markLoose } from './loose-blobs.ts';
import { manifestPartsOf } from './manifest-parts.ts';
import { RegistryRefusal } from './refusals.ts';
import { findBlob, findRevision, ofRepository, type Repository, requiredBlob } from './registry.ts';

/** Deletes a tag but not its manifest or, if `reference` is a digest, a manifest with all of its tags. */
export function deleteManifest(scope: OpenScope, repository: Repository, reference: string): Reply {
  const { store } = scope;
  store.transaction(() => {
    if (!reference.includes(':')) return deleteTag(store, repository, reference);
    const revision = findRevision(store, repository, reference);
    if (!revision) throw new RegistryRefusal(404, 'MANIFEST_UNKNOWN', `manifest ${reference} not found`);
    const own = ofRepository(repository);
    for (const table of ['revisions', 'tags', 'referrers']) store.delete(table, { ...own, digest: reference });
    // The next read of a remote source merges its output again.
    store.delete('remote_outputs', own);
    const manifest = JSON.parse(Buffer.from(bytesIn(revision.manifest)).toString('utf8'));
    for (const digest of manifestPartsOf(manifest).blobs)
      if (findBlob(store, repository, digest)) markLoose(store, repository, digest, scope.now());
  });
  return replyWith(202, {});
}

function deleteTag(store: Store, repository: Repository, name: string): void {
  if (store.delete('tags', { ...ofRepository(repository), name }) === 0)
    throw new RegistryRefusal(404, 'MANIFEST_UNKNOWN', `tag ${name} not found`);
}

/** Deletes a blob. Throws RegistryRefusal if a manifest refers to it, because the manifest needs the blob. */
export function deleteBlob({ store }: OpenScope, repository: Repository, digest: string): Reply {
  store.transaction(() => {
    requiredBlob(store, repository, digest);
    if (isReferredTo(store, repository, digest))
      throw new RegistryRefusal(
        405,
        'UNSUPPORTED',
        `a manifest refers to the blob ${digest}: delete the manifest first`,
        { allow: 'GET, HEAD' },
      );
    dropBlob(store, repository, digest);
  });
  return replyWith(202, {});
}
