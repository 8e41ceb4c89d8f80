/** Chooses which certificates are trusted. */
import * as tls from 'node:tls';

/** A `ca` option replaces Node's defaults, so they are included. Without extra certificates, the option is not set. */
export const trusted = (more: readonly string[]): { readonly ca?: string[] } =>
  more.length === 0 ? {} : { ca: [...defaultRoots(), ...more] };

/** What the types of the oldest Node leave out. */
interface Roots {
  readonly rootCertificates: readonly string[];
  readonly getCACertificates?: (kind: 'default') => readonly string[];
}

function defaultRoots(): readonly string[] {
  const { getCACertificates, rootCertificates }: Roots = tls;
  return getCACertificates?.('default') ?? rootCertificates;
}
