/** Stores a manifest in the registry as a revision. Creates its namespace and its tag if needed. */
import { createHash, randomUUID } from 'node:crypto';
import { orThrow } from '../../caught.ts';
import { readAll } from '../../request/http.ts';
import { contentStart, isZip } from '../data/contents.ts';
import type { Store } from '../data/store.ts';
import { type OpenScope, Refusal, type Reply, replyWith } from '../handler.ts';
import { fieldsOf, isRecord, type JsonObject, listOf } from '../http/fields.ts';
import { parseBodyJson } from '../http/json.ts';
import { markReferred } from './loose-blobs.ts';
import { RegistryRefusal } from './refusals.ts';
import {
  documentLayer,
  layerOf,
  MANIFEST_TYPE,
  manifestPartsOf,
  ofRepository,
  type Repository,
  TAG,
} from './registry.ts';

const LIMIT = 4 * 1024 * 1024;

export function makeNamespace(store: Store, { workspaceId, namespace }: Repository, now: string): void {
  const made = { id: randomUUID(), created_at: now, updated_at: now };
  store.insert('namespaces', { workspace_id: workspaceId, name: namespace, ...made }, 'update updated_at');
}

/** Creates a tag, or moves the tag if it exists. */
export const setTag = (store: Store, repository: Repository, name: string, digest: string): unknown =>
  store.insert('tags', { ...ofRepository(repository), name, id: randomUUID(), digest }, 'update digest');

const invalid = (why: string) => new RegistryRefusal(400, 'MANIFEST_INVALID', why);

/** Parses the manifest of an image, which has layers, or an index, which has manifests. */
function parseManifest(bytes: Uint8Array): JsonObject {
  const manifest = orThrow(
    () => parseBodyJson(bytes, 'the manifest'),
    (error) => (error instanceof Refusal ? invalid(error.message) : error),
  );
  if (!isRecord(manifest)) throw invalid('the manifest is not a JSON object');
  const { schemaVersion, layers, manifests } = manifest;
  if (schemaVersion === 2 && (Array.isArray(layers) || Array.isArray(manifests))) return manifest;
  throw invalid('the manifest must have schemaVersion 2 and an array of layers or manifests');
}

/** The most parts of a manifest, so that checking them takes a few hundredths of a second. */
const PARTS_LIMIT = 5000;

const among = 'workspace_id = ? AND namespace = ? AND digest IN (SELECT value FROM json_each(?))';
const BLOB_SIZES = `SELECT digest, size FROM blobs WHERE ${among}`;
const MANIFEST_SIZES = `SELECT digest, length(manifest) AS size FROM revisions WHERE ${among}`;

/** Throws RegistryRefusal unless everything that a manifest refers to has been pushed before. */
function checkParts(store: Store, repository: Repository, { config, layers, manifests }: JsonObject): void {
  const blobs = [...(config === undefined ? [] : [config]), ...listOf(layers)];
  checkDescriptors(store, repository, blobs, BLOB_SIZES);
  checkDescriptors(store, repository, listOf(manifests), MANIFEST_SIZES);
}

function checkDescriptors(
  store: Store,
  { workspaceId, namespace }: Repository,
  all: readonly unknown[],
  sizes: string,
) {
  if (all.length > PARTS_LIMIT) throw invalid(`the manifest has more than ${PARTS_LIMIT} parts`);
  // A layer with URLs must not be redistributed. It is stored elsewhere, and clients do not push it.
  const own = all.map(fieldsOf).filter(({ urls }) => listOf(urls).length === 0);
  const digests = JSON.stringify(own.map(({ digest }) => digest));
  const stored = new Map(store.all(sizes, workspaceId, namespace, digests).map((row) => [row.digest, row.size]));
  for (const { digest, size } of own) {
    if (typeof digest !== 'string' || !digest.includes(':'))
      throw invalid('the digest of a descriptor must have the form ALGORITHM:HEX');
    const known = stored.get(digest);
    if (known === undefined)
      throw new RegistryRefusal(400, 'MANIFEST_BLOB_UNKNOWN', `blob or manifest ${digest} not found`);
    if (size !== undefined && size !== known)
      throw invalid(`${digest} has ${known} bytes, not ${JSON.stringify(size)}`);
  }
}

/** The longest metadata of a revision, in characters. A list has many of them. */
const METADATA_LIMIT = 128 * 1024;

/** Returns the metadata of a revision. Null if its first layer is not a readable document, which is allowed. */
async function metadataOf(
  { store, worker }: OpenScope,
  repository: Repository,
  { manifest, digest, now }: { readonly manifest: JsonObject; readonly digest: string; readonly now: string },
): Promise<string | null> {
  const layer = documentLayer(manifest);
  if (layer === undefined) return null;
  const { workspaceId, namespace } = repository;
  try {
    const { contentId, bytes } = layerOf(store, repository, layer);
    const start = contentStart(store, contentId);
    // OCI clients mostly push other kinds of archives, which contain bytes that YAML never contains.
    if (!isZip(start) && /[\0\uFFFD]/.test(start.toString('utf8', 0, 4096).slice(0, 1024))) return null;
    const revision = { workspaceId, namespace, digest, createdAt: now };
    const metadata = String(await worker.run({ make: 'metadata', revision }, bytes));
    return metadata.length > METADATA_LIMIT ? null : metadata;
  } catch (error) {
    // Any other error is not the fault of the document. The push fails, so the client can retry it.
    if (error instanceof Refusal && error.status < 500) return null;
    throw error;
  }
}

export async function putManifest(
  scope: OpenScope,
  repository: Repository,
  reference: string,
  { type, body }: { readonly type: string | undefined; readonly body: AsyncIterable<Uint8Array> },
): Promise<Reply> {
  const { store, now, share } = scope;
  const bytes = await readAll(share.holding(body), LIMIT);
  await share.turn();
  if (!bytes) throw new RegistryRefusal(413, 'SIZE_INVALID', `the manifest is larger than ${LIMIT} bytes`);
  const manifest = parseManifest(bytes);
  const digest = digestFor(bytes, reference);
  checkParts(store, repository, manifest);
  const time = now().toISOString();
  const metadata = await metadataOf(scope, repository, { manifest, digest, now: time });
  await share.turn();
  const mediaType = type ?? (typeof manifest.mediaType === 'string' ? manifest.mediaType : MANIFEST_TYPE);
  const { blobs, subject } = manifestPartsOf(manifest);
  const own = ofRepository(repository);
  store.transaction(() => {
    // A part may have been deleted while the metadata was generated.
    checkParts(store, repository, manifest);
    makeNamespace(store, repository, time);
    const content = { digest, media_type: mediaType, manifest: bytes, metadata, created_at: time, updated_at: time };
    store.insert('revisions', { id: randomUUID(), ...own, ...content }, 'update updated_at');
    markReferred(store, repository, blobs);
    if (subject !== undefined) store.insert('referrers', { ...own, subject, digest }, 'ignore');
    if (!reference.includes(':')) setTag(store, repository, reference, digest);
  });
  return replyWith(201, {
    'docker-content-digest': digest,
    // With this header, the client knows that it need not list the referrers under a tag.
    ...(subject !== undefined && { 'oci-subject': subject }),
  });
}

/**
 * Computes the digest of a manifest, with the algorithm of `reference`. Throws RegistryRefusal if `reference` is
 * another digest, or neither a tag nor a digest.
 */
function digestFor(bytes: Uint8Array, reference: string): string {
  const [, algorithm = 'sha256'] = /^(sha256|sha512):/.exec(reference) ?? [];
  const digest = `${algorithm}:${createHash(algorithm).update(bytes).digest('hex')}`;
  const isDigest = reference.includes(':');
  if (isDigest && reference !== digest)
    throw new RegistryRefusal(400, 'DIGEST_INVALID', `the manifest has the digest ${digest}, not ${reference}`);
  if (!isDigest && !TAG.test(reference)) throw invalid(`${reference} is neither a tag nor a digest`);
  return digest;
}
