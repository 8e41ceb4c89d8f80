/** Finds nodes of a document by a JSONPath (RFC 9535), as the targets of overlays name them. */
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

/** What a path in a filter leads to. By itself, it is a test of existence. */
export interface Nodes {
  readonly nodes: readonly Found[];
}

/** The absence of a value. Null is a value. */
export const NOTHING = Symbol('nothing');

/** A value that a filter compares, the nodes of a path in it, or the result of a test. */
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

/** The value that a comparison takes: that of the only node. */
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

/** The functions of filters, by name. */
export const functions: ReadonlyMap<string, Call> = new Map<string, Call>([
  ['length', (value: unknown) => lengthOf(singleOf(value))],
  ['count', (value: unknown) => (isNodes(value) ? value.nodes.length : NOTHING)],
  ['value', singleOf],
  ['match', (text: unknown, pattern: unknown) => isMatch(singleOf(text), singleOf(pattern), true)],
  ['search', (text: unknown, pattern: unknown) => isMatch(singleOf(text), singleOf(pattern), false)],
]);

function descendantsOf(start: Found): readonly Found[] {
  const all: Found[] = [start];
  // The list grows while it is read.
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

/** The nodes of a path in a filter. */
export const nodesOf = (start: unknown, root: unknown, segments: readonly Segment[]): Nodes => ({
  nodes: follow(start, root, segments),
  ...{ [IS_NODES]: true },
});
