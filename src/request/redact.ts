/** Redacts secrets in headers, URLs, bodies and messages. Everything that is shown goes through here. */

const mask = '***';

/** Names of headers, query parameters and body fields whose values are secrets. Only the end of a name is matched. */
const secretNames =
  /(token|secret|secrets|password|passwd|signature|credential|authorization|cookie|key|^sig|x-workspace-identifier)$/i;

/** Links that grant access to anyone who has them. */
const secretLinks = /(invite|invitation|webhook|hook)_?-?(link|url)$/i;

/** Page tokens are not secret, and neither are lists of missing secrets. */
export const isSecretName = (name: string): boolean =>
  secretLinks.test(name) || (secretNames.test(name) && !/(page_?token|missing_secrets)$/i.test(name));

/** Masks secret headers. `more` has the names of credential headers that a profile sets. */
export const redactHeaders = (
  headers: Readonly<Record<string, string>>,
  more: readonly string[] = [],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isSecretName(name) || more.includes(name) ? mask : redactUrl(value),
    ]),
  );

/** The start of a query parameter. A name ends at the next delimiter, so no character is scanned twice. */
const parameter = /[?&]([^=&?#]+)=/g;

/**
 * Removes user info from URLs in a string, and masks the values of secret parameters, such as the signature of a signed
 * URL.
 */
export function redactUrl(text: string): string {
  const open = text.includes('://') ? text.replace(/:\/\/[^/?#\s"<>]*@/g, `://${mask}@`) : text;
  if (!open.includes('=')) return open;
  let shown = '';
  let from = 0;
  for (const { 0: start, 1: name = '', index } of open.matchAll(parameter)) {
    if (index < from || !isSecretName(name)) continue;
    const value = index + start.length;
    shown += `${open.slice(from, value)}${mask}`;
    from = endOfValue(open, value);
  }
  return shown + open.slice(from);
}

function endOfValue(text: string, start: number): number {
  const end = /[&#\r\n]/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}

/**
 * Masks the strings and numbers of secret fields in a decoded body, at any depth. Everything below a secret name is
 * secret too, except field names and booleans.
 */
export function redactValue(value: unknown, isSecret = false): unknown {
  if (Array.isArray(value)) return value.map((one) => redactValue(one, isSecret));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        redactValue(inner, isSecret || isSecretName(name)),
      ]),
    );
  if (isSecret && value !== '') return ['string', 'number', 'bigint'].includes(typeof value) ? mask : value;
  return typeof value === 'string' ? redactUrl(value) : value;
}

/** Masks known secrets in a string, whether plain or encoded, in any case. Very short secrets are not masked. */
export const redactText = (text: string, secrets: readonly string[]): string => hiderOf(secrets)(text);

/** Masks known secrets in a decoded value, at any depth. */
export const redactDeep = (value: unknown, secrets: readonly string[]): unknown =>
  withoutThem(value, hiderOf(secrets));

type Hide = (text: string) => string;

function withoutThem(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((one) => withoutThem(one, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [hide(name), withoutThem(one, hide)]));
}

/** Matches the longest form first, because another may be a prefix of it. */
function hiderOf(secrets: readonly string[]): Hide {
  const forms = secrets
    .filter((secret) => secret.length >= 8)
    .flatMap(formsOf)
    .sort((one, other) => other.length - one.length);
  if (forms.length === 0) return (text) => text;
  const heads = new RegExp(forms.map((form) => escaped(form.slice(0, headLength))).join('|'), 'gi');
  return (text) =>
    withoutWhole(text, heads, forms)
      .split('…')
      .map((part) => withoutBeginning(part, forms))
      .join('…');
}

/**
 * The number of characters of a secret to use in an expression. An expression that is too long fails, and the error
 * would show the secret.
 */
const headLength = 256;

function withoutWhole(text: string, heads: RegExp, forms: readonly string[]): string {
  let shown = '';
  let from = 0;
  for (const { index } of text.matchAll(heads)) {
    if (index < from) continue;
    shown += text.slice(from, index) + mask;
    from = index + forms.reduce((most, form) => Math.max(most, sameLength(text, index, form)), 0);
  }
  return shown + text.slice(from);
}

/** Returns how many characters from `start` on match the form, ignoring case. */
function sameLength(text: string, start: number, form: string): number {
  let length = 0;
  while (length < form.length && text[start + length]?.toLowerCase() === form[length]?.toLowerCase())
    length++;
  return length;
}

/** The number of leading characters of a secret that are worth masking. */
const minPrefix = 6;

/** A truncated string may end with the beginning of a secret. */
function withoutBeginning(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    const end = text.slice(-form.length).toLowerCase();
    const start = form.toLowerCase();
    for (let length = Math.min(end.length, form.length - 1); length >= minPrefix; length--)
      if (end.endsWith(start.slice(0, length))) return `${text.slice(0, -length)}${mask}`;
  }
  return text;
}

/** The encodings in which a service may return a secret. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const plain = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const base64 = bytes.toString('base64');
  const encoded = [base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')];
  return [...new Set([...plain, ...encoded])];
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
