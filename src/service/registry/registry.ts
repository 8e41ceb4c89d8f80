/** Finds repositories, revisions and blobs of the registry, and decides who may read them. */
import { bytesIn } from '../data/cells.ts';
import { contentSize, readBounded, readContent } from '../data/contents.ts';
import type { Row, Store } from '../data/store.ts';
import { type Caller, type OpenScope, Refusal, type Reply, replyJson, replyWith } from '../handler.ts';
import { isRecord } from '../http/fields.ts';

export const MANIFEST_TYPE = 'application/vnd.oci.image.manifest.v1+json';
export const TAG = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;

/** A Refusal with an error code of the distribution specification. */
export class RegistryRefusal extends Refusal {
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(status, message);
    this.code = code;
  }
}

/** Combines the specification's error body with the fields of the Error record, for both kinds of clients. */
export function failureReply(error: Refusal): Reply {
  const { status, message } = error;
  const code = error instanceof RegistryRefusal ? error.code : 'UNKNOWN';
  return replyJson(status, { errors: [{ code, message, detail: {} }], message, status_code: status });
}

export interface Repository {
  readonly workspaceId: string;
  readonly namespace: string;
}

export function findRepository(
  store: Store,
  organization: string,
  workspace: string,
  namespace: string,
): Repository | undefined {
  const row = store.get(
    `SELECT workspaces.id AS id FROM workspaces JOIN organizations ON organizations.id = organization_id
     WHERE organizations.slug = ? AND workspaces.slug = ?`,
    organization,
    workspace,
  );
  return row && { workspaceId: String(row.id), namespace };
}

export const findNamespace = (store: Store, { workspaceId, namespace }: Repository): Row | undefined =>
  store.get('SELECT * FROM namespaces WHERE workspace_id = ? AND name = ?', workspaceId, namespace);

/**
 * The repository, if the caller may read it: in the caller's workspace, or public. In the caller's workspace, the
 * namespace need not exist yet, because blobs are pushed before the first manifest.
 */
export function readableRepository(
  { store }: OpenScope,
  caller: Caller | undefined,
  names: readonly [organization: string, workspace: string, namespace: string],
): Repository {
  const repository = findRepository(store, ...names);
  if (repository && findNamespace(store, repository)?.public === 1) return repository;
  if (!caller) throw new RegistryRefusal(401, 'UNAUTHORIZED', 'a credential is required');
  if (!repository) throw new RegistryRefusal(404, 'NAME_UNKNOWN', `repository ${names.join('/')} not found`);
  if (repository.workspaceId !== caller.workspaceId)
    throw new RegistryRefusal(403, 'DENIED', `${names.join('/')} belongs to another workspace`);
  return repository;
}

/** Finds a revision by digest or tag. Without a reference, takes the tag `latest` or else the newest revision. */
export function findRevision(store: Store, repository: Repository, reference?: string): Row | undefined {
  const { workspaceId, namespace } = repository;
  const by = (condition: string, ...values: readonly string[]) =>
    store.get(
      `SELECT * FROM revisions WHERE workspace_id = ? AND namespace = ? ${condition}`,
      workspaceId,
      namespace,
      ...values,
    );
  if (reference?.includes(':')) return by('AND digest = ?', reference);
  const tagged = store.get(
    'SELECT digest FROM tags WHERE workspace_id = ? AND namespace = ? AND name = ?',
    workspaceId,
    namespace,
    reference ?? 'latest',
  );
  if (tagged) return by('AND digest = ?', String(tagged.digest));
  return reference === undefined ? by('ORDER BY seq DESC LIMIT 1') : undefined;
}

export const findBlob = (store: Store, { workspaceId, namespace }: Repository, digest: string) =>
  store.get(
    'SELECT content_id, size FROM blobs WHERE workspace_id = ? AND namespace = ? AND digest = ?',
    workspaceId,
    namespace,
    digest,
  );

/** The manifest exactly as it was pushed. With `head`, only the headers. */
export function manifestReply(store: Store, repository: Repository, reference: string, head = false): Reply {
  const revision = findRevision(store, repository, reference);
  if (!revision) throw new RegistryRefusal(404, 'MANIFEST_UNKNOWN', `manifest ${reference} not found`);
  const manifest = bytesIn(revision.manifest);
  const headers = {
    'content-type': String(revision.media_type),
    'content-length': String(manifest.byteLength),
    'docker-content-digest': String(revision.digest),
  };
  return replyWith(200, headers, head ? '' : manifest);
}

export function blobReply(store: Store, repository: Repository, digest: string, head = false): Reply {
  const blob = findBlob(store, repository, digest);
  if (!blob) throw new RegistryRefusal(404, 'BLOB_UNKNOWN', `blob ${digest} not found`);
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': String(blob.size),
    'docker-content-digest': digest,
  };
  return replyWith(200, headers, head ? '' : readContent(store, String(blob.content_id)));
}

/** The digest of the layer that holds a manifest's document. */
export function documentLayer(manifest: unknown): string | undefined {
  const layers = isRecord(manifest) && Array.isArray(manifest.layers) ? manifest.layers : [];
  const layer = layers.find(isRecord);
  return typeof layer?.digest === 'string' ? layer.digest : undefined;
}

/** The bytes of a layer that may hold a document. */
export async function readLayer(store: Store, repository: Repository, digest: string): Promise<Buffer> {
  const blob = findBlob(store, repository, digest);
  if (!blob) throw new RegistryRefusal(404, 'BLOB_UNKNOWN', `blob ${digest} not found`);
  const id = String(blob.content_id);
  if (contentSize(store, id) === 0) throw new Refusal(422, `the layer ${digest} is empty`);
  return readBounded(readContent(store, id), `the layer ${digest}`);
}

export interface DocumentLayer {
  readonly layer: string;
  readonly bytes: Buffer;
}

/** The layer with the document of a revision. */
export async function readDocument(
  store: Store,
  repository: Repository,
  reference?: string,
): Promise<DocumentLayer> {
  const revision = findRevision(store, repository, reference);
  if (!revision)
    throw new Refusal(404, `revision ${reference ?? 'latest'} of ${repository.namespace} not found`);
  const manifest = Buffer.from(bytesIn(revision.manifest)).toString('utf8');
  const layer = documentLayer(JSON.parse(manifest));
  if (layer === undefined) throw new Refusal(422, `revision ${revision.digest} has no layers`);
  return { layer, bytes: await readLayer(store, repository, layer) };
}
