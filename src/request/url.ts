/** Paths and queries from templates and values; what would reach another operation is refused. */
import { DtpError } from '../errors.ts';

/** The path with each {name} replaced by its encoded value. Throws `usage` for '', '.', '..' and control characters. */
export function pathOf(template: string, values: Readonly<Record<string, unknown>>): string {
  return template.replace(/\{([^{}]+)\}/g, (_, name: string) =>
    encodeSegment(name, String(values[name] ?? '')),
  );
}

function encodeSegment(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..')
    throw new DtpError('usage', `<${name}> must not be ${value === '' ? 'empty' : `"${value}"`}`);
  if (hasControl(value)) throw new DtpError('usage', `<${name}> must not hold control characters`);
  return encodeURIComponent(wellFormed(name, value));
}

/** A query with its question mark, or '' for no pairs; arrays are pairs of one name. */
export function queryOf(pairs: readonly (readonly [name: string, value: string])[]): string {
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(name, value))}`).join('&')}`;
}

/**
 * The whole address. `base` has no query and no slash at its end. The URL is parsed once more and compared: a path that
 * a parser would shorten, or a base that it reads as another origin, throws `usage`.
 */
export function urlOf(base: string, path: string, query: string): string {
  const url = new URL(base + path + query);
  const root = new URL(base);
  if (url.protocol !== root.protocol || url.host !== root.host || url.pathname !== pathnameOf(root) + path)
    throw new DtpError('usage', `the address would not be ${path}; use ids without "." segments`);
  return base + path + query;
}

const pathnameOf = (url: URL) => url.pathname.replace(/\/$/, '');

/** The origin that a credential belongs to; `local:` has no host and is an origin of its own. */
export function originOf(address: string): string {
  const url = new URL(address);
  return url.protocol === 'local:' ? 'local:' : url.origin;
}

/** 127.0.0.0/8, ::1 and the name localhost. */
export const isLoopback = (hostname: string) =>
  hostname === 'localhost' ||
  hostname === '[::1]' ||
  hostname === '::1' ||
  /^127(\.\d{1,3}){3}$/.test(hostname);

const hasControl = (text: string) => [...text].some((char) => char < ' ' || char === '\x7f');

/** encodeURIComponent throws a bare URIError for half a surrogate pair. */
function wellFormed(name: string, value: string): string {
  if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value))
    throw new DtpError('usage', `${name} must be valid Unicode text`);
  return value;
}
