/** Checks the names of repositories, and parses the paths of the distribution endpoint. */
import { orThrow } from '../../caught.ts';
import { RegistryRefusal } from './refusals.ts';

export type Names = readonly [organization: string, workspace: string, namespace: string];

/** OCI Distribution Specification 1.1, Pulling manifests: one component of the name of a repository. */
const COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;

/** OCI Distribution Specification 1.1: many clients limit host and name together to 255 characters. */
const LIMIT = 255;

/** Returns the reason why a new namespace cannot have this name. Undefined if the name is valid. */
export function faultOfName([organization, workspace, namespace]: Names): string | undefined {
  if (!COMPONENT.test(namespace))
    return `the namespace name ${JSON.stringify(namespace)} must be lowercase letters and digits, separated by dashes, dots or underscores`;
  if ([organization, workspace, namespace].join('/').length > LIMIT)
    return `the name of the repository is longer than ${LIMIT} characters`;
  return undefined;
}

export interface DistributionRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AsyncIterable<Uint8Array>;
}

const KINDS = ['blobs', 'manifests', 'tags', 'referrers'];

export type RegistryPath = ReturnType<typeof registryPathOf>;

/**
 * Returns the parts of a path of the distribution endpoint: its prefix, which is `/v2` or `/v1/oci/v2`, the names of the
 * repository, the kind, and the segments after the kind: a digest, a tag, `list`, or `uploads` with an id. If the path
 * does not belong to one repository, it has no names, and the kind is everything after the prefix.
 */
export function registryPathOf(path: string) {
  const [, prefix = '', rest = ''] = /^(\/v1\/oci\/v2|\/v2)(?:\/(.*))?$/.exec(path) ?? [];
  const segments = rest.split('/').map(decode);
  const [organization = '', workspace = '', namespace = '', kind = '', ...items] = segments;
  const names: Names = [organization, workspace, namespace];
  if (KINDS.includes(kind)) return { prefix, names, kind, items };
  if (segments.some((segment) => KINDS.includes(segment)))
    throw new RegistryRefusal(404, 'NAME_UNKNOWN', 'the name of a repository must be organization/workspace/namespace');
  return { prefix, names: undefined, kind: rest, items: [] };
}

function decode(segment: string): string {
  const wrong = () => new RegistryRefusal(400, 'NAME_INVALID', `invalid percent-encoding in the path: ${segment}`);
  return orThrow(() => decodeURIComponent(segment), wrong);
}

/** Returns the parts of a URL. The reference is a tag or a digest. Only the namespace is always there. */
export function parseRegistryUrl(url: string) {
  const [name = '', digest] = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split('@');
  const segments = name.split('/').filter((segment) => segment !== '');
  const [namespace = '', tag] = (segments.at(-1) ?? '').split(':');
  return { organization: segments.at(-3), workspace: segments.at(-2), namespace, reference: digest ?? tag };
}
