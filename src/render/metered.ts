/** Evaluates JMESPath within limits, because a short expression can take all memory or never end. */
import { TreeInterpreter } from '@jmespath-community/jmespath';
import { isRecord } from '../json-object.ts';

type Interpreter = typeof TreeInterpreter;
type Node = Parameters<Interpreter['search']>[0];
type Json = Parameters<Interpreter['search']>[1];
type Scope = { readonly withScope: (scope: unknown) => Scope };

/** What an expression may still use: steps of about 100 ns, and bytes of memory for the values that it creates. */
export interface Meter {
  steps: number;
  memory: number;
}

export class OutOfSteps extends Error {}
export class OutOfMemory extends Error {}

/** The estimated memory of parts of a value, in bytes, including temporary copies, and what one step can fill. */
const bytes = { list: 160, element: 12, record: 64, field: 16, character: 24, step: 256 };

/** The other nodes that create a list, a record or a string. */
const makers = new Set('MultiSelectList MultiSelectHash Slice Projection ValueProjection FilterProjection'.split(' '));

/** The functions whose results have new lists or names inside, and those that create nothing. */
const nesting = ['zip', 'group_by', 'items', 'from_items'];
const creatingNothing = ['length', 'type', 'contains', 'starts_with', 'ends_with'];

/**
 * Evaluates a compiled expression. Everything is counted before it is done, because a thread that runs out of memory
 * ends the whole process. Throws OutOfSteps, OutOfMemory, and the errors of the library for wrong types.
 */
export function evaluate(tree: Node, value: unknown, meter: Meter): unknown {
  const own = new (TreeInterpreter.constructor as new () => Interpreter)();
  const { visit } = own;
  const use = (steps: number, memory: number) => {
    meter.steps -= steps;
    if (meter.steps < 0) throw new OutOfSteps();
    if (memory > meter.memory) throw new OutOfMemory();
  };
  own.visit = function (this: Interpreter, node, at) {
    use(1, 0);
    if (node.type === 'Function') {
      const values = node.children.map((child) => this.visit(child, at) as Json);
      // The library would make a list of all characters.
      if (node.name === 'length' && typeof values[0] === 'string') {
        use(values[0].length / 16, 0);
        return lengthIn(values[0]);
      }
      const need = needOf(node.name, values, meter.memory);
      use(need / bytes.step, need);
      const result = this.runtime.callFunction(node.name, values);
      meter.memory -= keptSize(result) + (nesting.includes(node.name) ? need : 0);
      return result;
    }
    if (node.type === 'Flatten') {
      const list = this.visit(node.child, at);
      if (!Array.isArray(list)) return null;
      const need = bytes.element * sum(list, (one) => (Array.isArray(one) ? one.length : 1));
      use(need / bytes.step, need);
      meter.memory -= need;
      return list.flat();
    }
    if (node.type === 'Comparator' && (node.name === 'EQ' || node.name === 'NE')) {
      const [left, right] = [this.visit(node.left, at) as Json, this.visit(node.right, at) as Json];
      if (!isNested(left) || !isNested(right)) return (left === right) === (node.name === 'EQ');
      use(textSize(left, meter.steps), 0);
      return visit.call(this, { ...node, left: literal(left), right: literal(right) }, at);
    }
    if (node.type === 'Slice') use(sizeOf(at) / bytes.step, sizeOf(at));
    const result = visit.call(this, node, at);
    if (makers.has(node.type)) meter.memory -= keptSize(result);
    return result;
  };
  // The library would create an interpreter that counts nothing.
  own.withScope = function (this: Interpreter, scope) {
    const { _scope } = this as unknown as { readonly _scope: Scope };
    return Object.assign(Object.create(this), { _scope: _scope.withScope(scope) });
  };
  return own.search(tree, value as Json);
}

/** Estimates the memory that a function takes while it runs, in bytes. It stops beyond `limit`. */
function needOf(name: string, values: readonly unknown[], limit: number): number {
  const [first, second, third, count] = values;
  if (creatingNothing.includes(name)) return 0;
  const own = sum(values, sizeOf);
  switch (name) {
    case 'pad_left':
    case 'pad_right':
      return own + 2 * numberIn(second);
    case 'replace':
      return own + (numberIn(count) || lengthOf(first) / (lengthOf(second) || 1) + 1) * 2 * (lengthOf(third) + 8);
    case 'join':
      return own + (Array.isArray(second) ? sum(second, (one) => 2 * (lengthOf(one) + lengthOf(first))) : 0);
    case 'to_string':
      // An escaped character takes up to six.
      return own + 6 * textSize(first, limit / 6);
    default:
      return own;
  }
}

const sum = (all: readonly unknown[], of: (one: unknown) => number): number =>
  all.reduce((total: number, one) => total + of(one), 0);
/** Counts code points. */
function lengthIn(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const literal = (value: Json) => ({ type: 'Literal', value }) as const;
const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;
const numberIn = (value: unknown): number => (typeof value === 'number' ? Math.max(0, value) : 0);
const lengthOf = (value: unknown): number => (typeof value === 'string' || Array.isArray(value) ? value.length : 0);

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return bytes.character * value.length;
  if (Array.isArray(value)) return bytes.list + bytes.element * value.length;
  return isRecord(value) ? bytes.record + bytes.field * Object.keys(value).length : 0;
}

const keptSize = (value: unknown): number => (typeof value === 'string' ? Buffer.byteLength(value) : sizeOf(value));

/** Returns the least number of characters of a value as JSON. It stops counting beyond `limit`. */
export function textSize(value: unknown, limit: number): number {
  const open = [value];
  let size = 0;
  while (open.length > 0 && size <= limit) {
    const one = open.pop();
    size += typeof one === 'string' ? one.length + 2 : 2;
    if (Array.isArray(one)) for (const inner of one) open.push(inner);
    else if (isRecord(one))
      for (const name of Object.keys(one)) {
        size += name.length + 3;
        open.push(one[name]);
      }
  }
  return size;
}
