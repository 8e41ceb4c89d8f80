/** An OpenAPI document: read from JSON or YAML, its operations listed, its local references followed. */
import { parse } from 'yaml';
import { Refusal } from './handler.ts';
import { isMembers, type Members } from './members.ts';
import { identify } from './naming.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

export interface DocumentOperation {
  readonly method: string;
  readonly path: string;
  /** The document's operationId, or one derived from method and path. */
  readonly id: string;
  readonly operation: Members;
  readonly pathItem: Members;
}

/** Any JSON or YAML object. */
export function parseObject(text: string, name: string): Members {
  const source = text.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    // YAML would do for both, at a tenth of the speed.
    value = /^\s*\{/.test(source) ? JSON.parse(source) : parse(source, { uniqueKeys: false });
  } catch (error) {
    throw new Refusal(422, `${name} does not parse: ${(error as Error).message.split('\n')[0]}`);
  }
  if (!isMembers(value)) throw new Refusal(422, `${name} is not a JSON or YAML object`);
  return value;
}

export const parseDocument = (text: string, name: string): Members =>
  asDocument(parseObject(text, name), name);

/** Refuses an object that is no OpenAPI document. */
export function asDocument(document: Members, name: string): Members {
  if (!/^3\.|^2\.0$/.test(String(document.openapi ?? document.swagger ?? '')))
    throw new Refusal(422, `${name} is no OpenAPI document: it lacks openapi: 3.x`);
  if (document.paths !== undefined && !isMembers(document.paths))
    throw new Refusal(422, `${name}: paths must be an object`);
  return document;
}

/** What a node refers to by a local `$ref`, through as many as there are; an empty object where it leads nowhere. */
export function resolve(document: Members, node: unknown): Members {
  let at = node;
  for (let hops = 0; hops < 20; hops++) {
    if (!isMembers(at)) return {};
    if (typeof at.$ref !== 'string') return at;
    if (!at.$ref.startsWith('#/')) return {};
    at = at.$ref
      .slice(2)
      .split('/')
      .map((part) => decodePointer(part))
      .reduce<unknown>((value, key) => (isMembers(value) ? value[key] : undefined), document);
  }
  return {};
}

function decodePointer(part: string): string {
  const plain = part.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

export function operationsOf(document: Members): readonly DocumentOperation[] {
  return Object.entries(isMembers(document.paths) ? document.paths : {}).flatMap(([path, item]) => {
    const pathItem = resolve(document, item);
    return METHODS.filter((method) => isMembers(pathItem[method])).map((method) => {
      const operation = pathItem[method] as Members;
      const id = typeof operation.operationId === 'string' ? operation.operationId : identify(method, path);
      return { method, path, id, operation, pathItem };
    });
  });
}
