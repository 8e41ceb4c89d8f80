/** Lists the operations of an OpenAPI document and follows its local references. */
import { fieldsOf, isRecord, type JsonObject } from '../json-object.ts';
import { parseFileReference } from './pointer.ts';

export const operationMethods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** Returns the version of OpenAPI or Swagger. In YAML, an unquoted 3.0 or 2.0 is the number 3 or 2. */
export function apiVersionOf({ openapi, swagger }: JsonObject): string {
  const version = openapi ?? swagger ?? '';
  return Number.isInteger(version) ? `${version}.0` : String(version);
}

export const isApiDocument = (document: JsonObject): boolean => /^3\.|^2\.0$/.test(apiVersionOf(document));

interface Located {
  readonly node: JsonObject;
  readonly place: readonly string[];
}

const maxHops = 20;

/** Returns a node, then the targets of its local `$ref`s. Undefined if a `$ref` is broken, circular or not local. */
function chainOf(document: JsonObject, node: unknown, place: readonly string[]): readonly Located[] | undefined {
  const chain: Located[] = [];
  let [at, keys] = [node, place];
  for (let hops = 0; hops < maxHops && isRecord(at); hops++) {
    chain.push({ node: at, place: keys });
    if (typeof at.$ref !== 'string') return chain;
    const reference = parseFileReference(at.$ref);
    if (reference?.path !== '' || !reference.keys) return undefined;
    keys = reference.keys;
    at = keys.reduce(childOf, document);
  }
  return undefined;
}

/** Returns a field of an untrusted value. Ignores inherited fields such as `constructor`. */
export const childOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;

/** Merges a node with the targets of its references. Fields next to a reference override those of its target. */
function merged(chain: readonly Located[]): JsonObject {
  const [only] = chain;
  if (only && chain.length === 1) return only.node;
  const fields = [...chain].reverse().flatMap(({ node }) => Object.entries(node));
  return Object.fromEntries(fields.filter(([key]) => key !== '$ref'));
}

/** Returns the target of a local `$ref`, merged with the fields next to it. Empty if the reference is broken. */
export const resolve = (document: JsonObject, node: unknown): JsonObject =>
  merged(chainOf(document, node, []) ?? [{ node: {}, place: [] }]);

/** Returns the first path with a broken reference, whose operations would otherwise be left out silently. */
export function brokenPathIn(document: JsonObject): readonly [path: string, reference: string] | undefined {
  for (const [path, item] of Object.entries(fieldsOf(document.paths)))
    if (isRecord(item) && typeof item.$ref === 'string' && !chainOf(document, item, [])) return [path, item.$ref];
  return undefined;
}

/** Returns the operations. Each `place` is the path of the definition: another one if the path item is a reference. */
export function operationsOf(document: JsonObject) {
  return Object.entries(fieldsOf(document.paths)).flatMap(([path, item]) => {
    const chain = chainOf(document, item, ['paths', path]);
    if (!chain) return [];
    const pathItem = merged(chain);
    return operationMethods.flatMap((method) => {
      const node = pathItem[method];
      if (!isRecord(node)) return [];
      const holder = chain.find((one) => one.node[method] !== undefined);
      const own = { node, place: [...(holder?.place ?? []), method] };
      const found = chainOf(document, own.node, own.place) ?? [own];
      const operation = merged(found);
      return [{ method, path, operation, pathItem, place: found.at(-1)?.place ?? own.place }];
    });
  });
}
