/** Parses OpenAPI documents, lists their operations and follows their local references. */
import { parse } from 'yaml';
import { messageOf } from '../../caught.ts';
import { parseReference } from '../../documents/pointer.ts';
import { isRecord, type JsonObject } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';
import { identify } from './naming.ts';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** The same as for a JSON body: deep enough for what people write, and shallow enough for every stack. */
const DEPTH_LIMIT = 500;
const VALUES_LIMIT = 5_000_000;

export interface DocumentOperation {
  readonly method: string;
  readonly path: string;
  /** The document's operationId, or one derived from method and path. */
  readonly id: string;
  readonly operation: JsonObject;
  readonly pathItem: JsonObject;
  /** The keys that lead to the operation's definition. It is in another place if the path is a reference. */
  readonly place: readonly string[];
}

/** Parses any JSON or YAML object. */
export function parseObject(text: string, name: string): JsonObject {
  const value = parseText(text.replace(/^\uFEFF/, ''), name);
  checkShape(value, name);
  if (!isRecord(value)) throw new Refusal(422, `${name} is not a JSON or YAML object`);
  return value;
}

const tooDeep = (name: string): Refusal =>
  new Refusal(422, `${name} is nested deeper than ${DEPTH_LIMIT}, or an alias in it refers to itself`);

function parseText(source: string, name: string): unknown {
  try {
    // The YAML parser reads JSON too, but takes ten times as long.
    if (/^\s*\{/.test(source)) return JSON.parse(source);
    // An alias costs nothing until it is followed. `checkShape` limits the aliases later.
    return parse(source, { uniqueKeys: false, merge: true, maxAliasCount: -1, logLevel: 'error' });
  } catch (error) {
    const [reason = ''] = messageOf(error).split('\n');
    // The parser only overflows the stack if the document is nested deeper than the limit.
    if (/call stack/.test(reason)) throw tooDeep(name);
    throw new Refusal(422, `${name} does not parse: ${reason}`);
  }
}

/** Must run before anything recursive: aliases can make a small document endless or huge. */
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

/** Refuses an object that is not an OpenAPI document. */
export function asDocument(document: JsonObject, name: string): JsonObject {
  if (!/^3\.|^2\.0$/.test(String(document.openapi ?? document.swagger ?? '')))
    throw new Refusal(422, `${name} is not an OpenAPI 3.x or Swagger 2.0 document`);
  if (document.paths !== undefined && !isRecord(document.paths))
    throw new Refusal(422, `${name}: paths must be an object`);
  return document;
}

interface Located {
  readonly node: JsonObject;
  readonly place: readonly string[];
}

const maxHops = 20;

/** A node, and the nodes that its local `$ref`s lead to. Undefined if one leads nowhere, or to another document. */
function chainOf(
  document: JsonObject,
  node: unknown,
  place: readonly string[],
): readonly Located[] | undefined {
  const chain: Located[] = [];
  let [at, keys] = [node, place];
  for (let hops = 0; hops < maxHops && isRecord(at); hops++) {
    chain.push({ node: at, place: keys });
    if (typeof at.$ref !== 'string') return chain;
    const reference = parseReference(at.$ref);
    if (reference?.path !== '' || !reference.keys) return undefined;
    keys = reference.keys;
    at = keys.reduce(childOf, document);
  }
  return undefined;
}

/** A field of an untrusted value. Ignores inherited fields such as `constructor`. */
export const childOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? Reflect.get(value, key)
    : undefined;

/** Fields next to a reference override those of its target. */
function merged(chain: readonly Located[]): JsonObject {
  const [only] = chain;
  if (only && chain.length === 1) return only.node;
  const fields = [...chain].reverse().flatMap(({ node }) => Object.entries(node));
  return Object.fromEntries(fields.filter(([key]) => key !== '$ref'));
}

/** The target of a local `$ref`, merged with the fields next to it. An empty object if the reference leads nowhere. */
export const resolve = (document: JsonObject, node: unknown): JsonObject =>
  merged(chainOf(document, node, []) ?? [{ node: {}, place: [] }]);

/** Refuses a document with a path that refers to nothing. Its operations would be left out silently. */
export function checkPaths(document: JsonObject, name: string): void {
  for (const [path, item] of Object.entries(isRecord(document.paths) ? document.paths : {}))
    if (isRecord(item) && typeof item.$ref === 'string' && !chainOf(document, item, []))
      throw new Refusal(
        422,
        `${name}: the path ${path} refers to ${item.$ref}, which is not in the document`,
      );
}

export function operationsOf(document: JsonObject): readonly DocumentOperation[] {
  return Object.entries(isRecord(document.paths) ? document.paths : {}).flatMap(([path, item]) => {
    const chain = chainOf(document, item, ['paths', path]);
    if (!chain) return [];
    const pathItem = merged(chain);
    return METHODS.flatMap((method) => {
      const node = pathItem[method];
      if (!isRecord(node)) return [];
      const holder = chain.find((one) => one.node[method] !== undefined);
      const own = { node, place: [...(holder?.place ?? []), method] };
      const found = chainOf(document, own.node, own.place) ?? [own];
      const operation = merged(found);
      const id = typeof operation.operationId === 'string' ? operation.operationId : identify(method, path);
      return [{ method, path, id, operation, pathItem, place: found.at(-1)?.place ?? own.place }];
    });
  });
}
