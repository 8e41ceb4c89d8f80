/** Chooses which certificates are trusted. */
import * as tls from 'node:tls';

/** Returns TLS options that trust these certificates (PEM) besides Node's default roots, which `ca` would replace. */
export function trustOptions(more: readonly string[]): { readonly ca?: string[] } {
  if (more.length === 0) return {};
  // The oldest supported Node version has no `getCACertificates`.
  const roots: readonly string[] = Reflect.get(tls, 'getCACertificates')?.('default') ?? tls.rootCertificates;
  return { ca: [...roots, ...more] };
}
