/** Finds the nodes of a document that match a parsed JSONPath (RFC 9535), which overlays use to name their targets. */
import { isRecord } from '../http/fields.ts';

type Key = string | number;
type Child = readonly [key: Key, value: unknown];

/** A node and the keys that lead to it. */
export interface Found {
  readonly keys: readonly Key[];
  readonly value: unknown;
}

/** Selects some of a node's children. */
export type Selector = (node: unknown, root: unknown) => readonly Child[];

export interface Segment {
  readonly isDescendant: boolean;
  readonly selectors: readonly Selector[];
}

/** The nodes that match a path in a filter. A path that is not compared tests whether such nodes exist. */
export interface Nodes {
  readonly nodes: readonly Found[];
}

/** Means that there is no value. Null is a value. */
export const NOTHING = Symbol('nothing');

/** Evaluates a part of a filter. Returns a value to compare, the nodes of a path, or the result of a test. */
export type Operand = (node: unknown, root: unknown) => unknown;

export const childrenOf: Selector = (node) =>
  Array.isArray(node) ? [...node.entries()] : isRecord(node) ? Object.entries(node) : [];

export const byName =
  (name: string): Selector =>
  (node) =>
    isRecord(node) && Object.hasOwn(node, name) ? [[name, node[name]]] : [];

export const byIndex =
  (index: number): Selector =>
  (node) => {
    const at = Array.isArray(node) && index < 0 ? node.length + index : index;
    return Array.isArray(node) && at >= 0 && at < node.length ? [[at, node[at]]] : [];
  };

export function bySlice(start: number | undefined, end: number | undefined, step = 1): Selector {
  return (node) => {
    if (!Array.isArray(node) || step === 0) return [];
    const { length } = node;
    const [low, high] = step > 0 ? [0, length] : [-1, length - 1];
    const bound = (index: number | undefined, otherwise: number) =>
      index === undefined ? otherwise : Math.min(Math.max(index < 0 ? length + index : index, low), high);
    const [first, last] = [bound(start, step > 0 ? low : high), bound(end, step > 0 ? high : low)];
    const found: Child[] = [];
    for (let at = first; step > 0 ? at < last : at > last; at += step) found.push([at, node[at]]);
    return found;
  };
}

export const byFilter =
  (test: Operand): Selector =>
  (node, root) =>
    childrenOf(node, root).filter(([, value]) => isTrue(test(value, root)));

const IS_NODES = Symbol('nodes');
const isNodes = (value: unknown): value is Nodes => isRecord(value) && Object.hasOwn(value, IS_NODES);

export const isTrue = (value: unknown): boolean => (isNodes(value) ? value.nodes.length > 0 : value === true);

/**
 * Returns the value to compare. For a path, this is the value of its only node, or NOTHING if it matches no single
 * node.
 */
export function singleOf(value: unknown): unknown {
  if (!isNodes(value)) return value;
  return value.nodes.length === 1 ? value.nodes[0]?.value : NOTHING;
}

const isEqual = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

const isLess = (a: unknown, b: unknown): boolean =>
  (typeof a === 'number' && typeof b === 'number' && a < b) ||
  (typeof a === 'string' && typeof b === 'string' && a < b);

export const comparisons: ReadonlyMap<string, (a: unknown, b: unknown) => boolean> = new Map([
  ['==', isEqual],
  ['!=', (a: unknown, b: unknown) => !isEqual(a, b)],
  ['<', isLess],
  ['<=', (a: unknown, b: unknown) => isLess(a, b) || isEqual(a, b)],
  ['>', (a: unknown, b: unknown) => isLess(b, a)],
  ['>=', (a: unknown, b: unknown) => isLess(b, a) || isEqual(a, b)],
]);

function lengthOf(value: unknown): unknown {
  if (typeof value === 'string') return [...value].length;
  return typeof value === 'object' && value !== null ? childrenOf(value, value).length : NOTHING;
}

function isMatch(text: unknown, pattern: unknown, isWhole: boolean): boolean {
  if (typeof text !== 'string' || typeof pattern !== 'string') return false;
  try {
    return new RegExp(isWhole ? `^(?:${pattern})$` : pattern, 'u').test(text);
  } catch {
    return false;
  }
}

type Call = (first: unknown, second: unknown) => unknown;

/** The functions that a filter can call, by name. */
export const functions: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['length', (value: unknown) => lengthOf(singleOf(value))],
  ['count', (value: unknown) => (isNodes(value) ? value.nodes.length : NOTHING)],
  ['value', singleOf],
  ['match', (text: unknown, pattern: unknown) => isMatch(singleOf(text), singleOf(pattern), true)],
  ['search', (text: unknown, pattern: unknown) => isMatch(singleOf(text), singleOf(pattern), false)],
]);

function descendantsOf(start: Found): readonly Found[] {
  const all: Found[] = [start];
  // The loop also visits the nodes that it appends to the list.
  for (const { keys, value } of all)
    for (const [key, child] of childrenOf(value, value)) all.push({ keys: [...keys, key], value: child });
  return all;
}

export function follow(start: unknown, root: unknown, segments: readonly Segment[]): readonly Found[] {
  let nodes: readonly Found[] = [{ keys: [], value: start }];
  for (const { isDescendant, selectors } of segments) {
    const from = isDescendant ? nodes.flatMap(descendantsOf) : nodes;
    nodes = from.flatMap(({ keys, value }) =>
      selectors.flatMap((select) =>
        select(value, root).map(([key, child]) => ({ keys: [...keys, key], value: child })),
      ),
    );
  }
  return nodes;
}

/** Returns the nodes that match a path in a filter. */
export const nodesOf = (start: unknown, root: unknown, segments: readonly Segment[]): Nodes => ({
  nodes: follow(start, root, segments),
  ...{ [IS_NODES]: true },
});
