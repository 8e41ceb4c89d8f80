/** Looks at the way to a service: names, connections, proxies, certificates. No request is sent to the service. */
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { DtpError } from '../errors.ts';
import { networkError } from './failures.ts';
import { trusted } from './roots.ts';

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
  readonly subject: string;
  readonly issuer: string;
  /** As OpenSSL writes it: `Oct 28 07:33:40 2126 GMT`; when it begins and ends. */
  readonly from: string;
  readonly until: string;
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
    await using(signal, proxy, undefined, async (open) => {
      const socket = await open(connect(proxy), 'connect');
      if (proxy.protocol === 'https:')
        await open(
          secured(socket, proxy, { ...trusted(ca), rejectUnauthorized: !insecure }),
          'secureConnect',
        );
    });
  },
  reach: async ({ url, proxy, ca, insecure }, signal) =>
    using(signal, url, proxy?.host, async (open) => {
      const socket = proxy
        ? await open(await tunnel(url, proxy, { ...trusted(ca), rejectUnauthorized: !insecure }, signal))
        : await open(connect(url), 'connect');
      if (url.protocol !== 'https:') return undefined;
      // Not refused, so that the certificate can be looked at; nothing is said over the connection.
      const options = { ...trusted(ca), rejectUnauthorized: false };
      const secure = secured(socket, url, options);
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

const portOf = ({ port, protocol }: URL) => Number(port) || (protocol === 'https:' ? 443 : 80);

/** An IPv6 address without its brackets. */
const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

const connect = (url: URL) => net.connect({ host: bare(url.hostname), port: portOf(url) });

function secured(socket: net.Socket, url: URL, options: tls.ConnectionOptions): tls.TLSSocket {
  const host = bare(url.hostname);
  // An address has no place in the name that is asked for.
  const name = net.isIP(host) ? { host } : { host, servername: host };
  return tls.connect({ ...options, ...name, socket, minVersion: 'TLSv1.2', ALPNProtocols: ['http/1.1'] });
}

/** A connection to the service through the proxy, as undici asks for one. Throws `network` where the proxy says no. */
async function tunnel(
  url: URL,
  proxy: URL,
  options: tls.ConnectionOptions,
  signal: AbortSignal,
): Promise<net.Socket> {
  const target = `${url.hostname}:${portOf(url)}`;
  const [name, password] = [proxy.username, proxy.password].map(decodeURIComponent);
  const credential = Buffer.from(`${name}:${password}`).toString('base64');
  const request = (proxy.protocol === 'https:' ? https : http).request({
    ...options,
    host: bare(proxy.hostname),
    port: portOf(proxy),
    method: 'CONNECT',
    path: target,
    agent: false,
    signal,
    headers: {
      host: url.host,
      ...(name && password && { 'proxy-authorization': `Basic ${credential}` }),
    },
  });
  request.end();
  const [response, socket] = (await once(request, 'connect')) as [http.IncomingMessage, net.Socket];
  if (response.statusCode === 200) return socket;
  socket.destroy();
  throw refusedBy(proxy, target, response.statusCode ?? 0);
}

function refusedBy({ protocol, host }: URL, target: string, status: number): DtpError {
  if (status === 407)
    return new DtpError('network', `the proxy ${host} wants a name and a password`, {
      hint: `Give them in its address: HTTPS_PROXY=${protocol}//NAME:PASSWORD@${host}`,
    });
  return new DtpError('network', `the proxy ${host} does not connect to ${target}: it answers ${status}`, {
    hint: 'Ask who runs the proxy to let the service through, or except it with NO_PROXY.',
  });
}

function shownBy(socket: tls.TLSSocket): Secure {
  const { subject, issuer, valid_from, valid_to } = socket.getPeerCertificate();
  const fault = socket.authorizationError as unknown;
  return {
    protocol: socket.getProtocol() ?? '',
    subject: nameIn(subject),
    issuer: nameIn(issuer),
    from: valid_from,
    until: valid_to,
    fault: fault ? String((fault as { readonly code?: string }).code ?? fault) : undefined,
  };
}

/** Some authorities have no common name. */
const nameIn = (name: tls.Certificate | undefined) => String(name?.CN || name?.O || 'nobody');
