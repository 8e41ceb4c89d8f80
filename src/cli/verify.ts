/** What came from the registry, against the digests that it must have. */
import type { Input, Operation } from '../operations/operation.ts';
import { digestIn, verified } from '../request/digest.ts';
import type { Value } from '../request/read.ts';

/** The reference of getManifest and getBlob: the one is a tag or a digest, the other a digest. */
const references: Readonly<Record<string, { readonly field: string; readonly what: string }>> = {
  getManifest: { field: 'revision_reference', what: 'the manifest' },
  getBlob: { field: 'digest', what: 'the blob' },
};

/** The value, whose bytes end in an error where they are not what was asked for or what the registry said they were. */
export function verifiedValue({ id }: Operation, input: Input, value: Value): Value {
  const reference = references[id];
  if (value.kind !== 'bytes' || !reference) return value;
  const digests = [String(input[reference.field]), value.digest ?? ''].flatMap((one) => digestIn(one) ?? []);
  return { ...value, body: verified(value.body, digests, reference.what) };
}
