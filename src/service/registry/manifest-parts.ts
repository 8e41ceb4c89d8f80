/** What a manifest refers to: blobs, the manifests of an index, and a subject. */
import { isRecord, type JsonObject } from '../http/fields.ts';

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export interface ManifestParts {
  /** The digests of the config and of the layers. */
  readonly blobs: readonly string[];
  /** The digest of the manifest that this one is about. */
  readonly subject: string | undefined;
}

const digestIn = (descriptor: unknown): string | undefined =>
  isRecord(descriptor) && typeof descriptor.digest === 'string' ? descriptor.digest : undefined;

export function partsOf(manifest: unknown): ManifestParts {
  const { config, layers, subject } = isRecord(manifest) ? manifest : {};
  const blobs = [config, ...listOf(layers)].map(digestIn).filter((digest) => digest !== undefined);
  return { blobs, subject: digestIn(subject) };
}

/**
 * What a list of referrers says about a manifest (OCI Distribution Specification 1.1, Listing Referrers). Without a
 * type, an image counts as what its config is.
 */
export function descriptionOf({ artifactType, config, annotations }: JsonObject): JsonObject {
  const ofConfig = isRecord(config) ? config.mediaType : undefined;
  const type = artifactType ?? ofConfig;
  return {
    ...(typeof type === 'string' && type !== '' && { artifactType: type }),
    ...(isRecord(annotations) && { annotations }),
  };
}
