/** Applies an OpenAPI Overlay 1.0.0 to a document. */
import { JSONPathEnvironment, JSONPathError } from 'json-p3';
import { isRecord, type JsonObject } from '../http/fields.ts';
import { Refusal } from '../refusal.ts';

/** Changes the document in place. Throws Refusal if the overlay is invalid. A target may match nothing. */
export function applyOverlay(document: JsonObject, overlay: JsonObject, name: string): void {
  if (typeof overlay.overlay !== 'string') throw new Refusal(422, `${name} is not an OpenAPI Overlay`);
  if (!Array.isArray(overlay.actions)) throw new Refusal(422, `${name}: actions must be an array`);
  for (const [index, action] of overlay.actions.entries()) {
    const at = `${name}: actions[${index}]`;
    if (!isRecord(action) || typeof action.target !== 'string')
      throw new Refusal(422, `${at}.target is required and must be a string`);
    const found = findByPath(document, action.target);
    if (action.remove === true) remove(document, found, at);
    else if (action.update !== undefined) for (const one of found) update(document, one, action.update);
  }
}

const parentOf = (document: unknown, { keys }: MatchedNode): unknown =>
  keys.slice(0, -1).reduce<unknown>((node, key) => Reflect.get(Object(node), key), document);

/** Removes later elements first, so that the indexes of earlier elements stay valid. */
function remove(document: JsonObject, found: readonly MatchedNode[], at: string): void {
  for (const one of [...found].reverse()) {
    const key = one.keys.at(-1);
    if (key === undefined) throw new Refusal(422, `${at} would remove the whole document`);
    const parent = parentOf(document, one);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else if (isRecord(parent)) Reflect.deleteProperty(parent, key);
  }
}

function update(document: JsonObject, one: MatchedNode, value: unknown): void {
  const { value: target, keys } = one;
  const copy: unknown = structuredClone(value);
  if (Array.isArray(target)) append(target, Array.isArray(copy) ? copy : [copy]);
  else if (isRecord(target) && isRecord(copy)) merge(target, copy);
  else {
    const parent = parentOf(document, one);
    if (keys.length > 0) setField(Object(parent), String(keys.at(-1)), copy);
  }
}

/** A spread would overflow the stack with a long list. */
function append(list: unknown[], more: readonly unknown[]): void {
  for (const one of more) list.push(one);
}

/** Objects are merged, arrays are appended, and everything else is replaced. */
function merge(target: JsonObject, value: JsonObject): void {
  for (const [name, one] of Object.entries(value)) {
    const known = Object.hasOwn(target, name) ? target[name] : undefined;
    if (isRecord(known) && isRecord(one)) merge(known, one);
    else if (Array.isArray(known) && Array.isArray(one)) append(known, one);
    else setField(target, name, one);
  }
}

/** Defines the field, because a plain assignment to `__proto__` would change the prototype. */
function setField(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, writable: true, enumerable: true, configurable: true });
}

type MatchedNode = ReturnType<typeof findByPath>[number];

/** No limit is needed here: the depth of documents is limited, and `findByPath` handles a path that is too deep. */
const paths = new JSONPathEnvironment({ maxRecursionDepth: Number.POSITIVE_INFINITY });

/** Returns the nodes that match the path. Throws Refusal if the path is not a valid JSONPath. */
export function findByPath(root: unknown, path: string) {
  try {
    const nodes = paths.query(path.trim(), root as Parameters<typeof paths.query>[1]);
    return [...nodes].map(({ location, value }) => ({ keys: location, value }));
  } catch (error) {
    // The path or the document is nested so deeply that the stack overflows.
    if (error instanceof RangeError) throw new Refusal(422, 'a target is nested too deeply');
    if (!(error instanceof JSONPathError)) throw error;
    const { index } = error.token;
    throw new Refusal(422, `the target ${path} is not a JSONPath (position ${index + 1})`);
  }
}
