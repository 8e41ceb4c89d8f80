/** Reads what a manifest refers to, and how a list of referrers describes it. */
import { fieldsOf, isRecord, type JsonObject, listOf } from '../http/fields.ts';

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
