/** References to revisions as the user writes them: `org/workspace/namespace:tag`, `…@sha256:…`, `namespace[:tag]`. */
import { DtpError } from '../../errors.ts';
import { isDigest } from '../../flows/registry.ts';
import type { Input } from '../../operations/operation.ts';

export interface Reference {
  /** Undefined for those of the credential's own workspace. */
  readonly organization: string | undefined;
  readonly workspace: string | undefined;
  readonly namespace: string;
  /** A tag or a digest. */
  readonly revision: string;
}

/** The specification's. */
const tagForm = /^[a-zA-Z0-9_][a-zA-Z0-9._-]{0,127}$/;

/** Throws `usage`. */
export function parseReference(text: string): Reference {
  const wrong = (why: string) =>
    new DtpError('usage', `"${text}" is no reference: ${why}`, {
      hint: 'Write NAMESPACE, NAMESPACE:TAG, ORG/WORKSPACE/NAMESPACE:TAG or …@sha256:DIGEST.',
    });
  const at = text.indexOf('@');
  const [rest, digest] = at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
  const parts = rest.split('/');
  const last = parts.pop() ?? '';
  const colon = last.indexOf(':');
  const namespace = colon < 0 ? last : last.slice(0, colon);
  const tag = colon < 0 ? undefined : last.slice(colon + 1);
  if (tag !== undefined && digest !== undefined) throw wrong('it has a tag and a digest');
  if (digest !== undefined && !isDigest(digest)) throw wrong('what follows @ is no digest');
  if (tag !== undefined && !tagForm.test(tag)) throw wrong('what follows the colon is no tag');
  if (parts.length !== 0 && parts.length !== 2)
    throw wrong('a path has three parts: an organization, a workspace, a namespace');
  for (const part of [...parts, namespace])
    if (!isName(part)) throw wrong(part === '' ? 'a part of it is empty' : `${part} is no name`);
  const [organization, workspace] = parts;
  return { organization, workspace, namespace, revision: digest ?? tag ?? 'latest' };
}

/** As the input of an operation on its namespace; undefined if it is of another workspace, which cannot be listed. */
export const inputOf = ({ organization, namespace }: Reference, revision?: string): Input | undefined =>
  organization === undefined
    ? { namespace_name: namespace, ...(revision !== undefined && { revision_reference: revision }) }
    : undefined;

/** Names of the service's own making: nothing that a path or a file system would take for something else. */
const isName = (text: string) => /^[\p{L}\p{N}_][\p{L}\p{N}._-]*$/u.test(text);

/** Throws `usage` for what is no tag. */
export function parseTags(given: readonly string[]): readonly string[] {
  for (const tag of given)
    if (!tagForm.test(tag))
      throw new DtpError(
        'usage',
        `--tag must be letters, digits, "_", "." and "-", at most 128; "${tag}" is not`,
      );
  return given.length === 0 ? ['latest'] : [...new Set(given)];
}
