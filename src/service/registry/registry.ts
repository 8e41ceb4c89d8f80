/** Finds repositories, revisions and blobs of the registry, and decides who may read them. */
import { bytesIn, type DatabaseRow } from '../data/columns.ts';
import { DOCUMENT_LIMIT, readContent, readRange } from '../data/contents.ts';
import type { Store } from '../data/store.ts';
import { type Caller, type OpenScope, Refusal, type Reply, replyWith } from '../handler.ts';
import { fieldsOf, isRecord, type JsonObject, listOf } from '../http/fields.ts';
import type { Names } from './names.ts';
import { RegistryRefusal, unauthorized } from './refusals.ts';

export const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
export const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;

export interface Repository {
  readonly workspaceId: string;
  readonly namespace: string;
}

/** A repository with what decides who may use it. It is inactive with its workspace, and its namespace may be missing. */
export type FoundRepository = NonNullable<ReturnType<typeof findRepository>>;

/** The columns that name a repository in most tables. */
export const ofRepository = ({ workspaceId, namespace }: Repository) => ({ workspace_id: workspaceId, namespace });

const BY_NAMES = `SELECT workspaces.id AS id, workspaces.record ->> 'inactive' AS is_inactive, public AS is_public, archived_at
  FROM workspaces JOIN organizations ON organizations.id = organization_id
    LEFT JOIN namespaces ON workspace_id = workspaces.id AND namespaces.name = ?3
  WHERE organizations.slug = ?1 AND workspaces.slug = ?2`;

/** Finds a repository by the names of its organization, workspace and namespace. */
export function findRepository(store: Store, ...names: Names) {
  const row = store.get(BY_NAMES, ...names);
  return (
    row && {
      workspaceId: String(row.id),
      namespace: names[2],
      isPublic: row.is_public === 1,
      isArchived: row.archived_at !== null,
      isInactive: row.is_inactive === 1,
    }
  );
}

export const findNamespace = (store: Store, { workspaceId, namespace }: Repository): DatabaseRow | undefined =>
  store.find('namespaces', { workspace_id: workspaceId, name: namespace });

export const isArchived = (store: Store, repository: Repository): boolean =>
  typeof findNamespace(store, repository)?.archived_at === 'string';

/** Throws RegistryRefusal for an archived namespace, which can neither be read nor written. */
export function checkNotArchived({ namespace, isArchived }: Pick<FoundRepository, 'namespace' | 'isArchived'>): void {
  if (isArchived) throw new RegistryRefusal(403, 'DENIED', `namespace ${namespace} is archived`);
}

/**
 * Returns a repository that is public or in the caller's workspace. Throws RegistryRefusal if the caller may not read
 * it. In the caller's workspace, the namespace need not exist yet, because blobs are pushed before the first manifest.
 */
export function readableRepository({ store }: OpenScope, caller: Caller | undefined, names: Names): FoundRepository {
  const repository = findRepository(store, ...names);
  const isOpen = repository?.isPublic === true;
  if (!isOpen && !caller) throw unauthorized();
  if (!repository) throw new RegistryRefusal(404, 'NAME_UNKNOWN', `repository ${names.join('/')} not found`);
  if (!isOpen && repository.workspaceId !== caller?.workspaceId)
    throw new RegistryRefusal(403, 'DENIED', `${names.join('/')} belongs to another workspace`);
  checkNotArchived(repository);
  return repository;
}

export const manifestIn = (revision: DatabaseRow): JsonObject =>
  JSON.parse(Buffer.from(bytesIn(revision.manifest)).toString('utf8'));

/** Finds a revision by digest or tag. Without a reference, finds the tag `latest`, or else the newest revision. */
export function findRevision(store: Store, repository: Repository, reference?: string): DatabaseRow | undefined {
  const own = ofRepository(repository);
  if (reference?.includes(':')) return store.find('revisions', { ...own, digest: reference });
  const tagged = store.find('tags', { ...own, name: reference ?? 'latest' });
  if (tagged) return store.find('revisions', { ...own, digest: String(tagged.digest) });
  const newest = 'SELECT * FROM revisions WHERE workspace_id = ? AND namespace = ? ORDER BY seq DESC LIMIT 1';
  return reference === undefined ? store.get(newest, repository.workspaceId, repository.namespace) : undefined;
}

export const findBlob = (store: Store, repository: Repository, digest: string): DatabaseRow | undefined =>
  store.find('blobs', { ...ofRepository(repository), digest });

/** Returns a blob. Throws RegistryRefusal if it does not exist. */
export function requiredBlob(store: Store, repository: Repository, digest: string): DatabaseRow {
  const blob = findBlob(store, repository, digest);
  if (!blob) throw new RegistryRefusal(404, 'BLOB_UNKNOWN', `blob ${digest} not found`);
  return blob;
}

/** Returns a response with a manifest exactly as it was pushed. Throws RegistryRefusal if it does not exist. */
export function manifestReply(store: Store, repository: Repository, reference: string): Reply {
  const revision = findRevision(store, repository, reference);
  if (!revision) throw new RegistryRefusal(404, 'MANIFEST_UNKNOWN', `manifest ${reference} not found`);
  const manifest = bytesIn(revision.manifest);
  const headers = {
    'content-type': String(revision.media_type),
    'content-length': String(manifest.byteLength),
    'docker-content-digest': String(revision.digest),
  };
  return replyWith(200, headers, manifest);
}

/** Returns a blob, or the part in the Range header. Blobs never change, so If-Range is ignored. Throws if missing. */
export function blobReply(store: Store, repository: Repository, digest: string, range?: string): Reply {
  const blob = requiredBlob(store, repository, digest);
  const size = Number(blob.size);
  const id = String(blob.content_id);
  const headers = {
    'content-type': 'application/octet-stream',
    'docker-content-digest': digest,
    'accept-ranges': 'bytes',
  };
  const found = range === undefined ? undefined : rangeIn(range, size);
  if (!found) return replyWith(200, { ...headers, 'content-length': String(size) }, readContent(store, id));
  if (found === 'unsatisfiable') return replyWith(416, { 'content-range': `bytes */${size}` });
  const { first, last } = found;
  const length = last - first + 1;
  return replyWith(
    206,
    { ...headers, 'content-length': String(length), 'content-range': `bytes ${first}-${last}/${size}` },
    readRange(store, id, first, length),
  );
}

/** Returns the digest of the first layer of a manifest, which holds the document. Undefined if it has no layers. */
export function documentLayer(manifest: unknown): string | undefined {
  const layer = listOf(fieldsOf(manifest).layers).find(isRecord);
  return typeof layer?.digest === 'string' ? layer.digest : undefined;
}

/** Returns a layer that may hold a document. Throws Refusal if the layer is missing, empty or too large. */
export function layerOf(store: Store, repository: Repository, layer: string) {
  const blob = requiredBlob(store, repository, layer);
  const size = Number(blob.size);
  if (size === 0) throw new Refusal(422, `the layer ${layer} is empty`);
  if (size > DOCUMENT_LIMIT) throw new Refusal(413, `the layer ${layer} is larger than ${DOCUMENT_LIMIT} bytes`);
  const contentId = String(blob.content_id);
  return { layer, bytes: readContent(store, contentId), contentId, size };
}

/** Returns the layer with the document of a revision. Throws Refusal if the revision or the layer does not exist. */
export function revisionDocument(store: Store, repository: Repository, reference?: string) {
  const revision = findRevision(store, repository, reference);
  if (!revision) throw new Refusal(404, `revision ${reference ?? 'latest'} of ${repository.namespace} not found`);
  const layer = documentLayer(manifestIn(revision));
  if (layer === undefined) throw new Refusal(422, `revision ${revision.digest} has no layers`);
  return layerOf(store, repository, layer);
}

/**
 * Returns the first and the last byte of a range, counted from 0. Undefined for another unit or several ranges, which
 * are ignored (RFC 9110 §14.2).
 */
export function rangeIn(header: string, size: number) {
  const [, from = '', to = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header) ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    const count = Math.min(Number(to), size);
    return count === 0 ? 'unsatisfiable' : { first: size - count, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return first > last ? 'unsatisfiable' : { first, last };
}

const digestIn = (descriptor: unknown): string | undefined =>
  isRecord(descriptor) && typeof descriptor.digest === 'string' ? descriptor.digest : undefined;

/** Returns the digests of the config and the layers, and of the subject, a manifest that this one adds to. */
export function manifestPartsOf(manifest: unknown) {
  const { config, layers, subject } = fieldsOf(manifest);
  const blobs = [config, ...listOf(layers)].map(digestIn).filter((digest) => digest !== undefined);
  return { blobs, subject: digestIn(subject) };
}

/** Returns a manifest's fields for a list of referrers (OCI Distribution 1.1). The type may be that of its config. */
export function descriptionOf({ artifactType, config, annotations }: JsonObject): JsonObject {
  const ofConfig = isRecord(config) ? config.mediaType : undefined;
  const type = artifactType ?? ofConfig;
  return {
    ...(typeof type === 'string' && type !== '' && { artifactType: type }),
    ...(isRecord(annotations) && { annotations }),
  };
}
