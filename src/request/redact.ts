/** The one redactor: what may be shown of headers, addresses, bodies and messages. */

const mask = '***';

/** Names of headers, query parameters and body members whose values are secrets: by their ending, whatever comes before. */
const secretNames =
  /(token|secret|secrets|password|passwd|signature|credential|authorization|cookie|key|^sig|x-workspace-identifier)$/i;

/** The token of a page is no secret, nor are the names of secrets that are missing. */
export const isSecretName = (name: string): boolean =>
  secretNames.test(name) && !/(page_?token|missing_secrets)$/i.test(name);

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

/** The address without user info, and with the values of secret parameters masked. A signed address loses its signature. */
export function redactUrl(address: string): string {
  return address
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i, `$1${mask}@`)
    .replace(/([?&])([^=&#]+)=([^&#]*)/g, (whole, mark: string, name: string) =>
      isSecretName(name) ? `${mark}${name}=${mask}` : whole,
    );
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
  if (isSecret) return ['string', 'number', 'bigint'].includes(typeof value) ? mask : value;
  return typeof value === 'string' ? redactUrl(value) : value;
}

/** A text without the secrets that are known, whoever repeated them, as they are or encoded. A short text is no secret. */
export const redactText = (text: string, secrets: readonly string[]): string =>
  secrets
    .filter((secret) => secret.length >= 8)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .reduce((rest, form) => rest.replaceAll(form, mask), text);

/** A decoded value without them, however deep. */
export function redactDeep(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (Array.isArray(value)) return value.map((one) => redactDeep(one, secrets));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [redactText(name, secrets), redactDeep(one, secrets)]),
  );
}
