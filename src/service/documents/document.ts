/** Parses OpenAPI documents, lists their operations and follows their local references. */
import { attempt, messageOf, orThrow } from '../../caught.ts';
import { DocumentFault, decodeText } from '../../documents/fault.ts';
import { brokenPathIn, isApiDocument, operationsOf } from '../../documents/operations.ts';
import { readTree } from '../../documents/read-tree.ts';
import { mostDepth, tooDeep, treeValue } from '../../documents/tree.ts';
import { isRecord, type JsonObject } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';
import { operationName } from './naming.ts';

const VALUES_LIMIT = 5_000_000;

export type DescribedOperation = ReturnType<typeof describedOperationsOf>[number];

/** Returns a function that makes the fault of the document `name` a refusal. Other errors are kept. */
export const refuseFault =
  (name: string) =>
  (error: unknown): unknown =>
    error instanceof DocumentFault ? new Refusal(422, error.about(name)) : error;

/** Decodes UTF-8. Throws Refusal for anything else. */
export const documentText = (bytes: Uint8Array, name: string): string =>
  orThrow(() => decodeText(bytes), refuseFault(name));

/**
 * Parses a JSON or YAML object. Throws Refusal if the string is invalid, too deep or too large. With `exact`, long
 * integers are bigints, and what JSON cannot represent is refused.
 */
export function parseObject(text: string, name: string, exact = false): JsonObject {
  const value = orThrow(() => parseText(text, exact), refuseFault(name));
  checkShape(value, name);
  if (!isRecord(value)) throw new Refusal(422, `${name} is not a JSON or YAML object`);
  return value;
}

/** Parses an object that must be in this format. Throws Refusal if it is not. JSON is also valid YAML. */
export function parseAs(text: string, format: string, name: string): JsonObject {
  const wrong = (error: unknown) => new Refusal(422, `${name} is not valid JSON: ${messageOf(error)}`);
  if (format === 'json') orThrow(() => JSON.parse(text), wrong);
  return parseObject(text, name);
}

function parseText(text: string, exact: boolean): unknown {
  // Most documents need no exact numbers, and the parser of Node.js is much faster than reading a tree.
  const json = !exact && /^\s*\{/.test(text) ? attempt((): unknown => JSON.parse(text), undefined) : undefined;
  // An alias takes no memory until it is followed, so `checkShape` limits the aliases later.
  return json ?? treeValue(readTree(text, exact ? 'json' : 'any').tree, exact);
}

/** Limits depth and size. It must run before any recursive code, because aliases can make a small document endless. */
function checkShape(document: unknown, name: string): void {
  let level: readonly unknown[] = [document];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostDepth) throw new Refusal(422, `${name} ${tooDeep}`);
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

/** Returns the object. Throws Refusal if it is not an OpenAPI document. */
export function asDocument(document: JsonObject, name: string): JsonObject {
  if (!isApiDocument(document)) throw new Refusal(422, `${name} is not an OpenAPI 3.x or Swagger 2.0 document`);
  if (document.paths !== undefined && !isRecord(document.paths))
    throw new Refusal(422, `${name}: paths must be an object`);
  return document;
}

/** Throws Refusal if a path of the document has a broken reference. */
export function checkPaths(document: JsonObject, name: string): void {
  const [path, reference] = brokenPathIn(document) ?? [];
  if (path !== undefined)
    throw new Refusal(422, `${name}: the path ${path} refers to ${reference}, which is not in the document`);
}

/** Returns the operations, with the document's operationId as `id`, or one derived from method and path. */
export const describedOperationsOf = (document: JsonObject) =>
  operationsOf(document).map((one) => {
    const { operationId } = one.operation;
    return { ...one, id: typeof operationId === 'string' ? operationId : operationName(one.method, one.path) };
  });
