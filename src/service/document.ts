/** An OpenAPI document: read from JSON or YAML, its operations listed, its local references followed. */
import { parse } from 'yaml';
import { isMembers, type Members } from './members.ts';
import { identify } from './naming.ts';
import { Refusal } from './refusal.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** As of a JSON body: deep enough for what people write, and shallow enough for every stack. */
const DEPTH_LIMIT = 500;
const VALUES_LIMIT = 5_000_000;

export interface DocumentOperation {
  readonly method: string;
  readonly path: string;
  /** The document's operationId, or one derived from method and path. */
  readonly id: string;
  readonly operation: Members;
  readonly pathItem: Members;
  /** The keys that lead to the operation: not to its path where that refers elsewhere. */
  readonly place: readonly string[];
}

/** Any JSON or YAML object. */
export function parseObject(text: string, name: string): Members {
  const value = parseText(text.replace(/^\uFEFF/, ''), name);
  checkShape(value, name);
  if (!isMembers(value)) throw new Refusal(422, `${name} is not a JSON or YAML object`);
  return value;
}

const tooDeep = (name: string): Refusal =>
  new Refusal(422, `${name} is nested deeper than ${DEPTH_LIMIT}, or an alias in it refers to itself`);

function parseText(source: string, name: string): unknown {
  try {
    // YAML would do for both, at a tenth of the speed.
    if (/^\s*\{/.test(source)) return JSON.parse(source);
    // An alias costs nothing before it is followed, so their number is left to the check of the shape.
    return parse(source, { uniqueKeys: false, merge: true, maxAliasCount: -1, logLevel: 'error' });
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    // The parser's own, which is deeper than the limit in any case.
    if (/call stack/.test(reason)) throw tooDeep(name);
    throw new Refusal(422, `${name} does not parse: ${reason}`);
  }
}

/** Before anything recursive: aliases make a small text endless, or as large as they like. */
function checkShape(document: unknown, name: string): void {
  let level: readonly unknown[] = [document];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > DEPTH_LIMIT) throw tooDeep(name);
    const next: unknown[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      for (const child of Object.values(value)) next.push(child);
      if (values + next.length > VALUES_LIMIT)
        throw new Refusal(422, `${name} has more than ${VALUES_LIMIT} values, each alias counted in full`);
    }
    values += next.length;
    level = next;
  }
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

interface Located {
  readonly node: Members;
  readonly place: readonly string[];
}

/** Where a node's local `$ref` leads, through as many as there are; undefined where that is nowhere. */
function locate(document: Members, node: unknown, place: readonly string[]): Located | undefined {
  let at = node;
  let keys = place;
  for (let hops = 0; hops < 20; hops++) {
    if (!isMembers(at)) return undefined;
    if (typeof at.$ref !== 'string') return { node: at, place: keys };
    if (!at.$ref.startsWith('#/')) return undefined;
    keys = at.$ref.slice(2).split('/').map(decodePointer);
    at = keys.reduce<unknown>((value, key) => (isMembers(value) ? value[key] : undefined), document);
  }
  return undefined;
}

/** What a node refers to by a local `$ref`; an empty object where it leads nowhere. */
export const resolve = (document: Members, node: unknown): Members => locate(document, node, [])?.node ?? {};

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
    const found = locate(document, item, ['paths', path]);
    if (!found) return [];
    const { node: pathItem, place } = found;
    return METHODS.filter((method) => isMembers(pathItem[method])).map((method) => {
      const operation = pathItem[method] as Members;
      const id = typeof operation.operationId === 'string' ? operation.operationId : identify(method, path);
      return { method, path, id, operation, pathItem, place: [...place, method] };
    });
  });
}
