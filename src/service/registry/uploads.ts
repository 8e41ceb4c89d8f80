/** Handles uploads of blobs to the registry, in one piece or in the chunks of an upload session. */
import { createHash, randomUUID } from 'node:crypto';
import {
  appendContent,
  CHUNK,
  contentSize,
  dropContent,
  dropUpload,
  readContent,
  storeContent,
} from '../data/contents.ts';
import type { Store } from '../data/store.ts';
import { type Reply, replyWith } from '../handler.ts';
import type { Share } from '../shares.ts';
import { LOOSE_MS, markLoose, sweepLooseBlobs } from './loose-blobs.ts';
import type { DistributionRequest } from './names.ts';
import { RegistryRefusal } from './refusals.ts';
import { findBlob, ofRepository, type Repository } from './registry.ts';

/** The most uploads of which a request deletes a part. */
const STALE_LIMIT = 4;

interface UploadRequest extends Pick<DistributionRequest, 'query' | 'headers' | 'body'> {
  readonly store: Store;
  readonly share: Share;
  readonly now: Date;
  readonly repository: Repository;
  /** The URL path of the repository. */
  readonly root: string;
}

function digestHash(digest: string) {
  const [, algorithm = ''] = /^(sha256|sha512):[0-9a-f]+$/.exec(digest) ?? [];
  if (!algorithm) throw new RegistryRefusal(400, 'DIGEST_INVALID', `${digest} is not a sha256 or sha512 digest`);
  const hash = createHash(algorithm);
  return {
    update: (piece: Uint8Array) => void hash.update(piece),
    /** Calls `undo` and throws RegistryRefusal if the content has another digest. */
    check: (undo: () => void) => {
      if (`${algorithm}:${hash.digest('hex')}` === digest) return;
      undo();
      throw new RegistryRefusal(400, 'DIGEST_INVALID', `the content does not match the digest ${digest}`);
    },
  };
}

/** Turns stored content into a blob. If the repository already has the blob, deletes the content. */
function addBlob(request: UploadRequest, digest: string, id: string, size: number): Reply {
  const { store, repository } = request;
  store.transaction(() => {
    // Another request may have appended to the same upload meanwhile.
    if (contentSize(store, id) !== size)
      throw new RegistryRefusal(416, 'BLOB_UPLOAD_INVALID', 'another request appended to this upload');
    insertBlob(request, digest, id, size);
    store.delete('uploads', { id });
    // If an upload is finished twice, the content already belongs to the blob.
    if (findBlob(store, repository, digest)?.content_id !== id) dropContent(store, id);
  });
  return made(request, digest);
}

/** Adds a blob, and marks it as loose even if it exists, because the client may push its manifest much later. */
function insertBlob({ store, repository, now }: UploadRequest, digest: string, id: string, size: number): void {
  store.insert('blobs', { ...ofRepository(repository), digest, content_id: id, size }, 'ignore');
  markLoose(store, repository, digest, now);
}

const made = ({ root }: UploadRequest, digest: string): Reply =>
  replyWith(201, { location: `${root}/blobs/${digest}`, 'docker-content-digest': digest });

/** Mounts a blob, so that two repositories share its content. Returns false if `from` does not have the blob. */
function mount(request: UploadRequest, digest: string, from: Repository): boolean {
  const { store } = request;
  return store.transaction(() => {
    const blob = findBlob(store, from, digest);
    if (blob) insertBlob(request, digest, String(blob.content_id), Number(blob.size));
    return blob !== undefined;
  });
}

function progress(status: number, { store, root }: UploadRequest, id: string): Reply {
  const size = contentSize(store, id);
  return replyWith(status, {
    location: `${root}/blobs/uploads/${id}`,
    range: `0-${Math.max(0, size - 1)}`,
    'docker-upload-uuid': id,
  });
}

async function dropStale({ store, share, now }: UploadRequest): Promise<void> {
  const since = new Date(now.getTime() - LOOSE_MS).toISOString();
  for (const { id } of store.all('SELECT id FROM uploads WHERE begun_at < ? LIMIT ?', since, STALE_LIMIT)) {
    dropUpload(store, String(id));
    await share.turn();
  }
}

/** Starts an upload session, or stores or mounts a blob. `from` is the repository to mount from, if allowed. */
export async function startUpload(request: UploadRequest, from?: Repository): Promise<Reply> {
  const { store, repository, query, body } = request;
  await dropStale(request);
  await sweepLooseBlobs(request, request.repository.workspaceId, request.now);
  const mounted = query.get('mount');
  if (mounted !== null && from && mount(request, mounted, from)) return made(request, mounted);
  const digest = query.get('digest');
  if (digest === null) {
    const id = randomUUID();
    store.insert('uploads', { id, ...ofRepository(repository), begun_at: request.now.toISOString() });
    return progress(202, request, id);
  }
  const hash = digestHash(digest);
  holdRow(request);
  const { id, size } = await storeContent(store, body, hash.update);
  hash.check(() => dropContent(store, id));
  return addBlob(request, digest, id, size);
}

/** Throws RegistryRefusal if a chunk has a Content-Range that does not start where the stored bytes end. */
function checkRange({ store, headers }: UploadRequest, id: string): void {
  const range = headers['content-range'];
  if (range === undefined) return;
  const refuse = (why: string) => new RegistryRefusal(416, 'BLOB_UPLOAD_INVALID', why);
  const [, first, last] = /^(?:bytes[ =])?(\d+)-(\d+)(?:\/(?:\d+|\*))?$/.exec(range) ?? [];
  if (first === undefined) throw refuse(`Content-Range ${range} is not a range of bytes`);
  const size = contentSize(store, id);
  if (Number(first) !== size) throw refuse(`the next chunk must start at ${size}, not at ${first}`);
  const length = Number(headers['content-length'] ?? 0);
  // A request with length 0 finishes an upload. Without a Content-Length, the lengths cannot be compared.
  if (length > 0 && Number(last) - Number(first) + 1 !== length) {
    const text = `Content-Length ${length} does not match the range ${first}-${last}`;
    throw new RegistryRefusal(400, 'SIZE_INVALID', text);
  }
}

async function append(request: UploadRequest, id: string): Promise<void> {
  checkRange(request, id);
  holdRow(request);
  const { store, body } = request;
  // Another request may finish the upload meanwhile. It is a blob then, which must not grow.
  await appendContent(store, id, body, { check: () => findUpload(request, id) });
}

async function finish(request: UploadRequest, id: string): Promise<Reply> {
  const { store, share, query } = request;
  const digest = query.get('digest') ?? '';
  const hash = digestHash(digest);
  await append(request, id);
  let size = 0;
  for await (const piece of readContent(store, id)) {
    hash.update(piece);
    size += piece.byteLength;
    await share.turn();
  }
  hash.check(() => dropUpload(store, id));
  return addBlob(request, digest, id, size);
}

/** Counts the bytes that an upload has in memory until they fill a row. */
function holdRow({ share, headers }: UploadRequest): void {
  share.hold(Math.min(Number(headers['content-length'] ?? CHUNK), CHUNK));
}

function findUpload({ store, repository }: UploadRequest, id: string): void {
  if (!store.find('uploads', { id, ...ofRepository(repository) }))
    throw new RegistryRefusal(404, 'BLOB_UPLOAD_UNKNOWN', `upload ${id} not found`);
}

/** Handles any request of an upload session after the first one. */
export async function continueUpload(method: string, request: UploadRequest, id: string): Promise<Reply> {
  findUpload(request, id);
  if (method === 'GET') return progress(204, request, id);
  if (method === 'PUT') return finish(request, id);
  if (method === 'PATCH') {
    await append(request, id);
    return progress(202, request, id);
  }
  if (method !== 'DELETE') throw new RegistryRefusal(405, 'UNSUPPORTED', `${method} is not supported for an upload`);
  while (dropUpload(request.store, id)) await request.share.turn();
  return replyWith(204, {});
}
