/** The one redactor: what may be shown of headers, addresses, bodies and messages. */

const mask = '***';

/** Names of headers, query parameters and body members whose values are secrets. */
const secretNames =
  /^(authorization|proxy-authorization|cookie|set-cookie|x-api-key|x-workspace-identifier|token|access_token|auth_token|id_token|refresh_token|\w*oidc_token|key|api_key|apikey|secret|secrets|client_secret|password|credential|signature)$/i;

export const isSecretName = (name: string): boolean => secretNames.test(name);

/** Headers with the secret ones masked; `more` are names of credential headers that a profile chose. */
export const redactHeaders = (
  headers: Readonly<Record<string, string>>,
  more: readonly string[] = [],
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      isSecretName(name) || more.includes(name) ? mask : value,
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

/** A decoded body with the values of secret members masked, however deep. */
export function redactValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretName(name) && inner !== null ? mask : redactValue(inner),
    ]),
  );
}

/** A text without the secrets that are known, whoever repeated them. */
export const redactText = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => (secret.length < 4 ? rest : rest.replaceAll(secret, mask)), text);
