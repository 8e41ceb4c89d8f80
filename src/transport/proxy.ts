/** Which proxy is on the way to an address. */
import { isLoopback } from '../request/url.ts';

/** Proxy addresses and the hosts that need none, as the variables hold them; '' for none. Loopback is never proxied. */
export interface Proxies {
  readonly http: string;
  readonly https: string;
  readonly none: string;
}

const ports: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };

/** The address of the proxy for `url`, undefined where it is reached directly. The rules are undici's, which sends by them. */
export function proxyFor({ http, https, none }: Proxies, url: URL): string | undefined {
  const proxy = (url.protocol === 'https:' && https) || http;
  if (proxy === '' || isLoopback(url.hostname) || none === '*') return undefined;
  const host = url.hostname.toLowerCase();
  const port = url.port || ports[url.protocol];
  const isExcepted = none.split(/[,\s]/).some((entry) => {
    const [, name = entry, itsPort = port] = /^(.+):(\d+)$/.exec(entry) ?? [];
    const bare = name.replace(/^\*?\./, '').toLowerCase();
    return bare !== '' && itsPort === port && (host === bare || host.endsWith(`.${bare}`));
  });
  return isExcepted ? undefined : proxy;
}
