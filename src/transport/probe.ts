/** Checks the connection to a service (DNS, TCP, proxies and certificates), without sending a request to it. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { type Chain, chainOf } from './certificates.ts';
import { networkError } from './failures.ts';
import { trustOptions } from './roots.ts';
import { openProxy, openTunnel, portOf, tlsOptionsFor, withoutBrackets } from './tunnel.ts';

export interface ServiceRoute {
  /** The scheme, host and port of the service. */
  readonly url: URL;
  readonly proxy: URL | undefined;
  /** Certificates (PEM) added to the default roots. */
  readonly ca: readonly string[];
  /** Whether to accept any certificate of the proxy. */
  readonly insecure: boolean;
}

/** The TLS connection that the service accepted. */
export interface TlsConnection {
  /** The TLS version, such as `TLSv1.3`. */
  readonly protocol: string;
  readonly chain: Chain;
  /** Why the certificate is not trusted, as a code of OpenSSL or Node. Undefined if it is trusted. */
  readonly fault: string | undefined;
}

export interface Probe {
  /** Resolves a host to IP addresses. Throws `network` if that fails. */
  readonly lookUp: (url: URL) => Promise<readonly string[]>;
  /** Opens a connection to a proxy and closes it. Throws `network`. */
  readonly reachProxy: (proxy: URL, way: Pick<ServiceRoute, 'ca' | 'insecure'>, signal: AbortSignal) => Promise<void>;
  /** Opens a connection to the service and closes it. Returns undefined for plain http. Throws `network`. */
  readonly reach: (way: ServiceRoute, signal: AbortSignal) => Promise<TlsConnection | undefined>;
}

export const openProbe = (): Probe => ({
  lookUp: async (url) => {
    const found = lookup(withoutBrackets(url.hostname), { all: true });
    return (await found.catch((error) => Promise.reject(networkError(error, url)))).map(({ address }) => address);
  },
  reachProxy: async (proxy, { ca, insecure }, signal) => {
    const socket = await openProxy(proxy, { ...trustOptions(ca), rejectUnauthorized: !insecure }, signal);
    socket.destroy();
  },
  reach: async ({ url, proxy, ca, insecure }, signal) =>
    using(signal, url, proxy?.host, async (open) => {
      const socket = proxy
        ? await open(await openTunnel(url, proxy, { ...trustOptions(ca), rejectUnauthorized: !insecure }, signal))
        : await open(net.connect({ host: withoutBrackets(url.hostname), port: portOf(url) }), 'connect');
      if (url.protocol !== 'https:') return undefined;
      // Any certificate is accepted, so that it can be inspected. Nothing is sent over the connection.
      const options = { ...trustOptions(ca), rejectUnauthorized: false };
      const secure = tls.connect({ ...options, ...tlsOptionsFor(withoutBrackets(url.hostname)), socket });
      await open(secure, 'secureConnect');
      return shownBy(secure);
    }),
});

/** Waits for an event of a socket, if one is named. The socket is closed when `work` ends. */
type Open = <T extends net.Socket>(socket: T, event?: string) => Promise<T>;

async function using<T>(signal: AbortSignal, url: URL, proxy: string | undefined, work: (open: Open) => Promise<T>) {
  const sockets: net.Socket[] = [];
  const open: Open = async (socket, event) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    if (event !== undefined) await once(socket, event, { signal });
    return socket;
  };
  try {
    return await work(open);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof DtpError ? error : networkError(error, url, proxy);
  } finally {
    // Close the innermost socket last, because Node crashes if a socket closes before the TLS socket that uses it.
    for (const socket of sockets.reverse()) socket.destroy();
  }
}

function shownBy(socket: tls.TLSSocket): TlsConnection {
  const fault: unknown = socket.authorizationError;
  return {
    protocol: socket.getProtocol() ?? '',
    chain: chainOf(socket),
    fault: fault ? (systemCode(fault) ?? String(fault)) : undefined,
  };
}
