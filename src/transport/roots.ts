/** Chooses which certificates are trusted. */
import * as tls from 'node:tls';

/**
 * Returns the TLS options that trust additional certificates (PEM). The `ca` option replaces Node's default roots, so
 * it includes them. It is not set if there are no additional certificates.
 */
export const trustOptions = (more: readonly string[]): { readonly ca?: string[] } =>
  more.length === 0 ? {} : { ca: [...defaultRoots(), ...more] };

/** The part of node:tls that is used here. The oldest supported Node version has no `getCACertificates`. */
interface Roots {
  readonly rootCertificates: readonly string[];
  readonly getCACertificates?: (kind: 'default') => readonly string[];
}

function defaultRoots(): readonly string[] {
  const { getCACertificates, rootCertificates }: Roots = tls;
  return getCACertificates?.('default') ?? rootCertificates;
}
