/** The one redactor: what may be shown of headers, addresses, bodies and messages. */

const mask = '***';

/** Names of headers, query parameters and body members whose values are secrets: by their ending, whatever comes before. */
const secretNames =
  /(token|secret|secrets|password|passwd|signature|credential|authorization|cookie|key|^sig|x-workspace-identifier)$/i;

/** Links that let in, or let write, whoever has them. */
const secretLinks = /(invite|invitation|webhook|hook)_?-?(link|url)$/i;

/** The token of a page is no secret, nor are the names of secrets that are missing. */
export const isSecretName = (name: string): boolean =>
  secretLinks.test(name) || (secretNames.test(name) && !/(page_?token|missing_secrets)$/i.test(name));

/** Headers with the secret ones masked; `more` are names of credential headers that a profile chose. */
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

/** The start of a query parameter. A name ends at the next mark, so no character is looked at for two of them. */
const parameter = /[?&]([^=&?#]+)=/g;

/** A text without the user info of its addresses, and with the values of secret parameters masked: a signed address loses its signature. */
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
 * A decoded body with the texts and numbers of secret members masked, however deep. What is below a secret name is secret
 * too; its own names, and whether something is so, are not.
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

/** A text without the secrets that are known, whoever repeated them, in either case, as they are or encoded. A short text is no secret. */
export const redactText = (text: string, secrets: readonly string[]): string => hiderOf(secrets)(text);

/** A decoded value without them, however deep. */
export const redactDeep = (value: unknown, secrets: readonly string[]): unknown =>
  withoutThem(value, hiderOf(secrets));

type Hide = (text: string) => string;

function withoutThem(value: unknown, hide: Hide): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((one) => withoutThem(one, hide));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [hide(name), withoutThem(one, hide)]));
}

/** The longest form goes first: another may be the beginning of it. */
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

/** Characters of a secret that an expression looks for: one that is too long is refused, and the error would show it. */
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

/** How many characters from `start` on are those of the form, in either case. */
function sameLength(text: string, start: number, form: string): number {
  let length = 0;
  while (length < form.length && text[start + length]?.toLowerCase() === form[length]?.toLowerCase())
    length++;
  return length;
}

/** Characters of a secret that give something away. */
const telling = 6;

/** A text that was cut may end with the beginning of one. */
function withoutBeginning(text: string, forms: readonly string[]): string {
  for (const form of forms) {
    const end = text.slice(-form.length).toLowerCase();
    const start = form.toLowerCase();
    for (let length = Math.min(end.length, form.length - 1); length >= telling; length--)
      if (end.endsWith(start.slice(0, length))) return `${text.slice(0, -length)}${mask}`;
  }
  return text;
}

/** The ways in which a service may write it. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const plain = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const base64 = bytes.toString('base64');
  const encoded = [base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')];
  return [...new Set([...plain, ...encoded])];
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
