/** One HTTP call that shows an operation of a document: address, headers and body as plain values. */
import { type DocumentOperation, resolve } from './document.ts';
import { exampleIn } from './example.ts';
import { isMembers, type Members } from './members.ts';

export interface SampleCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, where the operation takes it. */
  readonly json?: unknown;
}

const FALLBACK = 'https://api.example.com';

function serverOf(document: Members, { operation, pathItem }: DocumentOperation): string {
  const servers = [operation.servers, pathItem.servers, document.servers].find(Array.isArray);
  const server = servers?.find(isMembers);
  if (typeof server?.url === 'string') {
    const variables = isMembers(server.variables) ? server.variables : {};
    const url = server.url.replace(/\{([^}]+)\}/g, (whole, name) => {
      const variable = variables[name];
      return isMembers(variable) && variable.default !== undefined ? String(variable.default) : whole;
    });
    // A server without a host stands for wherever the document lies.
    return (url.startsWith('/') ? FALLBACK + url : url).replace(/\/$/, '');
  }
  if (typeof document.host !== 'string') return FALLBACK;
  const scheme = Array.isArray(document.schemes) ? String(document.schemes[0]) : 'https';
  return `${scheme}://${document.host}${document.basePath ?? ''}`.replace(/\/$/, '');
}

function parametersOf(document: Members, { operation, pathItem }: DocumentOperation): readonly Members[] {
  const all = [pathItem.parameters, operation.parameters]
    .flatMap((list) => (Array.isArray(list) ? list : []))
    .map((each) => resolve(document, each));
  return [...new Map(all.map((each) => [`${each.in} ${each.name}`, each])).values()];
}

type Credential = readonly [place: 'header' | 'query', name: string, value: string];

function credentialsOf(document: Members, operation: Members): readonly Credential[] {
  const security = operation.security ?? document.security;
  const first = Array.isArray(security) ? security.find(isMembers) : undefined;
  const components = isMembers(document.components) ? document.components : {};
  const schemes = components.securitySchemes ?? document.securityDefinitions;
  return Object.keys(first ?? {}).map((name): Credential => {
    const scheme = resolve(document, isMembers(schemes) ? schemes[name] : undefined);
    const key = String(scheme.name ?? 'key');
    if (scheme.type === 'apiKey' && scheme.in === 'query') return ['query', key, 'YOUR_API_KEY'];
    if (scheme.type === 'apiKey' && scheme.in === 'cookie')
      return ['header', 'Cookie', `${key}=YOUR_API_KEY`];
    if (scheme.type === 'apiKey') return ['header', key, 'YOUR_API_KEY'];
    const basic = scheme.type === 'basic' || String(scheme.scheme).toLowerCase() === 'basic';
    return ['header', 'Authorization', basic ? 'Basic YOUR_CREDENTIALS' : 'Bearer YOUR_TOKEN'];
  });
}

/** The media type of the body and what it holds: JSON where the operation takes it. */
function bodyOf(document: Members, operation: Members, parameters: readonly Members[]) {
  const inBody = parameters.find((each) => each.in === 'body');
  if (inBody) return { type: 'application/json', json: exampleIn(document, inBody) };
  const content = resolve(document, operation.requestBody).content;
  if (!isMembers(content)) return undefined;
  const types = Object.keys(content);
  const type = types.find((each) => /^application\/(.*\+)?json/.test(each));
  if (type === undefined) return types[0] === undefined ? undefined : { type: types[0] };
  return { type, json: exampleIn(document, resolve(document, content[type])) };
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** A parameter of the path by its example, else by its name in capitals: `/repos/OWNER/REPO`. */
const pathOf = (document: Members, path: string, parameters: readonly Members[]): string =>
  path.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const found = parameters.find((each) => each.in === 'path' && each.name === name);
    const given = found && (found.example ?? resolve(document, found.schema).example);
    return given === undefined
      ? name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()
      : encodeURIComponent(textOf(given));
  });

export function sampleCall(document: Members, entry: DocumentOperation): SampleCall {
  const parameters = parametersOf(document, entry);
  const required = (place: string) =>
    parameters
      .filter((each) => each.in === place && each.required === true)
      .map((each) => [String(each.name), textOf(exampleIn(document, each))] as const);
  const credentials = credentialsOf(document, entry.operation);
  const secret = (place: string) =>
    credentials.filter((each) => each[0] === place).map(([, name, value]) => [name, value] as const);
  const body = bodyOf(document, entry.operation, parameters);
  const query = [...required('query'), ...secret('query')]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return {
    method: entry.method.toUpperCase(),
    url: serverOf(document, entry) + pathOf(document, entry.path, parameters) + (query && `?${query}`),
    headers: Object.fromEntries([
      ...(body ? [['Content-Type', body.type]] : []),
      ...required('header'),
      ...secret('header'),
    ]),
    ...(body && 'json' in body && { json: body.json }),
  };
}
