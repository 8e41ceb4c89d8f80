/** Pushes a bundle to the registry: the missing blobs in chunks, then the manifest. Resumes interrupted uploads. */
import { ignoring } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { defaultRetryPolicy, isRetried } from '../operations/retry-rules.ts';
import { type Chunk, digestOf, manifestType, type Registry, titleAnnotation, type UploadProgress } from './registry.ts';

export interface Blob {
  readonly digest: string;
  readonly size: number;
  readonly open: (from: number, size: number) => AsyncIterable<Uint8Array>;
}

export interface PushTools {
  /** Waits before the next attempt. `count` is the number of consecutive failures. */
  readonly wait: (count: number, why: DtpError) => Promise<void>;
  readonly tell: (sent: number) => void;
}

export interface Manifest {
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** The maximum size of one upload request in bytes. */
export const chunkSize = 4 * 1024 * 1024;

/** The maximum number of consecutive failures without progress. */
const tries = 5;

const empty = Buffer.from('{}');

/** Returns the manifest of a bundle. It contains no timestamp, so the same bundle always has the same manifest. */
export function manifestOf(bundle: Blob, annotations: Readonly<Record<string, string>>): Manifest {
  const bytes = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: manifestType,
      artifactType: 'application/vnd.oai.openapi',
      config: { mediaType: 'application/vnd.oci.empty.v1+json', digest: digestOf(empty), size: empty.byteLength },
      layers: [
        {
          mediaType: 'application/zip',
          digest: bundle.digest,
          size: bundle.size,
          annotations: { [titleAnnotation]: 'bundle.zip' },
        },
      ],
      annotations,
    }),
  );
  return { bytes, digest: digestOf(bytes) };
}

export interface PushedRevision {
  readonly bundle: Blob;
  readonly manifest: Manifest;
  readonly tags: readonly string[];
}

/** Pushes a revision. Returns the number of uploaded bytes, or 0 if the registry already had the blobs. */
export async function push(registry: Registry, { bundle, manifest, tags }: PushedRevision, tools: PushTools) {
  const config: Blob = {
    digest: digestOf(empty),
    size: empty.byteLength,
    open: async function* (from, size) {
      yield empty.subarray(from, from + size);
    },
  };
  const quiet = { ...tools, tell: () => undefined };
  const sent = (await upload(registry, bundle, tools)) + (await upload(registry, config, quiet));
  for (const reference of [manifest.digest, ...tags])
    await persistently(tools, () => registry.putManifest(reference, manifest.bytes));
  return sent;
}

async function upload(registry: Registry, blob: Blob, tools: PushTools): Promise<number> {
  const { digest, size } = blob;
  if (await persistently(tools, () => registry.hasBlob(digest, size))) return 0;
  const start = async (): Promise<UploadProgress> => ({ location: await registry.startUpload(), size: 0 });
  let at: UploadProgress | undefined;
  /**
   * The largest number of bytes that the registry has confirmed. Only a larger number counts as progress, so that an
   * upload cannot restart forever.
   */
  let best = 0;
  let failures = 0;
  const arrived = (now: UploadProgress) => {
    if (now.size > size)
      throw new DtpError('bad_response', `the registry reports ${now.size} bytes for an upload of ${size} bytes`);
    if (now.size <= best) return;
    best = now.size;
    failures = 0;
  };
  for (;;) {
    try {
      at ??= await start();
      while (at.size < size) {
        const before: number = at.size;
        at = await registry.sendChunk(at.location, chunkAt(blob, at.size));
        arrived(at);
        if (at.size <= before && ++failures > tries)
          throw new DtpError('bad_response', 'the registry accepts no more data');
        tools.tell(at.size);
      }
      await registry.endUpload(at.location, digest);
      return size;
    } catch (error) {
      if (!mayResume(error) || ++failures > tries) throw error;
      await tools.wait(failures, error);
      const known: UploadProgress | undefined = at;
      // The upload may be complete even though the response was lost.
      const [isThere, now] = await persistently(tools, async () => [
        await registry.hasBlob(digest, size),
        known && (await progressAt(registry, known)),
      ]);
      if (isThere) return size;
      // The registry rejected a chunk at the position that it reported, so start again.
      at = now && error.facts.status === 416 && now.size === known?.size ? undefined : now;
      if (at) arrived(at);
    }
  }
}

/** Returns the progress of an upload, or undefined if the upload no longer exists and must be started again. */
const progressAt = (registry: Registry, { location }: UploadProgress): Promise<UploadProgress | undefined> =>
  registry.progressOf(location).catch(ignoring((error) => error instanceof DtpError && error.code === 'not_found'));

function chunkAt(blob: Blob, from: number): Chunk {
  const size = Math.min(chunkSize, blob.size - from);
  return { from, size, open: () => blob.open(from, size) };
}

/** Runs `work` and retries it after temporary failures. `work` must be safe to repeat. */
async function persistently<T>(tools: PushTools, work: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      if (!mayResume(error) || failures > tries) throw error;
      await tools.wait(failures, error);
    }
  }
}

/**
 * Whether a failure is temporary: a lost connection, a status of the retry policy, an upload at an unexpected position
 * (416), or an upload that no longer exists.
 */
function mayResume(error: unknown): error is DtpError {
  if (!(error instanceof DtpError)) return false;
  return isRetried(defaultRetryPolicy, error.facts) || error.facts.status === 416 || isGone(error);
}

/** Whether an upload no longer exists. It can be restarted, but a missing blob or manifest is a permanent failure. */
const isGone = ({ facts }: DtpError) => facts.status === 404 && /\/blobs\/uploads\/[^/]+$/.test(facts.path ?? '');
