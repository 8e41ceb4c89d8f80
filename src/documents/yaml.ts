/** Parses YAML 1.2 with its core schema, and resolves merge keys. Refuses what JSON cannot represent, if asked to. */
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  Scalar,
  type ScalarTag,
  type YAMLMap,
} from 'yaml';
import { messageOf } from '../caught.ts';
import { mostDigits } from '../json-object.ts';
import { DocumentFault } from './fault.ts';
import { abbreviated, mostDepth, type Tree, tooDeep } from './tree.ts';

/**
 * What a document may contain. Each level also refuses what the levels above it refuse. Only in a `unique` tree, which
 * nobody writes, an alias may refer to itself:
 * - `any`: the last of duplicate keys counts, and unknown tags are ignored
 * - `unique`: no duplicate keys
 * - `json`: only what JSON can represent: no unknown tags, infinite numbers, or keys that are null, lists or objects
 * - `exact`: no integers that JavaScript would round
 */
export type Strictness = 'any' | 'unique' | 'json' | 'exact';

/** Parses YAML. Throws DocumentFault, which names the line. */
export function readYaml(text: string, level: Strictness): Tree {
  const document = parsed(text);
  const lineAt = (offset: number) => `at line ${text.slice(0, offset).split(/\r\n?|\n/).length}`;
  const [error] = document.errors;
  if (error?.code === 'MULTIPLE_DOCS')
    throw new DocumentFault(`has at least two documents: the second starts ${lineAt(error.pos[0])}`, oneDocument);
  if (error?.code === 'RESOURCE_EXHAUSTION') throw new DocumentFault(tooDeep);
  if (error) throw new DocumentFault(`is not valid JSON or YAML: ${firstLine(error)}`);
  const unknown = document.warnings.find(({ code }) => code === 'TAG_RESOLVE_FAILED');
  if (unknown && isJson(level)) {
    const [at] = unknown.pos;
    const [tag] = /^(?:!<[^>]*>|[^\s,[\]{}]+)/.exec(text.slice(at, at + 200)) ?? [];
    const what = `has a value with the tag ${tag} ${lineAt(at)}, which JSON cannot represent`;
    throw new DocumentFault(what, 'Remove the tag, and write the value as a string, a list or an object.');
  }
  const lineOf = (node: unknown) => lineAt(Object(node).range?.[0] ?? 0);
  return read({ level, lineOf, anchors: new Map(), open: new Set() }, document.contents, 0);
}

const oneDocument = 'Write one document, such as a list, or split the file.';

const isJson = (level: Strictness) => level === 'json' || level === 'exact';

const firstLine = (error: unknown): string => messageOf(error).split('\n')[0]?.replace(/:$/, '') ?? '';

function parsed(text: string): Document {
  try {
    // Without these options, `%YAML 1.1` would change the schema, and known tags would become JavaScript objects.
    return parseDocument(text, {
      schema: 'core',
      resolveKnownTags: false,
      customTags: (tags) => [...tags, wholeFloat],
      uniqueKeys: false,
      logLevel: 'error',
    });
  } catch (error) {
    // The parser overflows the stack only if the document is nested much deeper than the limit.
    throw error instanceof RangeError ? new DocumentFault(tooDeep) : error;
  }
}

/** `!!float 1` is a number too. Without the tag, the core schema reads 1 as an integer first. */
const wholeFloat: ScalarTag = {
  default: true,
  tag: 'tag:yaml.org,2002:float',
  test: /^[-+]?[0-9]+$/,
  resolve: Number,
};

interface Reading {
  readonly level: Strictness;
  /** Returns `at line 3`. */
  readonly lineOf: (node: unknown) => string;
  /** The values that aliases refer to. An anchor may be redefined: an alias refers to the last one before it. */
  readonly anchors: Map<string, Tree>;
  /** The lists and objects that are not complete yet. An alias to one of them would never end. */
  readonly open: Set<Tree>;
}

function read(reading: Reading, node: unknown, depth: number): Tree {
  if (depth > mostDepth) throw new DocumentFault(tooDeep);
  if (isAlias(node)) return targetOf(reading, node);
  const list: Tree[] = [];
  const map = new Map<string, Tree>();
  const tree = isSeq(node) ? list : isMap(node) ? map : scalarOf(reading, node);
  const { anchor } = Object(node);
  if (anchor !== undefined) reading.anchors.set(anchor, tree);
  reading.open.add(tree);
  if (isSeq(node)) for (const item of node.items) list.push(read(reading, item, depth + 1));
  if (isMap(node)) readFields(reading, node, map, depth + 1);
  reading.open.delete(tree);
  return tree;
}

function targetOf({ level, anchors, open, lineOf }: Reading, alias: Alias): Tree {
  const tree = anchors.get(alias.source);
  const fault = !tree
    ? 'has no anchor before it'
    : level !== 'unique' && open.has(tree)
      ? 'refers to itself'
      : undefined;
  if (!tree || fault) throw new DocumentFault(`has the alias *${alias.source} ${lineOf(alias)}, which ${fault}`);
  return tree;
}

/** The key that adds the fields of other objects, from YAML 1.1. In quotes, it is a key like any other. */
const isMergeKey = (key: unknown) =>
  isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN && key.tag === undefined;

function readFields(reading: Reading, { items }: YAMLMap, map: Map<string, Tree>, depth: number): void {
  const { level, lineOf } = reading;
  const own = new Set<string | undefined>();
  for (const { key, value } of items) {
    const name = isMergeKey(key) ? undefined : keyOf(reading, key, read(reading, key, depth));
    if (own.has(name) && level !== 'any')
      throw new DocumentFault(`has the key ${JSON.stringify(abbreviated(name ?? '<<'))} a second time ${lineOf(key)}`);
    const tree = read(reading, value, depth);
    if (name !== undefined) map.set(name, tree);
    else for (const one of Array.isArray(tree) ? tree : [tree]) merge(one, map, () => lineOf(key));
    own.add(name);
  }
}

/** Adds the fields of an object that the map does not have yet. Later fields of the map override them. */
function merge(tree: Tree, map: Map<string, Tree>, line: () => string): void {
  if (!(tree instanceof Map)) throw new DocumentFault(`has a merge key (<<) ${line()} whose value is not an object`);
  for (const [key, value] of tree) if (!map.has(key)) map.set(key, value);
}

/** Returns a key as it is written, because the keys 1.10 and 1.1 differ. */
function keyOf({ level, lineOf }: Reading, node: unknown, key: Tree): string {
  const isNull = isScalar(key) && key.value === null && isJson(level);
  if (!isScalar(key) || isNull) {
    const what = isNull ? 'null' : Array.isArray(key) ? 'a list' : 'an object';
    throw new DocumentFault(`has a key ${lineOf(node)} that is ${what}`, 'Write the key as a string in quotes.');
  }
  return typeof key.value === 'string' ? key.value : (key.source ?? '');
}

/** Copies a scalar without its comments, tag and anchor, which belong to its place. */
function scalarOf({ level, lineOf }: Reading, node: unknown): Scalar {
  if (!isScalar(node)) return new Scalar(null);
  const { value, type, source = '' } = node;
  if (typeof value === 'number' && isJson(level)) {
    const fault = faultOfNumber(value, source, level);
    if (fault)
      throw new DocumentFault(`has the number ${abbreviated(source)} ${lineOf(node)}, which ${fault}`, asString);
  }
  return Object.assign(new Scalar(value), type === undefined ? { source } : { type, source });
}

const asString = 'To send it as a string, put it in quotes.';

function faultOfNumber(value: number, source: string, level: Strictness): string | undefined {
  if (/inf|nan/i.test(source)) return 'JSON cannot represent';
  const isLong = /^(?:[-+]?\d+|0[ox].*)$/.test(source) && !Number.isSafeInteger(value);
  const isInexact = level === 'exact' ? isLong : isLong && source.length > mostDigits;
  return isInexact || !Number.isFinite(value) ? 'cannot be represented exactly' : undefined;
}
