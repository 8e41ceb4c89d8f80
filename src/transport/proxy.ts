/** Checks and shows the URLs of proxies. */
import { attempt } from '../caught.ts';

/**
 * The URLs of the proxies for http and https, and the hosts that are reached directly, in the format of HTTP_PROXY,
 * HTTPS_PROXY and NO_PROXY. An empty string means that no value is set. Loopback hosts never use a proxy.
 */
export interface Proxies {
  readonly http: string;
  readonly https: string;
  readonly none: string;
}

/** Adds a scheme to a proxy URL without one, as other tools do. Returns any other string unchanged. */
export const proxyAddress = (text: string): string => (/^[^/]+\/?$/.test(text) ? `http://${text}` : text);

/** Whether a string is a usable proxy URL: http or https, with a decodable user name and password. */
export function isProxyAddress(text: string): boolean {
  const address = proxyAddress(text);
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return attempt(() => decodeURIComponent(username + password) !== undefined, false);
}

/** Masks the user name and password for display, even if the string is not a URL. */
export const proxyShown = (text: string): string => text.replace(/^(\w+:\/\/)?.*@/, '$1***@');
