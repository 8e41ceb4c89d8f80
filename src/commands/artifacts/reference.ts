/** Parses references to revisions, such as `pets`, `pets:v1`, `acme/prod/pets:v1` and `pets@sha256:…`. */
import { DtpError } from '../../errors.ts';
import { isDigest } from '../../flows/registry.ts';
import { unknownsIn } from '../../invocation/names-shape.ts';
import { operationsFor } from '../../operations/areas.ts';
import type { Input } from '../../operations/operation.ts';

export type RevisionReference = ReturnType<typeof parseReference>;

/** Whether a string has the form of a shortened digest, which can be looked up. */
const isShortDigest = (text: string): boolean =>
  unknownsIn(operationsFor('artifacts').getManifest, { input: { revision_reference: text } }).length > 0;

const tagForm = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;

/**
 * Parses a reference. Without an organization and a workspace, the credential's workspace is meant, and the digest may be
 * shortened. Without a tag or a digest, the revision is `latest`. Throws `usage` if the reference is invalid.
 */
export function parseReference(text: string) {
  const wrong = (why: string) =>
    new DtpError('usage', `invalid reference "${text}": ${why}`, {
      hint: 'Use NAMESPACE, NAMESPACE:TAG, ORG/WORKSPACE/NAMESPACE:TAG or …@sha256:DIGEST.',
    });
  const at = text.indexOf('@');
  const [rest, digest] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  const parts = rest.split('/');
  const last = parts.pop() ?? '';
  const colon = last.indexOf(':');
  const namespace = colon < 0 ? last : last.slice(0, colon);
  const tag = colon < 0 ? undefined : last.slice(colon + 1);
  if (tag !== undefined && digest !== undefined) throw wrong('use a tag or a digest, not both');
  if (digest !== undefined && !isDigest(digest)) {
    if (!isShortDigest(digest)) throw wrong('the part after @ is not a digest, or 4 or more characters of one');
    if (parts.length > 0) throw wrong('the digest of a revision in another workspace must be complete');
  }
  if (tag !== undefined && !tagForm.test(tag)) throw wrong('the part after the colon is not a tag');
  if (parts.length !== 0 && parts.length !== 2)
    throw wrong('a full path has three parts: organization, workspace and namespace');
  for (const part of [...parts, namespace])
    if (!isName(part)) throw wrong(part === '' ? 'a part is empty' : `"${part}" is not a valid name`);
  const [organization, workspace] = parts;
  return { organization, workspace, namespace, revision: digest ?? tag ?? 'latest' };
}

/** Returns the input of operations on the namespace. Undefined in a named workspace, which may not be readable. */
export const inputOf = ({ organization, namespace }: RevisionReference, revision?: string): Input | undefined =>
  organization === undefined
    ? { namespace_name: namespace, ...(revision !== undefined && { revision_reference: revision }) }
    : undefined;

/** Whether a name has no special meaning in a URL or a file system. */
const isName = (text: string) => /^[\p{L}\p{N}_][\p{L}\p{N}._-]*$/u.test(text);

/** Returns the tags without duplicates. The default is `latest`. Throws `usage` for an invalid tag. */
export function parseTags(given: readonly string[]): readonly string[] {
  for (const tag of given)
    if (!tagForm.test(tag))
      throw new DtpError('usage', `invalid tag "${tag}": use up to 128 letters, digits, "_", "." and "-"`);
  return given.length === 0 ? ['latest'] : [...new Set(given)];
}
