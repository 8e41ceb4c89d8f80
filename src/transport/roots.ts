/** Which certificates are trusted. */
import * as tls from 'node:tls';

/** A `ca` option replaces Node's defaults, so they are given along with it; where there is nothing to add, none is given. */
export const trusted = (more: readonly string[]): { readonly ca?: string[] } =>
  more.length === 0 ? {} : { ca: [...defaultRoots(), ...more] };

function defaultRoots(): readonly string[] {
  const { getCACertificates } = tls as { getCACertificates?: (kind: 'default') => string[] };
  return getCACertificates?.('default') ?? tls.rootCertificates;
}
