/** Parses the URL of a document in the registry: `[scheme://][host/]org/workspace/namespace[:tag|@digest]`. */

/** Returns the parts of a URL. The reference is a tag or a digest. Only the namespace is always there. */
export function parseRegistryUrl(url: string) {
  const [name = '', digest] = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split('@');
  const segments = name.split('/').filter((segment) => segment !== '');
  const [namespace = '', tag] = (segments.at(-1) ?? '').split(':');
  return { organization: segments.at(-3), workspace: segments.at(-2), namespace, reference: digest ?? tag };
}
