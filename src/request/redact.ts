/** Masks secrets in headers, URLs, bodies and messages before they are shown. */

const mask = '***';

/** Matches the names of headers, query parameters and body fields with secret values, by the end of the name. */
const secretNames =
  /(token|secret|secrets|password|passwd|signature|credential|authorization|cookie|key|^sig|x-workspace-identifier)$/i;

/** Matches the names of links that give access to anyone who has them. */
const secretLinks = /(invite|invitation|webhook|hook)_?-?(link|url)$/i;

/** Whether a name is that of a secret. Page tokens and lists of missing secrets are not secret. */
export const isSecretName = (name: string): boolean =>
  secretLinks.test(name) || (secretNames.test(name) && !/(page_?token|missing_secrets)$/i.test(name));

/** Masks secret headers. `more` has the names of credential headers that a profile sets. */
export const redactHeaders = (headers: Readonly<Record<string, string>>, more: readonly string[] = []) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, at]) => [
      name,
      isSecretName(name) || more.includes(name) ? mask : redactUrl(at),
    ]),
  );

/** Matches the start of a query parameter. A name ends at the next delimiter, so no character is scanned twice. */
const parameter = /[?&]([^=&?#]+)=/g;

/** Masks the user name and password of URLs in a string, and the values of secret parameters, such as signatures. */
export function redactUrl(text: string): string {
  const open = text.includes('://') ? text.replace(/:\/\/[^/?#\s"<>]*@/g, `://${mask}@`) : text;
  if (!open.includes('=')) return open;
  let shown = '';
  let from = 0;
  for (const { 0: start, 1: name = '', index } of open.matchAll(parameter)) {
    if (index < from || !isSecretName(decodedName(name))) continue;
    const value = index + start.length;
    shown += `${open.slice(from, value)}${mask}`;
    from = endOfValue(open, value);
  }
  return shown + open.slice(from);
}

/** Decodes the name of a parameter, because a service reads `to%6ben` as `token`. */
const decodedName = (name: string): string =>
  name.includes('%') ? ([...new URLSearchParams(name).keys()][0] ?? name) : name;

function endOfValue(text: string, start: number): number {
  const end = /[&#\r\n]/g;
  end.lastIndex = start;
  return end.exec(text)?.index ?? text.length;
}

/** Masks the strings and numbers in secret fields of a decoded body, at any depth, but not field names and booleans. */
export function redactValue(value: unknown, isSecret = false): unknown {
  if (Array.isArray(value)) return value.map((one) => redactValue(one, isSecret));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, redactValue(inner, isSecret || isSecretName(name))]),
    );
  if (isSecret && value !== '') return ['string', 'number', 'bigint'].includes(typeof value) ? mask : value;
  return typeof value === 'string' ? redactUrl(value) : value;
}

/** Returns the strings of secret fields in a decoded body, except short ones, which can also be ordinary words. */
export function secretsIn(value: unknown): ReadonlySet<string> {
  const secrets = new Set<string>();
  const left: [value: unknown, isSecret: boolean][] = [[value, false]];
  for (const [one, isSecret] of left) {
    if (typeof one === 'string' && isSecret && one.length >= minSecret) secrets.add(one);
    if (typeof one === 'object' && one !== null)
      for (const [name, inner] of Object.entries(one)) left.push([inner, isSecret || isSecretName(name)]);
  }
  return secrets;
}

/** The minimum length of a secret that is masked in other strings. */
const minSecret = 8;

/** Masks known secrets in a string, plain or encoded, in upper or lower case. Does not mask very short secrets. */
export const redactText = (text: string, secrets: readonly string[]): string => hiderOf(secrets)(text);

export const redactDeep = (value: unknown, secrets: readonly string[]): unknown => withoutThem(value, hiderOf(secrets));

type Hide = (text: string) => string;

function withoutThem(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((one) => withoutThem(one, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [hide(name), withoutThem(one, hide)]));
}

/** Returns a function that masks secrets, the longest form first, because a shorter one may be its prefix. */
function hiderOf(secrets: readonly string[]): Hide {
  const forms = secrets
    .filter((secret) => secret.length >= minSecret)
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

/** The maximum length of a secret in a regular expression. The error for a longer one would contain the secret. */
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

/** Returns the number of characters from `start` that match the beginning of the form, ignoring case. */
function sameLength(text: string, start: number, form: string): number {
  let length = 0;
  while (length < form.length && text[start + length]?.toLowerCase() === form[length]?.toLowerCase()) length++;
  return length;
}

/** The minimum length of the beginning of a secret that is masked. */
const minPrefix = 6;

/** Masks the beginning of a secret at the end of a string, which may have been shortened. */
function withoutBeginning(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    const end = text.slice(-form.length).toLowerCase();
    const start = form.toLowerCase();
    for (let length = Math.min(end.length, form.length - 1); length >= minPrefix; length--)
      if (end.endsWith(start.slice(0, length))) return `${text.slice(0, -length)}${mask}`;
  }
  return text;
}

/** Returns a secret in the encodings in which a service may return it. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const plain = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const base64 = bytes.toString('base64');
  const encoded = [base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')];
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return [...new Set([...plain, ...encoded, percent, ...insideBase64(bytes)])];
}

/**
 * Returns the base64 characters of a secret that follows other bytes, such as a user name. They depend on the number of
 * these bytes. Characters that also encode bytes before or after the secret are left out.
 */
function insideBase64(secret: Uint8Array): readonly string[] {
  const forms = [1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), secret]);
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6)];
    return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
  });
  const aligned = Math.floor((secret.length * 8) / 6);
  return [...forms, Buffer.from(secret).toString('base64').slice(0, aligned)];
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
