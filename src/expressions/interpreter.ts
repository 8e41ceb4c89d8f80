/** Evaluates JMESPath within limits, because a short expression can take all memory or never end. */
import { isRecord } from '../json-object.ts';
import { callFunction, functionNamed } from './functions.ts';
import { bytes, keptSize, type Meter, needOf, nesting, shallowSize, stepsOf, sumOf, textSize, use } from './meter.ts';
import type { Expression } from './syntax.ts';
import {
  areEqual,
  calculate,
  compare,
  isFalse,
  isNumeric,
  type Numeric,
  QueryError,
  setField,
  valueType,
} from './values.ts';

type Values = readonly unknown[];
type Node<Type> = Expression & { readonly type: Type };
type Visit<Type> = (node: Node<Type>, at: unknown, run: Run) => unknown;

/** One evaluation: the value that `$` means, the variables, and what may still be used. */
interface Run {
  readonly root: unknown;
  readonly variables: ReadonlyMap<string, unknown>;
  readonly meter: Meter;
}

/**
 * Evaluates a parsed expression as jmespath.py does. Everything is counted before it is done, because a thread that runs
 * out of memory ends the whole process. Throws OutOfSteps, OutOfMemory, QueryError, and RangeError if it is too deep.
 */
export const evaluate = (tree: Expression, value: unknown, meter: Meter): unknown =>
  visit(tree, value, { root: value, variables: new Map(), meter });

function visit(node: Expression, at: unknown, run: Run): unknown {
  use(run.meter, 1, 0);
  return (visits[node.type] as Visit<string>)(node, at, run);
}

/** Counts the memory of a new value. */
function kept<Made>(made: Made, { meter }: Run): Made {
  meter.memory -= keptSize(made);
  return made;
}

/** Applies a node to each element, and returns the results that are not null. */
function projected(all: Values, right: Expression, run: Run): Values {
  const results: unknown[] = [];
  for (const one of all) {
    const result = visit(right, one, run);
    if (result !== null) results.push(result);
  }
  return kept(results, run);
}

const followed: Visit<'Subexpression' | 'IndexExpression' | 'Pipe'> = ({ left, right }, at, run) =>
  visit(right, visit(left, at, run), run);

const visits: { readonly [Type in Expression['type']]: Visit<Type> } = {
  Identity: (_, at) => at,
  Current: (_, at) => at,
  Root: (_, __, { root }) => root,
  Literal: ({ value }) => value,
  Field: ({ name }, at) => (isRecord(at) ? fieldIn(at, name) : null),
  Index: ({ value }, at) => (Array.isArray(at) ? (at.at(value) ?? null) : null),
  Subexpression: followed,
  IndexExpression: followed,
  Pipe: followed,
  Slice: slice,
  Flatten({ child }, at, run) {
    const list = visit(child, at, run);
    if (!Array.isArray(list)) return null;
    const need = bytes.element * sumOf(list, (one) => (Array.isArray(one) ? one.length : 1));
    use(run.meter, need / bytes.step, need);
    run.meter.memory -= need;
    const results: unknown[] = [];
    for (const one of list)
      if (Array.isArray(one)) for (const element of one) results.push(element);
      else results.push(one);
    return results;
  },
  Projection({ left, right }, at, run) {
    const base = visit(left, at, run);
    // The slice of a string is not a list.
    if (typeof base === 'string' && left.type === 'IndexExpression' && left.right.type === 'Slice')
      return visit(right, base, run);
    return Array.isArray(base) ? projected(base, right, run) : null;
  },
  ValueProjection({ left, right }, at, run) {
    const base = visit(left, at, run);
    return isRecord(base) ? projected(Object.values(base), right, run) : null;
  },
  FilterProjection({ left, right, condition }, at, run) {
    const base = visit(left, at, run);
    if (!Array.isArray(base)) return null;
    const results: unknown[] = [];
    for (const one of base) {
      if (isFalse(visit(condition, one, run))) continue;
      const result = visit(right, one, run);
      if (result !== null) results.push(result);
    }
    return kept(results, run);
  },
  MultiSelectList({ children }, at, run) {
    if (at === null) return null;
    return kept(
      children.map((child) => visit(child, at, run)),
      run,
    );
  },
  MultiSelectHash({ children }, at, run) {
    if (at === null) return null;
    const record: Record<string, unknown> = {};
    for (const { name, value } of children) setField(record, name, visit(value, at, run));
    return kept(record, run);
  },
  AndExpression({ left, right }, at, run) {
    const first = visit(left, at, run);
    return isFalse(first) ? first : visit(right, at, run);
  },
  OrExpression({ left, right }, at, run) {
    const first = visit(left, at, run);
    return isFalse(first) ? visit(right, at, run) : first;
  },
  NotExpression: ({ child }, at, run) => isFalse(visit(child, at, run)),
  Ternary: ({ condition, trueExpr, falseExpr }, at, run) =>
    visit(isFalse(visit(condition, at, run)) ? falseExpr : trueExpr, at, run),
  Comparator({ name, left, right }, at, run) {
    const [first, second] = [visit(left, at, run), visit(right, at, run)];
    if (name === 'EQ' || name === 'NE') {
      if (isNested(first) && isNested(second)) use(run.meter, textSize(first, run.meter.steps), 0);
      return areEqual(first, second) === (name === 'EQ');
    }
    const areComparable = isNumeric(first)
      ? isNumeric(second)
      : typeof first === 'string' && typeof second === 'string';
    if (!areComparable) return null;
    const order = compare(first as Numeric, second as Numeric);
    return name === 'LT' ? order < 0 : name === 'LTE' ? order <= 0 : name === 'GT' ? order > 0 : order >= 0;
  },
  Arithmetic: ({ operator, left, right }, at, run) =>
    kept(calculate(operator as 'Plus', operand(left, at, run), operand(right, at, run)), run),
  Unary({ operator, operand: child }, at, run) {
    return kept(calculate(operator, 0, operand(child, at, run)), run);
  },
  Function({ name, children }, at, run) {
    const values = children.map((child) =>
      child.type === 'ExpressionReference' ? (one: unknown) => visit(child.child, one, run) : visit(child, at, run),
    );
    const need = needOf(name, values, run.meter.memory);
    use(run.meter, stepsOf(name, values, run.meter.steps) + need / bytes.step, need);
    const result = callFunction(functionNamed(name, values.length), values);
    run.meter.memory -= keptSize(result) + (nesting.includes(name) ? need : 0);
    return result;
  },
  LetExpression({ bindings, expression }, at, run) {
    const own = bindings.map(({ variable, reference }) => [variable, visit(reference, at, run)] as const);
    return visit(expression, at, { ...run, variables: new Map([...run.variables, ...own]) });
  },
  Variable({ name }, _, { variables }) {
    if (!variables.has(name)) throw new QueryError(`the variable $${name} is not defined`);
    return variables.get(name);
  },
  // The parser accepts these two only inside a function and a `let`, which read them.
  ExpressionReference: () => null,
  Binding: () => null,
};

/** Returns an own field. What a record inherits is a function, or its prototype: asking `hasOwn` would take longer. */
function fieldIn(record: Readonly<Record<string, unknown>>, name: string): unknown {
  const value = record[name];
  return value === undefined || typeof value === 'function' || value === Object.prototype ? null : value;
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;

function operand(node: Expression, at: unknown, run: Run) {
  const value = visit(node, at, run);
  if (!isNumeric(value))
    throw new QueryError(`an operand of an arithmetic operator must be a number, not ${valueType(value)}`);
  return value;
}

/** Slices an array, or a string by code points. A negative position counts from the end. */
function slice({ start, stop, step: width }: Node<'Slice'>, at: unknown, run: Run): unknown {
  if (!Array.isArray(at) && typeof at !== 'string') return null;
  const step = width ?? 1;
  if (step === 0) throw new QueryError('the step of a slice must not be 0');
  use(run.meter, shallowSize(at) / bytes.step, shallowSize(at));
  const all = typeof at === 'string' ? [...at] : at;
  const [first, last] = step > 0 ? [0, all.length] : [-1, all.length - 1];
  const within = (position: number) => Math.min(last, Math.max(first, position < 0 ? position + all.length : position));
  const end = stop === null ? (step > 0 ? last : first) : within(stop);
  const results: unknown[] = [];
  for (
    let one = start === null ? (step > 0 ? first : last) : within(start);
    step > 0 ? one < end : one > end;
    one += step
  )
    results.push(all[one]);
  return kept(typeof at === 'string' ? results.join('') : results, run);
}
