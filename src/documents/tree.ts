/** A document as a tree of values. Preserves the order of keys, and how each value was written. */
import { isScalar, Scalar, type ScalarTag, stringify, type Tags } from 'yaml';
import { mostDigits } from '../json-object.ts';
import { DocumentFault } from './fault.ts';

/** Objects are maps, because a JavaScript object would move keys such as "200" to the front. */
export type Tree = Map<string, Tree> | Tree[] | Scalar;

export type TreeFormat = 'json' | 'yaml';

/** The maximum nesting depth, which is enough for real documents and small enough for any call stack. */
export const mostDepth = 500;

export const tooDeep = `is nested deeper than ${mostDepth}`;

export const textScalar = (text: string): Scalar<string> => new Scalar(text);

/** How large a tree is if every alias in it is written out. */
export interface TreeSize {
  readonly values: number;
  readonly depth: number;
  /** About as many characters as the tree has as JSON. */
  readonly characters: number;
}

/** Measures a tree. `known` has the sizes of the parts that aliases share, so that each is measured once. */
export function treeSize(tree: Tree, known = new Map<Tree, TreeSize>()): TreeSize {
  if (isScalar(tree)) return { values: 1, depth: 0, characters: String(tree.source ?? tree.value).length + 1 };
  const before = known.get(tree);
  if (before) return before;
  let [values, depth, characters] = [1, 0, 2];
  for (const [key, inner] of tree.entries()) {
    const size = treeSize(inner, known);
    values += size.values;
    depth = Math.max(depth, size.depth + 1);
    characters += size.characters + String(key).length;
  }
  const size = { values, depth, characters };
  known.set(tree, size);
  return size;
}

/**
 * Returns the value of a tree, in which aliases share their objects. A number that JavaScript would round is rounded,
 * or, with `exact`, an integer becomes a bigint. Throws DocumentFault for another number that cannot be represented.
 */
export function treeValue(tree: Tree, exact = false, known = new Map<Tree, unknown>()): unknown {
  if (isScalar(tree)) return exact ? exactOf(tree) : tree.value;
  if (known.has(tree)) return known.get(tree);
  // Unlike an assignment, fromEntries also sets a field named `__proto__`.
  const value = Array.isArray(tree)
    ? tree.map((item) => treeValue(item, exact, known))
    : Object.fromEntries(Array.from(tree, ([key, inner]) => [key, treeValue(inner, exact, known)]));
  known.set(tree, value);
  return value;
}

function exactOf({ value, source }: Scalar): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  const digits = jsonNumber(source ?? String(value));
  if (!Number.isFinite(value) || digits.length > mostDigits)
    throw new DocumentFault(`has the number ${abbreviated(digits)}, which is too large`);
  return /^-?\d+$/.test(digits) ? BigInt(digits) : value;
}

/** Shortens a number or a key for a message. */
export const abbreviated = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** Writes a number of JSON or YAML as JSON, digit by digit: `+007.` becomes `7`, and `.5` becomes `0.5`. */
export function jsonNumber(source: string): string {
  if (/^0[xo]/.test(source)) return String(BigInt(source));
  const [, sign, whole = '', fraction = '', exponent = ''] =
    /^[+]?(-?)0*([1-9]\d*)?(\.\d+)?\.?(e.*)?$/i.exec(source) ?? [];
  return `${sign}${whole || '0'}${fraction}${exponent}`;
}

/** Writes a tree as JSON or YAML. Throws DocumentFault for a number that JSON cannot represent. */
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
  if (typeof value !== 'number') return JSON.stringify(value);
  if (source === undefined || /inf|nan/i.test(source))
    throw new DocumentFault(`has the number ${source ?? value}, which JSON cannot represent`);
  return jsonNumber(source);
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
