/** Chooses the proxy for a URL, and reads the exceptions of NO_PROXY. */
import { BlockList, isIP, isIPv6 } from 'node:net';
import { attempt } from '../caught.ts';
import { isLoopback } from '../request/url.ts';
import type { Proxies } from './proxy.ts';

const ports: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Returns the proxy for `url`, or undefined to connect directly. Loopback hosts never use a proxy. */
export function proxyFor({ http, https, none }: Proxies, url: URL): string | undefined {
  const proxy = (url.protocol === 'https:' && https) || http;
  if (proxy === '' || isLoopback(url.hostname)) return undefined;
  return isExcepted(none, url.hostname, Number(url.port) || ports[url.protocol]) ? undefined : proxy;
}

/**
 * Whether NO_PROXY excludes a host and port, by the rules of curl, Go and undici: a host with all hosts below it, an IP
 * address, or a subnet (RFC 4632, RFC 4291 §2.3), each with an optional port. `*` excludes everything. IPv6 addresses
 * may have brackets, and names a final dot.
 */
export function isExcepted(noProxy: string, hostname: string, port: number | undefined): boolean {
  const host = bareName(hostname);
  return (
    noProxy === '*' ||
    noProxy.split(/[,\s]+/).some((entry) => {
      const [, name = entry, itsPort = '0'] = (!isIPv6(entry) && /^(.+):(\d+)$/.exec(entry)) || [];
      if (entry === '' || (Number(itsPort) !== 0 && Number(itsPort) !== port)) return false;
      const bare = bareName(name.replace(/^\*?\./, ''));
      const [address = '', prefix] = bare.split('/');
      if (isIP(address) && isIP(host)) return isIP(address) === isIP(host) && isWithin(host, address, prefix);
      return host === bare || host.endsWith(`.${bare}`);
    })
  );
}

const bareName = (name: string): string => name.toLowerCase().replace(/[[\]]|\.$/g, '');

/** Whether an IP address is in a subnet or, without a prefix, is the same address. An invalid prefix has no addresses. */
function isWithin(host: string, address: string, prefix: string | undefined): boolean {
  const list = new BlockList();
  const family = isIPv6(host) ? 'ipv6' : 'ipv4';
  if (prefix === undefined) list.addAddress(address, family);
  else if (/^\d+$/.test(prefix)) attempt(() => list.addSubnet(address, Number(prefix), family), undefined);
  return list.check(host, family);
}
