/** Which proxy is on the way to an address. */
import { isLoopback } from '../request/url.ts';

/** Proxy addresses and the hosts that need none, as the variables hold them; '' for none. Loopback is never proxied. */
export interface Proxies {
  readonly http: string;
  readonly https: string;
  readonly none: string;
}

/** The address of a proxy that is written without a scheme, as other tools have it; any other text as it is. */
export const proxyAddress = (text: string): string => (/^[^/]+\/?$/.test(text) ? `http://${text}` : text);

/** Whether a proxy can be reached by it: http or https, with a name and a password that can be decoded. */
export function isProxyAddress(text: string): boolean {
  const address = proxyAddress(text);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  try {
    return decodeURIComponent(username + password) !== undefined;
  } catch {
    return false;
  }
}

/** For people: without the name and the password, also where it is no address. */
export const proxyShown = (text: string): string => text.replace(/^(\w+:\/\/)?.*@/, '$1***@');

const ports: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** The address of the proxy for `url`, undefined where it is reached directly. The rules are those of undici's EnvHttpProxyAgent. */
export function proxyFor({ http, https, none }: Proxies, url: URL): string | undefined {
  const proxy = (url.protocol === 'https:' && https) || http;
  if (proxy === '' || isLoopback(url.hostname) || none === '*') return undefined;
  const host = url.hostname.toLowerCase();
  const port = Number(url.port) || ports[url.protocol];
  const isExcepted = none.split(/[,\s]/).some((entry) => {
    if (entry === '') return false;
    const [, name = entry, itsPort = '0'] = /^(.+):(\d+)$/.exec(entry) ?? [];
    if (Number(itsPort) !== 0 && Number(itsPort) !== port) return false;
    const bare = name.replace(/^\*?\./, '').toLowerCase();
    return host === bare || host.endsWith(`.${bare}`);
  });
  return isExcepted ? undefined : proxy;
}
