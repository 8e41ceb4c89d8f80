/** Digests of raw bytes, compared before anything is made of them. */
import { createHash } from 'node:crypto';
import { DtpError } from '../errors.ts';

export interface Digest {
  readonly algorithm: 'md5' | 'sha256' | 'sha512';
  readonly hex: string;
}

/** The digest that a reference of the registry is; undefined for a tag. */
export function digestIn(reference: string): Digest | undefined {
  const [, algorithm, hex = ''] = /^(sha256|sha512):(.*)$/s.exec(reference) ?? [];
  return algorithm === 'sha256' || algorithm === 'sha512' ? { algorithm, hex } : undefined;
}

/** The bytes of `body`. Throws `bad_response` at their end where a digest of them is another; `what` names them in errors. */
export async function* verified(
  body: AsyncIterable<Uint8Array>,
  digests: readonly Digest[],
  what: string,
): AsyncGenerator<Uint8Array> {
  const hashes = digests.map((digest) => ({ ...digest, hash: createHash(digest.algorithm) }));
  for await (const chunk of body) {
    for (const { hash } of hashes) hash.update(chunk);
    yield chunk;
  }
  for (const { hash, algorithm, hex } of hashes) {
    const found = hash.digest('hex');
    if (found !== hex)
      throw new DtpError(
        'bad_response',
        `${what} is not what was asked for: ${algorithm} ${found}, not ${hex}`,
      );
  }
}
