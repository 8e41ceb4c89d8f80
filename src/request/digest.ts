/** Verifies the digests of raw bytes, before they are decoded. */
import { createHash } from 'node:crypto';
import { DtpError } from '../errors.ts';

export interface ParsedDigest {
  readonly algorithm: 'md5' | 'sha256' | 'sha512';
  readonly hex: string;
}

/** Returns the digest in a registry reference, or undefined if the reference is a tag. */
export function digestIn(reference: string): ParsedDigest | undefined {
  const [, algorithm, hex = ''] = /^(sha256|sha512):(.*)$/s.exec(reference) ?? [];
  return algorithm === 'sha256' || algorithm === 'sha512' ? { algorithm, hex } : undefined;
}

/** Passes on `body`. Throws `bad_response` at the end if a digest differs. `what` names the body in the error. */
export async function* verifyDigests(body: AsyncIterable<Uint8Array>, digests: readonly ParsedDigest[], what: string) {
  const hashes = digests.map((digest) => ({ ...digest, hash: createHash(digest.algorithm) }));
  for await (const chunk of body) {
    for (const { hash } of hashes) hash.update(chunk);
    yield chunk;
  }
  for (const { hash, algorithm, hex } of hashes) {
    const found = hash.digest('hex');
    if (found !== hex) {
      const text = `${what} does not match its digest: ${algorithm} is ${found}, expected ${hex}`;
      throw new DtpError('bad_response', text);
    }
  }
}
