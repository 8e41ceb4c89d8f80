/** Merges OpenAPI 3 documents into one document with all operations. The meaning of each operation stays the same. */
import { apiVersionOf, operationMethods } from '../../documents/operations.ts';
import { exactJson } from '../../json-object.ts';
import { fieldsOf, isRecord, type JsonObject, listOf, recordsIn } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';

export interface NamedDocument {
  readonly name: string;
  readonly document: JsonObject;
}

const recordIn = (holder: JsonObject, name: string): JsonObject =>
  fieldsOf(Object.hasOwn(holder, name) ? holder[name] : undefined);

const mapFields = (record: JsonObject, to: (name: string, value: unknown) => readonly [string, unknown]): JsonObject =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => to(name, value)));

const isSame = (a: unknown, b: unknown): boolean => exactJson(a) === exactJson(b);

/** Merges paths, webhooks, components and tags. The rest is from the first document. Throws Refusal for conflicts. */
export function mergeDocuments(all: readonly NamedDocument[]): JsonObject {
  const [first, ...others] = all;
  if (!first) throw new Refusal(422, 'there is no document to merge');
  let merged: JsonObject = structuredClone(first.document);
  for (const other of others) {
    checkVersions(first, other);
    merged = join(merged, structuredClone(other.document), other.name);
  }
  return merged;
}

/** Returns the major and minor version. Documents must share it, because schemas differ between 3.0 and 3.1. */
const versionOf = ({ document }: NamedDocument): string => /^3\.\d+/.exec(apiVersionOf(document))?.[0] ?? '2.0';

function checkVersions(first: NamedDocument, other: NamedDocument): void {
  const [one, two] = [versionOf(first), versionOf(other)];
  if (one === '2.0' || two === '2.0')
    throw new Refusal(422, `Swagger 2.0 cannot be merged: convert ${one === '2.0' ? first.name : other.name} first`);
  if (one !== two) throw new Refusal(422, `${first.name} is OpenAPI ${one}, and ${other.name} is ${two}: convert one`);
}

function join(base: JsonObject, given: JsonObject, name: string): JsonObject {
  const added = withFreeOperationIds(withOwnDefaults(withFreeNames(given, base), base), base);
  const tags = [...listOf(base.tags), ...listOf(added.tags)];
  const fromLast = tags.filter(isRecord).toReversed();
  const byName = new Map(fromLast.map((tag) => [tag.name, tag]));
  const components = joinedComponents(recordIn(base, 'components'), recordIn(added, 'components'));
  return {
    ...base,
    ...(tags.length > 0 && { tags: tags.filter((tag) => !isRecord(tag) || byName.get(tag.name) === tag) }),
    ...joinedPaths('paths', base, added, name),
    ...joinedPaths('webhooks', base, added, name),
    ...(Object.keys(components).length > 0 && { components }),
  };
}

function joinedComponents(base: JsonObject, added: JsonObject): JsonObject {
  const kinds = [...new Set([...Object.keys(base), ...Object.keys(added)])];
  return Object.fromEntries(kinds.map((kind) => [kind, { ...recordIn(base, kind), ...recordIn(added, kind) }]));
}

/** Joins the paths. Two documents may share a path, but a method that both have must be the same. */
function joinedPaths(kind: 'paths' | 'webhooks', base: JsonObject, added: JsonObject, name: string): JsonObject {
  if (base[kind] === undefined && added[kind] === undefined) return {};
  const paths: Record<string, unknown> = { ...recordIn(base, kind) };
  for (const [path, item] of Object.entries(recordIn(added, kind))) {
    const known = Object.hasOwn(paths, path) ? paths[path] : undefined;
    if (known === undefined || isSame(known, item)) paths[path] = item;
    else if (isRecord(known) && isRecord(item)) paths[path] = joinedItems(known, item, `${path} of ${name}`);
    else throw new Refusal(422, `the path ${path} of ${name} is also in another input`);
  }
  return { [kind]: paths };
}

function joinedItems(base: JsonObject, added: JsonObject, at: string): JsonObject {
  for (const [field, value] of Object.entries(added)) {
    if (!Object.hasOwn(base, field) || isSame(base[field], value)) continue;
    const what = operationMethods.includes(field) ? `${field.toUpperCase()} ${at}` : `${field} of the path ${at}`;
    throw new Refusal(422, `${what} differs from that of another input`);
  }
  // A field of the path item applies to all its operations, so it would change those of the other document too.
  const alone = (one: JsonObject, other: JsonObject) =>
    Object.keys(one).find((field) => !operationMethods.includes(field) && !Object.hasOwn(other, field));
  const field = alone(base, added) ?? alone(added, base);
  if (field !== undefined) throw new Refusal(422, `${field} of the path ${at} is not in all inputs with that path`);
  return { ...base, ...added };
}

/** Renames each component that has the name of a different component in `base`, and updates the references to it. */
function withFreeNames(given: JsonObject, base: JsonObject): JsonObject {
  if (given.components === undefined) return given;
  const renamed = new Map<string, string>();
  const kinds = recordsIn(given.components);
  const all = kinds.flatMap(([kind, held]) =>
    Object.keys(held).map((name) => ({ kind, name, value: held[name], held })),
  );
  // A new name also changes the components that refer to it, so this repeats until no more names change.
  for (let before = -1; before !== renamed.size; ) {
    before = renamed.size;
    for (const { kind, name, value, held } of all) {
      const taken = recordIn(recordIn(base, 'components'), kind);
      const isOther = Object.hasOwn(taken, name) && !isSame(taken[name], rename(value, renamed));
      const isTaken = (free: string) => Object.hasOwn(taken, free) || Object.hasOwn(held, free);
      if (isOther && !renamed.has(`${kind}/${name}`)) renamed.set(`${kind}/${name}`, freeName(name, isTaken));
    }
  }
  const components = kinds.map(([kind, held]) => [
    kind,
    mapFields(held, (name, value) => [renamed.get(`${kind}/${name}`) ?? name, value]),
  ]);
  return rename({ ...given, components: Object.fromEntries(components) }, renamed) as JsonObject;
}

function freeName(name: unknown, isTaken: (free: string) => boolean): string {
  for (let number = 2; ; number++) if (!isTaken(`${name}_${number}`)) return `${name}_${number}`;
}

const decoded = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');
const encoded = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

/** Updates all references to renamed components. The recursion is safe, because the depth of documents is limited. */
function rename(node: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (renamed.size === 0) return node;
  const reference = (text: string) =>
    text.replace(/^#\/components\/([^/]+)\/([^/]+)/, (whole, kind: string, name: string) => {
      const free = renamed.get(`${kind}/${decoded(name)}`);
      return free === undefined ? whole : `#/components/${kind}/${encoded(free)}`;
    });
  const security = (one: unknown) =>
    isRecord(one) ? mapFields(one, (name, scopes) => [renamed.get(`securitySchemes/${name}`) ?? name, scopes]) : one;
  const field = (name: string, value: unknown, holder: JsonObject): unknown => {
    if (name === '$ref' && typeof value === 'string') return reference(value);
    if (name === 'security' && Array.isArray(value)) return value.map(security);
    // A discriminator may refer to a schema by its name alone.
    if (name === 'mapping' && isRecord(value) && typeof holder.propertyName === 'string')
      return mapFields(value, (key, to) => [key, renamed.get(`schemas/${to}`) ?? reference(String(to))]);
    return rename(value, renamed);
  };
  if (Array.isArray(node)) return node.map((one) => rename(one, renamed));
  if (!isRecord(node)) return node;
  return mapFields(node, (name, value) => [name, field(name, value, node)]);
}

/** Copies the document's servers and security to its operations if they differ from those of the first document. */
function withOwnDefaults(given: JsonObject, base: JsonObject): JsonObject {
  const servers = isSame(given.servers, base.servers) ? undefined : (given.servers ?? [{ url: '/' }]);
  const security = isSame(given.security, base.security) ? undefined : (given.security ?? []);
  if (servers === undefined && security === undefined) return given;
  const item = (value: JsonObject): JsonObject => {
    const own = {
      ...(servers !== undefined && value.servers === undefined && { servers }),
      ...(security !== undefined && { security }),
    };
    const isOperation = (name: string) => operationMethods.includes(name);
    return mapFields(value, (name, one) => [name, isOperation(name) && isRecord(one) ? { ...own, ...one } : one]);
  };
  if (given.paths === undefined) return given;
  const paths = mapFields(recordIn(given, 'paths'), (path, one) => [path, isRecord(one) ? item(one) : one]);
  return { ...given, paths };
}

function idsIn(document: JsonObject): Set<unknown> {
  const items = [...Object.values(recordIn(document, 'paths')), ...Object.values(recordIn(document, 'webhooks'))];
  const idsOf = (item: JsonObject) => operationMethods.map((method) => recordIn(item, method).operationId);
  return new Set(items.map(fieldsOf).flatMap(idsOf));
}

/** Renames operation ids that are already taken, unless both documents have the same operation. */
function withFreeOperationIds(given: JsonObject, base: JsonObject): JsonObject {
  const taken = idsIn(base);
  const own = idsIn(given);
  for (const kind of ['paths', 'webhooks'])
    for (const [path, item] of Object.entries(recordIn(given, kind)))
      for (const method of operationMethods) {
        const operation = isRecord(item) ? item[method] : undefined;
        if (!isRecord(operation) || !taken.has(operation.operationId) || operation.operationId === undefined) continue;
        if (isSame(recordIn(recordIn(recordIn(base, kind), path), method), operation)) continue;
        const operationId = freeName(operation.operationId, (free) => taken.has(free) || own.has(free));
        Object.assign(operation, { operationId });
        taken.add(operationId);
      }
  return given;
}
