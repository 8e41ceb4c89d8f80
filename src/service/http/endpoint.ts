/** Defines where the service listens and the hosts by which clients may call it, and reads the headers of a proxy. */
import type { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { errorResponse } from '../handler.ts';

export interface Endpoint {
  /** The IP address to listen on. */
  readonly address: string;
  /** The host of the URL that `dtp serve` prints. */
  readonly host: string;
  /** Certificate and key in PEM format. Undefined for plain HTTP. */
  readonly tls?: { readonly cert: string; readonly key: string; readonly certificate: X509Certificate } | undefined;
  /** Whether the headers of a proxy count. */
  readonly isBehindProxy: boolean;
  /** More hosts that clients may use, in lower case. */
  readonly names: readonly string[];
  /** Whether other machines may call it, directly or through a proxy. */
  readonly isPublic: boolean;
}

export const onLoopback: Endpoint = {
  address: '127.0.0.1',
  host: '127.0.0.1',
  isBehindProxy: false,
  names: [],
  isPublic: false,
};

export const schemeOf = ({ tls }: Endpoint): string => (tls ? 'https' : 'http');

export const isCovered = (host: string, certificate: X509Certificate): boolean =>
  (isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)) !== undefined;

/** Returns the last item of a header, which the nearest proxy has added. A client may have sent the items before it. */
const lastOf = (header: string | readonly string[] | undefined): string =>
  String(header ?? '')
    .replace(/^.*,/s, '')
    .trim();

/** Returns the base URL that the client uses. */
export function baseOf({ headers }: IncomingMessage, endpoint: Endpoint): string {
  const [scheme, host] = endpoint.isBehindProxy
    ? [lastOf(headers['x-forwarded-proto']), lastOf(headers['x-forwarded-host'])]
    : ['', ''];
  return `${/^https?$/.test(scheme) ? scheme : schemeOf(endpoint)}://${host || headers.host}`;
}

/** The IP address of the client. */
export const clientOf = ({ headers, socket }: IncomingMessage, { isBehindProxy }: Endpoint): string =>
  (isBehindProxy && lastOf(headers['x-forwarded-for'])) || (socket.remoteAddress ?? '');

/** Returns the IP address without a port and, of IPv6, only the network: all addresses in it may be of one client. */
export function networkOf(client: string): string {
  const [address = client] = /(?<=^\[).*(?=\])|\d{1,3}(\.\d{1,3}){3}(?=(:\d+)?$)/.exec(client) ?? [];
  if (isIP(address) !== 6) return address;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  return [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail].slice(0, 4).join(':');
}

/**
 * Refuses requests from web pages, which can reach the loopback interface in two ways. The page's host name can resolve
 * to a loopback address, and then the Host header has that name. Or the page can call the loopback interface directly,
 * and then the browser sends Origin or, for a GET, Sec-Fetch-Site. The value `none` means that the user typed or opened
 * the URL. The pages of this server itself, which have the same origin, may request the paths that are meant for them.
 */
export function pageRefusal(request: IncomingMessage, endpoint: Endpoint, isForPages: (path: string) => boolean) {
  const { headers, rawHeaders, url = '' } = request;
  // Node uses the first of several Host headers, but a proxy may use another one (RFC 9112 §3.2).
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (hosts.length > 1) return errorResponse(400, 'the request has more than one Host header');
  const base = baseOf(request, endpoint);
  // A header may contain a port or an IP address that is invalid in a URL.
  const isOfHere = (one: string) => URL.canParse(one) && isOwnHost(one, request, endpoint);
  const isKnown = [`http://${headers.host}`, base].every(isOfHere);
  if (!isKnown) return errorResponse(403, hostRule(endpoint));
  const { origin, 'sec-fetch-site': site = 'none' } = headers;
  const isOwn = site === 'same-origin' && (origin === undefined || origin === base);
  if ((origin !== undefined || site !== 'none') && !(isOwn && isForPages(url.split('?')[0] ?? '')))
    return errorResponse(403, 'requests from web pages are refused');
  return url.startsWith('/') ? undefined : errorResponse(400, 'the request target must be a path');
}

const hostRule = ({ isPublic, names, tls }: Endpoint): string =>
  isPublic || names.length > 0 || tls
    ? 'the Host header must name this service: dtp serve --allow-host NAME allows another name'
    : 'the Host header must name the loopback address';

/** Whether a host, in lower case, is this machine: localhost, ::1 or in 127.0.0.0/8. */
export const isLocalHost = (host: string): boolean => /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(host);

/** Whether the host of a base URL is one of this service. */
function isOwnHost(base: string, { socket }: IncomingMessage, { names, tls, isPublic }: Endpoint): boolean {
  const host = base.replace(/^https?:\/\/|:\d*$/g, '').toLowerCase();
  if (isLocalHost(host)) return true;
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  if (names.includes(bare) || (tls && isCovered(bare, tls.certificate))) return true;
  // A foreign web page that reaches this address through DNS sends a name, never an IP address.
  return isPublic && isIP(bare) !== 0 && bare === socket.localAddress?.replace(/^::ffff:/, '');
}
