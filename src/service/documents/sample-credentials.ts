/** Finds the credentials that an operation needs. A sample reads them from environment variables. */
import { childOf, resolve } from '../../documents/operations.ts';
import { fieldsOf, isRecord, type JsonObject, listOf } from '../http/fields.ts';
import { capitalize, nameWordsOf } from './naming.ts';
import type { Text } from './sample-text.ts';

export type SampleCredential =
  /** The names of the environment variables that hold the user name and the password. */
  | { readonly scheme: string; readonly basic: readonly [username: string, password: string] }
  | {
      readonly scheme: string;
      readonly place: 'header' | 'query' | 'cookie';
      readonly name: string;
      readonly prefix: string;
      readonly variable: string;
    };

/**
 * Derives an environment variable from the name of a scheme: `GITHUB_TOKEN` from githubToken, and `ACME_AUTH_TOKEN`
 * from acme_auth. The ending also prevents names that mean something else, such as PATH.
 */
export function credentialVariableOf(scheme: string, ending: string): string {
  const words = nameWordsOf(scheme.normalize('NFKD').replace(/[^\w ./-]/g, ''));
  const own = words.at(-1) === ending.toLowerCase() ? words.slice(0, -1) : words;
  const name = [...(own.length > 0 ? own : ['api']), ending].join('_').toUpperCase();
  return /^[A-Z]/.test(name) ? name : `API_${name}`;
}

function credentialOf(name: string, scheme: JsonObject): SampleCredential | undefined {
  // A certificate is part of the connection, not of the request.
  if (scheme.type === 'mutualTLS') return undefined;
  if (scheme.type === 'apiKey') {
    const place = scheme.in === 'query' || scheme.in === 'cookie' ? scheme.in : 'header';
    const variable = credentialVariableOf(name, 'KEY');
    return { scheme: name, place, name: String(scheme.name ?? 'key'), prefix: '', variable };
  }
  const kind = String(scheme.type === 'basic' ? 'basic' : (scheme.scheme ?? 'bearer'));
  if (kind.toLowerCase() === 'basic')
    return { scheme: name, basic: [credentialVariableOf(name, 'USERNAME'), credentialVariableOf(name, 'PASSWORD')] };
  // For any other HTTP scheme, the header value starts with the name of the scheme.
  const prefix = scheme.type === 'http' && /^[\w-]+$/.test(kind) ? kind : 'Bearer';
  return {
    scheme: name,
    place: 'header',
    name: 'Authorization',
    prefix: `${capitalize(prefix)} `,
    variable: credentialVariableOf(name, 'TOKEN'),
  };
}

/** Returns the credentials of the first security alternative that is not empty. */
export function sampleCredentialsOf(document: JsonObject, operation: JsonObject): readonly SampleCredential[] {
  const security = operation.security ?? document.security;
  const alternatives = listOf(security).filter(isRecord);
  const chosen = alternatives.find((each) => Object.keys(each).length > 0) ?? {};
  const components = fieldsOf(document.components);
  const schemes = components.securitySchemes ?? document.securityDefinitions;
  return Object.keys(chosen).flatMap((name) => credentialOf(name, resolve(document, childOf(schemes, name))) ?? []);
}

/** Returns the credentials that are sent in a header, in the query or in a cookie. */
export const credentialsIn = (place: 'header' | 'query' | 'cookie', all: readonly SampleCredential[]) =>
  all.flatMap((each) => ('place' in each && each.place === place ? [each] : []));

/** Returns a header or cookie value that contains a secret variable. */
export const secretText = (prefix: string, variable: string): Text =>
  prefix === '' ? [{ variable }] : [prefix, { variable }];
