/** A connection to a service through a proxy, by CONNECT; for the sender and the doctor alike. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { DtpError } from '../errors.ts';
import { watchChain } from './certificates.ts';
import { proxyError } from './failures.ts';

/** Which certificates of a proxy are good. */
export interface Trust {
  readonly ca?: string[];
  readonly rejectUnauthorized: boolean;
}

/** An IPv6 address without its brackets. */
export const bare = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

export const portOf = ({ port, protocol }: URL) => Number(port) || (protocol === 'https:' ? 443 : 80);

/** What is asked of TLS to a host, whichever it is. An address has no place in the name that is asked for. */
export const tlsTo = (host: string) => ({
  host,
  ...(!net.isIP(host) && { servername: host }),
  minVersion: 'TLSv1.2' as const,
  ALPNProtocols: ['http/1.1'],
});

/** Opens a connection to the proxy itself. Throws `network`, or the reason of `signal`. */
export async function openProxy(proxy: URL, trust: Trust, signal: AbortSignal): Promise<net.Socket> {
  const host = bare(proxy.hostname);
  const isSecure = proxy.protocol === 'https:';
  const to = { host, port: portOf(proxy) };
  const socket = isSecure ? tls.connect({ ...tlsTo(host), ...to, ...trust }) : net.connect(to);
  const chain = socket instanceof tls.TLSSocket ? watchChain(socket) : () => [];
  socket.on('error', () => undefined);
  try {
    await once(socket, isSecure ? 'secureConnect' : 'connect', { signal });
    return socket;
  } catch (error) {
    socket.destroy();
    throw signal.aborted ? signal.reason : proxyError(error, proxy, chain());
  }
}

/** Opens a connection through the proxy to the host and port of `url`. Throws `network`, or the reason of `signal`. */
export async function openTunnel(
  url: URL,
  proxy: URL,
  trust: Trust,
  signal: AbortSignal,
): Promise<net.Socket> {
  const target = `${url.hostname}:${portOf(url)}`;
  const socket = await openProxy(proxy, trust, signal);
  try {
    const request = http.request({
      createConnection: () => socket,
      method: 'CONNECT',
      path: target,
      // The third for proxies that know no other way.
      headers: {
        host: target,
        connection: 'keep-alive',
        'proxy-connection': 'keep-alive',
        ...credential(proxy),
      },
    });
    // Also one that comes when it is over.
    request.on('error', () => undefined);
    request.end();
    const [response, , head] = (await once(request, 'connect', { signal })) as [
      http.IncomingMessage,
      net.Socket,
      Buffer,
    ];
    const { statusCode: status = 0 } = response;
    if (status < 200 || status > 299) throw refusedBy(proxy, target, status);
    if (head.length > 0) socket.unshift(head);
    return socket;
  } catch (error) {
    socket.destroy();
    if (signal.aborted) throw signal.reason;
    throw error instanceof DtpError ? error : proxyError(error, proxy);
  }
}

/** An empty password is one too. */
function credential({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** The proxy's own answer, which says nothing of the service. */
function refusedBy({ protocol, host, username }: URL, target: string, status: number): DtpError {
  if (status === 407)
    return new DtpError(
      'network',
      username === ''
        ? `the proxy ${host} wants a name and a password (it answers 407)`
        : `the proxy ${host} does not take the name and the password that it was given (it answers 407)`,
      { retryable: false, hint: `Give them in its address: HTTPS_PROXY=${protocol}//NAME:PASSWORD@${host}` },
    );
  return new DtpError('network', `the proxy ${host} does not connect to ${target}: it answers ${status}`, {
    // It could not reach the service just now; nothing was sent to it.
    retryable: status === 502 || status === 503 || status === 504,
    hint: 'Ask who runs the proxy to let the service through, or except it with NO_PROXY.',
  });
}
