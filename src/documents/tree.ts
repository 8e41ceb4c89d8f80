/** Parses and writes JSON and YAML. Preserves the order of keys, and how each value was written. */
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  type ScalarTag,
  stringify,
  type Tags,
} from 'yaml';
import { definedIn } from '../json-object.ts';

/** Objects are maps, because a JavaScript object would move keys such as "200" to the front. */
export type Tree = Map<string, Tree> | Tree[] | Scalar;

export type TreeFormat = 'json' | 'yaml';

/** The maximum nesting depth, which is enough for real documents and small enough for any call stack. */
export const mostDepth = 500;

export const tooDeep = `is nested deeper than ${mostDepth}, or an alias in it refers to itself`;

/**
 * Parses a document. Throws the parser's error, whose first line says what is wrong and where, or RangeError if the
 * document is nested too deeply. `isStrict` rejects duplicate keys in YAML. Otherwise the last one counts, as in JSON.
 */
export function readTree(source: string, isStrict: boolean): { readonly tree: Tree; readonly form: TreeFormat } {
  const text = source.replace(/^\uFEFF/, '');
  if (/^\s*[[{]/.test(text))
    try {
      return { tree: readJson(text), form: 'json' };
    } catch (error) {
      if (error instanceof RangeError) throw error;
      // YAML may also begin with a bracket.
    }
  const document = parseDocument(text, { uniqueKeys: isStrict, intAsBigInt: true, logLevel: 'error' });
  const [error] = document.errors;
  if (error) throw error;
  return { tree: readYaml(document), form: 'yaml' };
}

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s",:[\]{}]+|[[\]{}]/gs;

function readJson(text: string): Tree {
  // Throws for invalid JSON. The loop below assumes that the JSON is valid.
  JSON.parse(text);
  const top: Tree[] = [];
  const open: (Tree[] | Map<string, Tree>)[] = [top];
  let key: string | undefined;
  const put = (tree: Tree) => {
    const holder = open.at(-1);
    if (Array.isArray(holder)) holder.push(tree);
    else holder?.set(key ?? '', tree);
    key = undefined;
  };
  for (const [token] of text.matchAll(tokens)) {
    if (token === '}' || token === ']') open.pop();
    else if (token === '{' || token === '[') {
      const tree = token === '{' ? new Map<string, Tree>() : [];
      put(tree);
      if (open.push(tree) > mostDepth + 2) throw new RangeError(tooDeep);
    } else if (key === undefined && !Array.isArray(open.at(-1))) key = JSON.parse(token);
    else put(scalarOf(JSON.parse(token), token));
  }
  return top[0] ?? new Scalar(null);
}

/** `source` is the value as written in the document. */
function scalarOf(value: unknown, source?: string): Scalar {
  const scalar = new Scalar(value);
  if (source !== undefined && typeof value === 'number') scalar.source = source;
  return scalar;
}

export const textScalar = (text: string): Scalar<string> => new Scalar(text);

function readYaml(document: Document): Tree {
  // An anchor may be redefined. An alias refers to the last definition before it.
  const anchors = new Map<string, Tree>();
  const named = <T extends Tree>(node: { anchor?: string | undefined }, tree: T): T => {
    if (node.anchor !== undefined) anchors.set(node.anchor, tree);
    return tree;
  };
  const read = (node: unknown, depth: number): Tree => {
    if (depth > mostDepth) throw new RangeError(tooDeep);
    if (isAlias(node)) {
      const tree = anchors.get(node.source);
      if (tree) return tree;
      throw new Error(`the alias *${node.source} has no anchor before it`);
    }
    if (isSeq(node)) {
      const list: Tree[] = named(node, []);
      for (const item of node.items) list.push(read(item, depth + 1));
      return list;
    }
    if (isMap(node)) {
      const map = named(node, new Map<string, Tree>());
      for (const { key, value } of node.items) {
        const tree = read(value, depth + 1);
        if (isMerge(key)) for (const one of Array.isArray(tree) ? tree : [tree]) mergeInto(map, one);
        else map.set(keyOf(read(key, depth + 1)), tree);
      }
      return map;
    }
    return isScalar(node) ? named(node, plainOf(node)) : new Scalar(null);
  };
  return read(document.contents, 0);
}

/** Copies a scalar without its comments and its anchor, which belong to the original place. */
function plainOf({ value, type, source, format, minFractionDigits, tag }: Scalar): Scalar {
  const scalar = new Scalar(value);
  return Object.assign(scalar, definedIn({ type, source, format, minFractionDigits, tag }));
}

const isMerge = (key: unknown) => isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;

/** Adds the fields of `tree` to a map, except for fields that the map already has. */
function mergeInto(map: Map<string, Tree>, tree: Tree): void {
  if (tree instanceof Map) for (const [key, value] of tree) if (!map.has(key)) map.set(key, value);
}

function keyOf(key: Tree): string {
  if (!isScalar(key)) throw new Error('a key is a list or an object');
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}

/** Counts values, those of an alias at each use. Throws RangeError for a tree that contains itself. */
export function countValues(tree: Tree, known = new Map<Tree, number>()): number {
  if (isScalar(tree)) return 1;
  const before = known.get(tree);
  if (before !== undefined && Number.isNaN(before)) throw new RangeError(tooDeep);
  if (before !== undefined) return before;
  known.set(tree, Number.NaN);
  let count = 1;
  for (const inner of tree.values()) count += countValues(inner, known);
  known.set(tree, count);
  return count;
}

/** Writes a tree as JSON or YAML. Throws RangeError for a number that JSON cannot represent. */
export const writeTree = (tree: Tree, form: TreeFormat): string =>
  form === 'json' ? `${jsonOf(tree, '\n')}\n` : yamlOf(tree);

function jsonOf(tree: Tree, line: string): string {
  if (isScalar(tree)) return jsonValue(tree);
  const inner = `${line}  `;
  const items = Array.isArray(tree)
    ? tree.map((item) => jsonOf(item, inner))
    : [...tree].map(([key, value]) => `${JSON.stringify(key)}: ${jsonOf(value, inner)}`);
  const [start, end] = Array.isArray(tree) ? '[]' : '{}';
  return items.length === 0 ? `${start}${end}` : `${start}${inner}${items.join(`,${inner}`)}${line}${end}`;
}

function jsonValue({ value, source }: Scalar): string {
  if (typeof value !== 'number' && typeof value !== 'bigint') return JSON.stringify(value) ?? 'null';
  if (source !== undefined && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(source)) return source;
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new RangeError(`the number ${source ?? value} cannot be written as JSON`);
  return String(value);
}

const yamlOf = (tree: Tree): string =>
  stringify(tree, { lineWidth: 0, aliasDuplicateObjects: false, compat: 'yaml-1.1', customTags: asWritten });

/** Writes numbers as they were written, because the versions 1.10 and 1.1 differ. */
const asWritten = (tags: Tags): Tags => tags.map((tag) => (isNumber(tag) ? withSource(tag) : tag));

const isNumber = (tag: Tags[number]): tag is ScalarTag => typeof tag === 'object' && /:(int|float)$/.test(tag.tag);

const withSource = (tag: ScalarTag): ScalarTag => ({
  ...tag,
  stringify: (item, ...rest) => item.source ?? tag.stringify?.(item, ...rest) ?? String(item.value),
});
