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

/** The minimum length of a piece of a secret that is masked wherever it is, because a service may cut a string. */
const minPiece = 12;

export type Mask = (text: string) => string;

/** Masks the strings of a value and the names of its fields, at any depth. */
export function maskDeep(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((one) => maskDeep(one, mask));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [mask(name), maskDeep(one, mask)]));
}

/**
 * Returns a function that masks secrets and pieces of them, plain or encoded, in upper or lower case, in linear time. Does
 * not mask very short secrets.
 */
export function maskOf(secrets: Iterable<string>): Mask {
  // Every piece that is masked contains one of these blocks, at most `blockSize - 1` characters after its start.
  const blocks = new Map<string, [form: string, place: number][]>();
  const seen = new Uint8Array(2 ** 16);
  for (const form of new Set([...secrets].filter((one) => one.length >= minSecret).flatMap(formsOf)))
    for (let place = 0; place + blockSize <= form.length; place += blockSize) {
      const block = form.slice(place, place + blockSize);
      const places = blocks.get(block) ?? [];
      if (places.length < mostPlaces) blocks.set(block, [...places, [form, place]]);
      seen[startOf(block, 0)] = 1;
    }
  return (text) => (blocks.size === 0 || text.length < blockSize ? text : withoutPieces(text, blocks, seen));
}

/** Also the minimum length of the beginning of a secret that is masked at the end of a string and before an ellipsis. */
const blockSize = 6;

/** The maximum number of places of a block. Without it, a secret that repeats itself would take long. */
const mostPlaces = 16;

/** Returns a number for three characters. Looking it up in a table is much faster than looking up a block. */
const startOf = (text: string, at: number): number =>
  (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff;

function withoutPieces(text: string, blocks: ReadonlyMap<string, [string, number][]>, seen: Uint8Array): string {
  const lower = inLowerCase(text);
  let shown = '';
  let from = 0;
  for (let at = 0; at + blockSize <= lower.length; at++) {
    if (seen[startOf(lower, at)] === 0) continue;
    const found = (blocks.get(lower.slice(at, at + blockSize)) ?? []).map((place) => pieceAt(lower, at, place));
    const start = Math.max(from, Math.min(...found.map((piece) => piece.start)));
    const end = Math.max(...found.map((piece) => piece.end));
    if (end <= from) continue;
    // Two pieces without anything between them are one secret.
    if (start > from || from === 0) shown += text.slice(from, start) + mask;
    from = end;
    // Another form may continue here, in a block that has begun in this piece.
    at = Math.max(at, end - blockSize);
  }
  return shown + text.slice(from);
}

/** Returns the piece of a secret around a block at `at`. It is empty if it is too short: it may be an ordinary word. */
function pieceAt(text: string, at: number, [form, place]: readonly [string, number]): { start: number; end: number } {
  let start = at;
  while (at - start < Math.min(place, blockSize - 1) && text[start - 1] === form[place - 1 - at + start]) start--;
  let end = at + blockSize;
  while (end - at < form.length - place && text[end] === form[place + end - at]) end++;
  const isCut = place === 0 && (end === text.length || text[end] === '…');
  return end - start >= Math.min(minPiece, form.length) || isCut ? { start, end } : { start: at, end: 0 };
}

/** Returns a string of the same length. Only this capital letter has a longer lower case. */
const inLowerCase = (text: string): string => text.replaceAll('İ', '\0').toLowerCase();

/** Returns a secret in the encodings in which a service may return it. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  const plain = [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  const base64 = bytes.toString('base64');
  const encoded = [base64, base64.replace(/=+$/, ''), bytes.toString('base64url'), bytes.toString('hex')];
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  return [...plain, ...encoded, percent, ...insideBase64(bytes)].map(inLowerCase);
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
