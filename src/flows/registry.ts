/** What pull and push need of a registry, and what both know of its contents: manifests, digests, limits. */
import { createHash } from 'node:crypto';
import { DtpError } from '../errors.ts';

export interface Registry {
  /** The bytes as they came, and the digest that the registry named with them. */
  readonly manifest: (
    reference: string,
  ) => Promise<{ readonly bytes: Uint8Array; readonly named: string | undefined }>;
  readonly blob: (digest: string, size: number, signal: AbortSignal) => AsyncIterable<Uint8Array>;
  /** Throws `bad_response` where it is there with another size. */
  readonly hasBlob: (digest: string, size: number) => Promise<boolean>;
  /** Where the upload goes on. */
  readonly startUpload: () => Promise<string>;
  readonly sendChunk: (location: string, chunk: Chunk) => Promise<Progress>;
  readonly progressOf: (location: string) => Promise<Progress>;
  readonly endUpload: (location: string, digest: string) => Promise<void>;
  readonly putManifest: (reference: string, bytes: Uint8Array) => Promise<void>;
}

/** Bytes of a blob, opened afresh for each attempt. */
export interface Chunk {
  readonly from: number;
  readonly size: number;
  readonly open: () => AsyncIterable<Uint8Array>;
}

/** How far an upload has come; `size` in bytes. */
export interface Progress {
  readonly location: string;
  readonly size: number;
}

export const manifestType = 'application/vnd.oci.image.manifest.v1+json';
export const titleAnnotation = 'org.opencontainers.image.title';

/** What a bundle may hold: what pull refuses, push does not make. Sizes in bytes. */
export const limits = {
  files: 10_000,
  folders: 10_000,
  /** Parts of a name. */
  depth: 64,
  bytes: 1024 ** 3,
  /** How many times its own size a bundle may unpack to, beyond `slack`. */
  ratio: 200,
  slack: 16 * 1024 ** 2,
} as const;

export interface Digest {
  readonly update: (bytes: Uint8Array) => void;
  /** As it is written: `sha256:…`. */
  readonly end: () => string;
}

/** Of the algorithm that `like` is written with. */
export function openDigest(like = 'sha256:'): Digest {
  const algorithm = like.startsWith('sha512:') ? 'sha512' : 'sha256';
  const hash = createHash(algorithm);
  return { update: (bytes) => void hash.update(bytes), end: () => `${algorithm}:${hash.digest('hex')}` };
}

export function digestOf(bytes: Uint8Array, like?: string): string {
  const digest = openDigest(like);
  digest.update(bytes);
  return digest.end();
}

export const isDigest = (text: string): boolean => /^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/.test(text);

/** A file name that stands for a digest: a colon is no part of one everywhere. */
export const fileNameOf = (digest: string): string => digest.replace(':', '-');

export const bad = (message: string, hint?: string): DtpError =>
  new DtpError('bad_response', message, hint === undefined ? {} : { hint });
