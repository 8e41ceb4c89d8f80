/** Chooses which certificates are trusted. */
import * as tls from 'node:tls';

/** Returns TLS options that trust these certificates (PEM) besides Node's default roots, which `ca` would replace. */
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
