/** Parses the URL of a document in the registry: `[scheme://][host/]org/workspace/namespace[:tag|@digest]`. */

export interface RegistryUrl {
  readonly organization: string | undefined;
  readonly workspace: string | undefined;
  readonly namespace: string;
  /** A tag or a digest. */
  readonly reference: string | undefined;
}

export function parseRegistryUrl(url: string): RegistryUrl {
  const [name = '', digest] = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').split('@');
  const segments = name.split('/').filter((segment) => segment !== '');
  const [namespace = '', tag] = (segments.at(-1) ?? '').split(':');
  return { organization: segments.at(-3), workspace: segments.at(-2), namespace, reference: digest ?? tag };
}
