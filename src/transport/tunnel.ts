/** Connects to a service through a proxy with CONNECT. Used to send requests and by `dtp doctor`. */
import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import tls from 'node:tls';
import { DtpError } from '../errors.ts';
import { isRetryableOfProxy } from '../operations/retry-rules.ts';
import { watchChain } from './certificates.ts';
import { proxyError } from './failures.ts';

export interface ProxyTrust {
  readonly ca?: string[];
  readonly rejectUnauthorized: boolean;
}

export const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '');

/** Returns the port of a URL, or the default port of its scheme. */
export const portOf = ({ port, protocol }: URL) => Number(port) || (protocol === 'https:' ? 443 : 80);

/** Returns the TLS options for a host. SNI does not allow an IP address. */
export const tlsOptionsFor = (host: string) => ({
  host,
  ...(!net.isIP(host) && { servername: host }),
  minVersion: 'TLSv1.2' as const,
  ALPNProtocols: ['http/1.1'],
});

/** Connects to the proxy itself. Throws `network`, or the reason of `signal`. */
export async function openProxy(proxy: URL, trust: ProxyTrust, signal: AbortSignal): Promise<net.Socket> {
  const host = withoutBrackets(proxy.hostname);
  const isSecure = proxy.protocol === 'https:';
  const to = { host, port: portOf(proxy) };
  const socket = isSecure ? tls.connect({ ...tlsOptionsFor(host), ...to, ...trust }) : net.connect(to);
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

/** Connects to the host and port of `url` through the proxy. Throws `network`, or the reason of `signal`. */
export async function openTunnel(url: URL, proxy: URL, trust: ProxyTrust, signal: AbortSignal): Promise<net.Socket> {
  const target = `${url.hostname}:${portOf(url)}`;
  const socket = await openProxy(proxy, trust, signal);
  try {
    const request = http.request({
      createConnection: () => socket,
      method: 'CONNECT',
      path: target,
      // Some proxies only support proxy-connection.
      headers: { host: target, connection: 'keep-alive', 'proxy-connection': 'keep-alive', ...credential(proxy) },
    });
    // Without this listener, an error after the response would crash the process.
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

/** Returns the header with the credential from the proxy URL. An empty password is valid. */
function credential({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '' && password === '') return {};
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

/** Creates the error for a CONNECT request that the proxy did not accept. The service did not receive a request. */
function refusedBy({ protocol, host, username }: URL, target: string, status: number): DtpError {
  if (status === 407) {
    const what = username === '' ? 'requires a user name and a password' : 'rejected the user name and the password';
    return new DtpError('network', `the proxy ${host} ${what} (status 407)`, {
      retryable: false,
      hint: `Include them in the proxy URL: HTTPS_PROXY=${protocol}//NAME:PASSWORD@${host}`,
    });
  }
  return new DtpError('network', `the proxy ${host} did not connect to ${target}: status ${status}`, {
    // The proxy could not reach the service, so nothing was sent to it.
    retryable: isRetryableOfProxy(status),
    hint: "Ask the proxy's operator to allow the service, or bypass the proxy with NO_PROXY.",
  });
}
