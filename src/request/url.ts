/** Builds URLs from templates and values. Rejects values that would change which operation is called. */
import { DtpError } from '../errors.ts';

/** Replaces each {name} with its encoded value. Throws `usage` if that is '', '.', '..', or not printable Unicode. */
export const pathOf = (template: string, values: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{([^{}]+)\}/g, (_, name: string) => encodeSegment(name, String(values[name] ?? '')));

function encodeSegment(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..')
    throw new DtpError('usage', `<${name}> must not be ${value === '' ? 'empty' : `"${value}"`}`);
  if (hasControl(value)) throw new DtpError('usage', `<${name}> must not contain control characters`);
  return encodeURIComponent(wellFormed(name, value));
}

/** Returns a query with its question mark, or '' if there are no pairs. Throws `usage` for invalid Unicode. */
export function queryOf(pairs: readonly (readonly [name: string, value: string])[]): string {
  if (pairs.length === 0) return '';
  return `?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(wellFormed(name, value))}`).join('&')}`;
}

/** Joins a URL. `base` has no query and no final slash. Throws `usage` if a parser would change the path or origin. */
export function urlOf(base: string, path: string, query: string): string {
  const url = new URL(base + path + query);
  const root = new URL(base);
  if (
    url.protocol !== root.protocol ||
    url.host !== root.host ||
    url.pathname !== root.pathname.replace(/\/$/, '') + path
  )
    throw new DtpError('usage', `the URL would not lead to ${path}`, { hint: 'Use ids without "." segments.' });
  return base + path + query;
}

/** Returns the origin that a credential belongs to. `local:` has no host and counts as an origin. */
export function originOf(text: string): string {
  const url = new URL(text);
  return url.protocol === 'local:' ? 'local:' : url.origin;
}

/** Whether a host is localhost, ::1 or in 127.0.0.0/8. */
export const isLoopback = (hostname: string) =>
  hostname === 'localhost' || hostname === '[::1]' || hostname === '::1' || /^127(\.\d{1,3}){3}$/.test(hostname);

const hasControl = (text: string) => [...text].some((char) => char < ' ' || char === '\x7f');

/** Throws `usage` for an unpaired surrogate, because encodeURIComponent would throw an untyped error. */
function wellFormed(name: string, value: string): string {
  if (/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(value))
    throw new DtpError('usage', `${name} must be valid Unicode`);
  return value;
}
