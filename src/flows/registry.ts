/** Defines the registry operations, digests and limits that pull and push share. */
import { createHash } from 'node:crypto';
import { DtpError } from '../errors.ts';
import type { FileValue } from '../operations/operation.ts';

export interface Registry {
  /** Returns the raw bytes, and the digest that the registry reported. */
  readonly manifest: (reference: string) => Promise<{ readonly bytes: Uint8Array; readonly named: string | undefined }>;
  readonly blob: (digest: string, size: number, signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /** Throws `bad_response` if the blob exists with another size. */
  readonly hasBlob: (digest: string, size: number) => Promise<boolean>;
  readonly startUpload: () => Promise<string>;
  readonly sendChunk: (location: string, chunk: Chunk) => Promise<UploadProgress>;
  readonly progressOf: (location: string) => Promise<UploadProgress>;
  readonly endUpload: (location: string, digest: string) => Promise<unknown>;
  readonly putManifest: (reference: string, bytes: Uint8Array) => Promise<unknown>;
}

/** A range of a blob. It is opened again for each attempt. */
export interface Chunk extends Pick<FileValue, 'size' | 'open'> {
  readonly from: number;
}

/** The progress of an upload. `size` is in bytes. */
export interface UploadProgress {
  readonly location: string;
  readonly size: number;
}

export const manifestType = 'application/vnd.oci.image.manifest.v1+json';
export const titleAnnotation = 'org.opencontainers.image.title';

/** The limits of a bundle, for both pull and push. Sizes are in bytes. */
export const limits = {
  files: 10_000,
  folders: 10_000,
  /** The maximum number of parts in a name. They are separated by `/`. */
  depth: 64,
  bytes: 1024 ** 3,
  /** A bundle may unpack to `ratio` times its compressed size, plus `slack` bytes. */
  ratio: 200,
  slack: 16 * 1024 ** 2,
} as const;

/** Starts a digest, such as `sha256:…`, with the same algorithm as the digest `like`. */
export function openDigest(like = 'sha256:') {
  const algorithm = like.startsWith('sha512:') ? 'sha512' : 'sha256';
  const hash = createHash(algorithm);
  return { update: (bytes: Uint8Array) => void hash.update(bytes), end: () => `${algorithm}:${hash.digest('hex')}` };
}

export function digestOf(bytes: Uint8Array, like?: string): string {
  const digest = openDigest(like);
  digest.update(bytes);
  return digest.end();
}

export const isDigest = (text: string): boolean => /^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/.test(text);

/** Returns a file name for a digest. Some file systems do not allow a colon. */
export const fileNameOf = (digest: string): string => digest.replace(':', '-');

export const badResponse = (message: string, hint?: string): DtpError =>
  new DtpError('bad_response', message, hint === undefined ? {} : { hint });
