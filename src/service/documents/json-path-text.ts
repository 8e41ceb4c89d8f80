/** Parses JSONPath expressions (RFC 9535). */
import { Refusal } from '../refusal.ts';
import {
  byFilter,
  byIndex,
  byName,
  bySlice,
  childrenOf,
  comparisons,
  type Found,
  follow,
  functions,
  isTrue,
  NOTHING,
  nodesOf,
  type Operand,
  type Segment,
  type Selector,
  singleOf,
} from './json-path.ts';

/** The state of the parser. `at` is the position of the next character. */
interface Reader {
  readonly text: string;
  at: number;
  /** The number of open parentheses and filters, plus the number of negations. */
  depth: number;
}

const DEPTH_LIMIT = 50;

const fault = ({ text, at }: Reader): Refusal =>
  new Refusal(422, `the target ${text} is not a JSONPath (position ${at + 1})`);

function take(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (!found) return undefined;
  reader.at += found[0].length;
  return found;
}

/** Skips spaces and the string that follows. Returns false, and skips nothing, if another string follows. */
function skip(reader: Reader, text: string): boolean {
  const before = reader.at;
  take(reader, /\s*/y);
  if (reader.text.startsWith(text, reader.at)) {
    reader.at += text.length;
    return true;
  }
  reader.at = before;
  return false;
}

function expectNext(reader: Reader, text: string): void {
  if (!skip(reader, text)) throw fault(reader);
}

/** Reads parts between separators. Returns the result of `read` for each part. */
function listOf<T>(reader: Reader, separator: string, read: (reader: Reader) => T): readonly T[] {
  const all = [read(reader)];
  while (skip(reader, separator)) all.push(read(reader));
  return all;
}

function readSegments(reader: Reader): readonly Segment[] {
  const segments: Segment[] = [];
  for (;;) {
    const isDescendant = skip(reader, '..');
    if (skip(reader, '[')) {
      segments.push({ isDescendant, selectors: listOf(reader, ',', readSelector) });
      expectNext(reader, ']');
    } else if (isDescendant || skip(reader, '.'))
      segments.push({ isDescendant, selectors: [readShorthand(reader)] });
    else return segments;
  }
}

function readShorthand(reader: Reader): Selector {
  if (skip(reader, '*')) return childrenOf;
  const name = take(reader, /[\p{L}_\u0080-\u{10FFFF}][\p{L}\p{N}_\u0080-\u{10FFFF}-]*/uy);
  if (!name) throw fault(reader);
  return byName(name[0]);
}

function readSelector(reader: Reader): Selector {
  if (skip(reader, '*')) return childrenOf;
  if (skip(reader, '?')) return byFilter(readEither(reader));
  const name = readString(reader);
  if (name !== undefined) return byName(name);
  const slice = take(reader, /(-?\d+)?\s*:\s*(-?\d+)?(?:\s*:\s*(-?\d+)?)?/y);
  const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  if (slice) return bySlice(numberOf(slice[1]), numberOf(slice[2]), numberOf(slice[3]));
  const index = take(reader, /-?\d+/y);
  if (!index) throw fault(reader);
  return byIndex(Number(index[0]));
}

function readString(reader: Reader): string | undefined {
  take(reader, /\s*/y);
  const found = take(reader, /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/sy);
  if (!found) return undefined;
  const [, double, single = ''] = found;
  // In single quotes, a single quote needs a backslash and a double quote does not. JSON strings are the opposite.
  const inner =
    double ?? single.replace(/\\.|"/gs, (part) => (part === "\\'" ? "'" : part === '"' ? '\\"' : part));
  try {
    return String(JSON.parse(`"${inner}"`));
  } catch {
    throw fault(reader);
  }
}

function readEither(reader: Reader): Operand {
  if (++reader.depth > DEPTH_LIMIT) throw fault(reader);
  const all = listOf(reader, '||', readBoth);
  reader.depth--;
  const [only] = all;
  if (only && all.length === 1) return only;
  return (node, root) => all.some((test) => isTrue(test(node, root)));
}

function readBoth(reader: Reader): Operand {
  const all = listOf(reader, '&&', readComparison);
  const [only] = all;
  if (only && all.length === 1) return only;
  return (node, root) => all.every((test) => isTrue(test(node, root)));
}

function readComparison(reader: Reader): Operand {
  const left = readOperand(reader);
  take(reader, /\s*/y);
  const compare = comparisons.get(take(reader, /[=!]=|[<>]=?/y)?.[0] ?? '');
  if (!compare) return left;
  const right = readOperand(reader);
  return (node, root) => compare(singleOf(left(node, root)), singleOf(right(node, root)));
}

function readOperand(reader: Reader): Operand {
  if (skip(reader, '!')) {
    if (++reader.depth > DEPTH_LIMIT) throw fault(reader);
    const test = readOperand(reader);
    return (node, root) => !isTrue(test(node, root));
  }
  if (skip(reader, '(')) {
    const test = readEither(reader);
    expectNext(reader, ')');
    return test;
  }
  const text = readString(reader);
  if (text !== undefined) return () => text;
  const start = take(reader, /[@$]/y);
  if (start) {
    const segments = readSegments(reader);
    return (node, root) => nodesOf(start[0] === '@' ? node : root, root, segments);
  }
  return readCall(reader) ?? readLiteral(reader);
}

function readCall(reader: Reader): Operand | undefined {
  const [, name = ''] = take(reader, /([a-z]+)\(/y) ?? [];
  const call = functions.get(name);
  if (name !== '' && !call) throw fault(reader);
  if (!call) return undefined;
  const [first = () => NOTHING, second = () => NOTHING] = listOf(reader, ',', readEither);
  expectNext(reader, ')');
  return (node, root) => call(first(node, root), second(node, root));
}

function readLiteral(reader: Reader): Operand {
  const literal = take(reader, /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true\b|false\b|null\b/y);
  if (!literal) throw fault(reader);
  const value: unknown = JSON.parse(literal[0]);
  return () => value;
}

/** Returns the nodes that match the path. Throws Refusal if the path is not a valid JSONPath. */
export function findByPath(root: unknown, path: string): readonly Found[] {
  const reader: Reader = { text: path.trim(), at: 0, depth: 0 };
  expectNext(reader, '$');
  const segments = readSegments(reader);
  if (reader.at < reader.text.length) throw fault(reader);
  return follow(root, root, segments);
}
