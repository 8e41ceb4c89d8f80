/** Generates a sample HTTP call for an operation: URL, headers and body as plain values. */
import { childOf, resolve } from '../../documents/operations.ts';
import { fieldsOf, isRecord, type JsonObject, listOf } from '../http/fields.ts';
import type { DescribedOperation } from './document.ts';
import { exampleIn } from './example.ts';
import { capitalize, nameWordsOf } from './naming.ts';
import { type SampleBody, sampleBodyOf } from './sample-body.ts';
import { cookieText, encode, encodePath, headerText, isToken, pathText, queryText } from './sample-parameters.ts';
import { joinStrings, type Text } from './sample-text.ts';

/** What a sample sends, as the document describes it. */
export type SampleInput = ReturnType<typeof sampleInput>;
export type SampleParameter = SampleInput['parameters'][number];

export type SampleCall = ReturnType<typeof sampleCall>;

type Headers = readonly (readonly [name: string, value: Text])[];

const FALLBACK = 'https://api.example.com';

export const placeholder = (name: string): string => name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase();

/** Returns the server variable's default or first allowed value, or else its name in capitals. */
function variableText(name: string, variable: unknown): string {
  const { default: value, enum: choices } = fieldsOf(variable);
  return String(value ?? (Array.isArray(choices) ? choices[0] : undefined) ?? placeholder(name));
}

/** A server URL without a host gets a placeholder host, because the URL of the document is unknown. */
function absoluteUrl(url: string): string {
  if (!URL.canParse(url, FALLBACK)) return FALLBACK;
  const { protocol, host, pathname } = new URL(url, FALLBACK);
  return `${protocol}//${host}${encodePath(pathname)}`.replace(/\/$/, '');
}

function serverOf(document: JsonObject, { operation, pathItem }: DescribedOperation): string {
  const servers = [operation.servers, pathItem.servers, document.servers].find(Array.isArray);
  const server = servers?.find(isRecord);
  if (typeof server?.url === 'string') {
    const variables = fieldsOf(server.variables);
    return absoluteUrl(server.url.replace(/\{([^{}]+)\}/g, (_, name) => variableText(name, childOf(variables, name))));
  }
  if (typeof document.host !== 'string') return FALLBACK;
  const scheme = Array.isArray(document.schemes) ? String(document.schemes[0]) : 'https';
  return absoluteUrl(`${scheme}://${document.host}${document.basePath ?? ''}`);
}

function parametersOf(document: JsonObject, { operation, pathItem }: DescribedOperation): readonly JsonObject[] {
  const all = [pathItem.parameters, operation.parameters].flatMap(listOf).map((each) => resolve(document, each));
  return [...new Map(all.map((each) => [`${each.in} ${each.name}`, each])).values()];
}

/** OpenAPI ignores header parameters with these names, because other parts of the document define the headers. */
const isIgnored = ({ in: place, name }: JsonObject): boolean =>
  place === 'header' && /^(accept|authorization|content-type)$/i.test(String(name));

/** A path parameter without an example is written as its name in capitals: `/repos/OWNER/REPO`. */
function parameterValue(document: JsonObject, parameter: JsonObject): unknown {
  if (parameter.in !== 'path') return exampleIn(document, parameter);
  return parameter.example ?? resolve(document, parameter.schema).example ?? placeholder(String(parameter.name));
}

const NAME_IN_PATH = /\{([^{}]+)\}/g;

/** Returns a parameter for each name in the path that the document does not describe. */
function undescribedOf(document: JsonObject, entry: DescribedOperation): readonly JsonObject[] {
  const described = parametersOf(document, entry)
    .filter((each) => each.in === 'path')
    .map(({ name }) => String(name));
  const names = [...entry.path.matchAll(NAME_IN_PATH)].map(([, name = '']) => name);
  return names.filter((name) => !described.includes(name)).map((name) => ({ in: 'path', name }));
}

export function sampleInput(document: JsonObject, entry: DescribedOperation) {
  const all = [...parametersOf(document, entry), ...undescribedOf(document, entry)];
  const parameters = all
    .filter((each) => (each.in === 'path' || each.required === true) && !isIgnored(each))
    .map((parameter) => ({
      name: String(parameter.name),
      place: String(parameter.in),
      value: parameterValue(document, parameter),
      parameter,
    }));
  const credentials = sampleCredentialsOf(document, entry.operation);
  return { parameters, credentials, body: sampleBodyOf(document, entry, all) };
}

/** Inserts the parameters. Removes what follows a `#`, which distinguishes paths in documents, but is never sent. */
function pathOf(path: string, parameters: readonly SampleParameter[]): string {
  const [sent = ''] = path.split('#');
  return sent
    .replace(/^\/?/, '/')
    .split(NAME_IN_PATH)
    .map((piece, index) => {
      // The pieces at odd indexes are names.
      if (index % 2 === 0) return piece.split('?').map(encodePath).join('?');
      const found = parameters.find((each) => each.place === 'path' && each.name === piece);
      return found ? pathText(found.parameter, found.value) : '';
    })
    .join('');
}

/** Returns the last header with each name. Upper and lower case do not matter in header names. */
const once = <T>(headers: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] => [
  ...new Map(headers.map((header) => [header[0].toLowerCase(), header])).values(),
];

const mimeOf = (body: SampleBody | undefined): readonly (readonly [string, Text])[] =>
  body ? [['Content-Type', [body.type.replace(/[^\x20-\x7e]/g, '')]]] : [];

function cookieOf({ parameters, credentials }: SampleInput): Text {
  const plain = parameters
    .filter(({ place, name }) => place === 'cookie' && isToken(name))
    .map(({ parameter, value }): Text => [cookieText(parameter, value)]);
  const secret = credentialsIn('cookie', credentials)
    .filter(({ name }) => isToken(name))
    .map(({ name, variable }) => secretText(`${name}=`, variable));
  return joinStrings([...plain, ...secret].flatMap((text, index) => (index === 0 ? text : ['; ', ...text])));
}

function headersOf(input: SampleInput): Headers {
  const cookie = cookieOf(input);
  const plain = input.parameters
    .filter(({ place, name }) => place === 'header' && isToken(name))
    .map(({ name, parameter, value }): readonly [string, Text] => [name, [headerText(parameter, value)]]);
  const secret = credentialsIn('header', input.credentials)
    .filter(({ name }) => isToken(name))
    .map(({ name, prefix, variable }): readonly [string, Text] => [name, secretText(prefix, variable)]);
  const cookies: Headers = cookie.length > 0 ? [['Cookie', cookie]] : [];
  return once([...mimeOf(input.body), ...plain, ...secret, ...cookies]);
}

export function sampleCall(document: JsonObject, entry: DescribedOperation, input: SampleInput) {
  const query = input.parameters
    .filter(({ place }) => place === 'query')
    .map(({ parameter, value }) => queryText(parameter, value))
    .filter((each) => each !== '')
    .join('&');
  const url = serverOf(document, entry) + pathOf(entry.path, input.parameters);
  const basic = input.credentials.flatMap((each) => ('basic' in each ? [each.basic] : []))[0];
  return {
    method: entry.method.toUpperCase(),
    /** With all parameters except the secret ones. */
    url: query ? `${url}${url.includes('?') ? '&' : '?'}${query}` : url,
    /** Secret query parameters: the encoded name, and the environment variable that holds the unencoded value. */
    secrets: credentialsIn('query', input.credentials).map(({ name, variable }) => [encode(name), variable] as const),
    headers: headersOf(input),
    /** The environment variables that hold the user name and the password of basic authentication. */
    ...(basic && { basic }),
    ...(input.body && { body: input.body }),
  };
}

type SampleCredential =
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
function credentialVariableOf(scheme: string, ending: string): string {
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
  const variable = credentialVariableOf(name, 'TOKEN');
  return { scheme: name, place: 'header', name: 'Authorization', prefix: `${capitalize(prefix)} `, variable };
}

/** Returns the credentials of the first security alternative that is not empty. */
function sampleCredentialsOf(document: JsonObject, operation: JsonObject): readonly SampleCredential[] {
  const security = operation.security ?? document.security;
  const alternatives = listOf(security).filter(isRecord);
  const chosen = alternatives.find((each) => Object.keys(each).length > 0) ?? {};
  const components = fieldsOf(document.components);
  const schemes = components.securitySchemes ?? document.securityDefinitions;
  return Object.keys(chosen).flatMap((name) => credentialOf(name, resolve(document, childOf(schemes, name))) ?? []);
}

const credentialsIn = (place: 'header' | 'query' | 'cookie', all: readonly SampleCredential[]) =>
  all.flatMap((each) => ('place' in each && each.place === place ? [each] : []));

const secretText = (prefix: string, variable: string): Text =>
  prefix === '' ? [{ variable }] : [prefix, { variable }];
