/** An endpoint for clients on other machines, although its socket is on loopback. */
import { X509Certificate } from 'node:crypto';
import type { Endpoint } from '../../src/service/http/endpoint.ts';
import { tls } from './tls-server.ts';

/** The certificate is for localhost, 127.0.0.1 and api.example.test. */
export function publicEndpoint(more: Partial<Endpoint> = {}): Endpoint {
  const [cert, key] = [tls('server.pem'), tls('server.key')];
  return {
    ...{ address: '127.0.0.1', host: '127.0.0.1', isBehindProxy: false, names: [], isPublic: true },
    ...{ tls: { cert, key, certificate: new X509Certificate(cert) }, ...more },
  };
}
