/** Generates a sample HTTP call for an operation: URL, headers and body as plain values. */

import { childOf, resolve } from '../../documents/operations.ts';
import { isRecord, type JsonObject } from '../http/fields.ts';
import type { DocumentOperation } from './document.ts';
import { exampleIn } from './example.ts';
import { bodyOf, type SampleBody } from './sample-body.ts';
import { plainText, queryText } from './sample-parameters.ts';

export interface SampleCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: SampleBody;
}

const FALLBACK = 'https://api.example.com';

const placeholder = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

/** A variable without a value is written as its name in capitals. */
function variableText(name: string, variable: unknown): string {
  const { default: value, enum: choices } = isRecord(variable) ? variable : {};
  return String(value ?? (Array.isArray(choices) ? choices[0] : undefined) ?? placeholder(name));
}

/** A server URL without a host gets a placeholder host, because the URL of the document is unknown. */
function absoluteUrl(url: string): string {
  if (!URL.canParse(url, FALLBACK)) return FALLBACK;
  const { protocol, host, pathname } = new URL(url, FALLBACK);
  return `${protocol}//${host}${pathname}`.replace(/\/$/, '');
}

function serverOf(document: JsonObject, { operation, pathItem }: DocumentOperation): string {
  const servers = [operation.servers, pathItem.servers, document.servers].find(Array.isArray);
  const server = servers?.find(isRecord);
  if (typeof server?.url === 'string') {
    const variables = isRecord(server.variables) ? server.variables : {};
    return absoluteUrl(
      server.url.replace(/\{([^{}]+)\}/g, (_, name) => variableText(name, childOf(variables, name))),
    );
  }
  if (typeof document.host !== 'string') return FALLBACK;
  const scheme = Array.isArray(document.schemes) ? String(document.schemes[0]) : 'https';
  return `${scheme}://${document.host}${document.basePath ?? ''}`.replace(/\/$/, '');
}

function parametersOf(
  document: JsonObject,
  { operation, pathItem }: DocumentOperation,
): readonly JsonObject[] {
  const all = [pathItem.parameters, operation.parameters]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((each) => resolve(document, each));
  return [...new Map(all.map((each) => [`${each.in} ${each.name}`, each])).values()];
}

type Credential = readonly [place: 'header' | 'query' | 'cookie', name: string, value: string];

function credentialsOf(document: JsonObject, operation: JsonObject): readonly Credential[] {
  const security = operation.security ?? document.security;
  const first = Array.isArray(security) ? security.find(isRecord) : undefined;
  const components = isRecord(document.components) ? document.components : {};
  const schemes = components.securitySchemes ?? document.securityDefinitions;
  return Object.keys(first ?? {}).map((name): Credential => {
    const scheme = resolve(document, childOf(schemes, name));
    const key = String(scheme.name ?? 'key');
    if (scheme.type === 'apiKey' && scheme.in === 'query') return ['query', key, 'YOUR_API_KEY'];
    if (scheme.type === 'apiKey' && scheme.in === 'cookie') return ['cookie', key, 'YOUR_API_KEY'];
    if (scheme.type === 'apiKey') return ['header', key, 'YOUR_API_KEY'];
    const basic = scheme.type === 'basic' || String(scheme.scheme).toLowerCase() === 'basic';
    return ['header', 'Authorization', basic ? 'Basic YOUR_CREDENTIALS' : 'Bearer YOUR_TOKEN'];
  });
}

/** Writes path parameters as their example, or as their name in capitals: `/repos/OWNER/REPO`. */
const pathOf = (document: JsonObject, path: string, parameters: readonly JsonObject[]): string =>
  path.replace(/^\/?/, '/').replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const found = parameters.find((each) => each.in === 'path' && each.name === name);
    const given = found && (found.example ?? resolve(document, found.schema).example);
    return given === undefined ? placeholder(name) : encodeURIComponent(plainText(given));
  });

export function sampleCall(document: JsonObject, entry: DocumentOperation): SampleCall {
  const parameters = parametersOf(document, entry);
  const required = (place: string) =>
    parameters
      .filter((each) => each.in === place && each.required === true)
      .map((each) => [each, exampleIn(document, each)] as const);
  const plain = (place: string) =>
    required(place).map(([{ name }, value]) => [String(name), plainText(value)] as const);
  const credentials = credentialsOf(document, entry.operation);
  const secret = (place: string) =>
    credentials.filter((each) => each[0] === place).map(([, name, value]) => [name, value] as const);
  const body = bodyOf(document, entry.operation, parameters);
  const query = [
    ...required('query').map(([parameter, value]) => queryText(parameter, value)),
    ...secret('query').map(([name, value]) => queryText({ name }, value)),
  ]
    .filter((each) => each !== '')
    .join('&');
  const cookies = [...plain('cookie'), ...secret('cookie')].map(([name, value]) => `${name}=${value}`);
  return {
    method: entry.method.toUpperCase(),
    url: serverOf(document, entry) + pathOf(document, entry.path, parameters) + (query && `?${query}`),
    headers: Object.fromEntries([
      ...(body ? [['Content-Type', body.type]] : []),
      ...plain('header'),
      ...secret('header'),
      ...(cookies.length > 0 ? [['Cookie', cookies.join('; ')]] : []),
    ]),
    ...(body && { body }),
  };
}
