/** Looks at the way to a service: names, connections, proxies, certificates. No request is sent to the service. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { systemCode } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { type Chain, chainOf } from './certificates.ts';
import { networkError } from './failures.ts';
import { trusted } from './roots.ts';
import { bare, openProxy, openTunnel, portOf, tlsTo } from './tunnel.ts';

/** How to go. */
export interface Way {
  /** The service's address: its scheme, host and port. */
  readonly url: URL;
  /** The proxy on the way. */
  readonly proxy: URL | undefined;
  /** Certificates (PEM) added to the default roots. */
  readonly ca: readonly string[];
  /** Whether any certificate of the proxy is good enough. */
  readonly insecure: boolean;
}

/** What the service shows of itself. */
export interface Secure {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  readonly chain: Chain;
  /** Why it is not trusted, by OpenSSL's or Node's code; undefined where it is. */
  readonly fault: string | undefined;
}

export interface Probe {
  /** The addresses of a host. Throws `network` where there are none. */
  readonly lookUp: (url: URL) => Promise<readonly string[]>;
  /** Opens a connection to a proxy and closes it. Throws `network`. */
  readonly reachProxy: (proxy: URL, way: Pick<Way, 'ca' | 'insecure'>, signal: AbortSignal) => Promise<void>;
  /** Opens a connection to the service and closes it; undefined for plain http. Throws `network`. */
  readonly reach: (way: Way, signal: AbortSignal) => Promise<Secure | undefined>;
}

export const openProbe = (): Probe => ({
  lookUp: async (url) => {
    try {
      return (await lookup(bare(url.hostname), { all: true })).map(({ address }) => address);
    } catch (error) {
      throw networkError(error, url);
    }
  },
  reachProxy: async (proxy, { ca, insecure }, signal) => {
    const socket = await openProxy(proxy, { ...trusted(ca), rejectUnauthorized: !insecure }, signal);
    socket.destroy();
  },
  reach: async ({ url, proxy, ca, insecure }, signal) =>
    using(signal, url, proxy?.host, async (open) => {
      const socket = proxy
        ? await open(await openTunnel(url, proxy, { ...trusted(ca), rejectUnauthorized: !insecure }, signal))
        : await open(net.connect({ host: bare(url.hostname), port: portOf(url) }), 'connect');
      if (url.protocol !== 'https:') return undefined;
      // Not refused, so that the certificate can be looked at; nothing is said over the connection.
      const options = { ...trusted(ca), rejectUnauthorized: false };
      const secure = tls.connect({ ...options, ...tlsTo(bare(url.hostname)), socket });
      await open(secure, 'secureConnect');
      return shownBy(secure);
    }),
});

/** Waits for an event of a socket, which is closed at the end. */
type Open = <T extends net.Socket>(socket: T, event?: string) => Promise<T>;

async function using<T>(
  signal: AbortSignal,
  url: URL,
  proxy: string | undefined,
  work: (open: Open) => Promise<T>,
): Promise<T> {
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
    // The innermost last: Node crashes where a socket ends under the TLS that is over it.
    for (const socket of sockets.reverse()) socket.destroy();
  }
}

function shownBy(socket: tls.TLSSocket): Secure {
  const fault: unknown = socket.authorizationError;
  return {
    protocol: socket.getProtocol() ?? '',
    chain: chainOf(socket),
    fault: fault ? (systemCode(fault) ?? String(fault)) : undefined,
  };
}
