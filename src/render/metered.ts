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

/** The estimated memory of parts of a value, in bytes, including temporary copies. */
const bytes = { list: 160, element: 12, record: 64, field: 16, character: 24 };

/** The bytes that one step can fill. */
const perStep = 256;

/**
 * Evaluates a compiled expression. Everything is counted before it is done, because a thread that runs out of memory
 * ends the whole process. Throws OutOfSteps, OutOfMemory, and the errors of the library for wrong types.
 */
export function evaluate(tree: Node, value: unknown, meter: Meter): unknown {
  const own = new (TreeInterpreter.constructor as new () => Interpreter)();
  const { visit } = own;
  own.visit = function (this: Interpreter, node, at) {
    use(meter, 1, 0);
    switch (node.type) {
      case 'Function': {
        const values = node.children.map((child) => this.visit(child, at) as Json);
        const need = needOf(node.name, values, meter.memory);
        use(meter, need / perStep + slowSteps(node.name, values), need);
        const result = this.runtime.callFunction(node.name, values);
        // The results of these functions have new lists or names inside.
        meter.memory -= keptSize(result) + (['zip', 'group_by', 'items', 'from_items'].includes(node.name) ? need : 0);
        return result;
      }
      case 'Flatten': {
        const list = this.visit(node.child, at);
        if (!Array.isArray(list)) return null;
        const need = bytes.element * sum(list, (one) => (Array.isArray(one) ? one.length : 1));
        use(meter, need / perStep, need);
        meter.memory -= need;
        return list.flat();
      }
      case 'Comparator': {
        if (node.name !== 'EQ' && node.name !== 'NE') return visit.call(this, node, at);
        const [left, right] = [this.visit(node.left, at) as Json, this.visit(node.right, at) as Json];
        if (!isNested(left) || !isNested(right)) return (left === right) === (node.name === 'EQ');
        use(meter, textSize(left, meter.steps), 0);
        return visit.call(this, { ...node, left: literal(left), right: literal(right) }, at);
      }
      case 'Slice':
        use(meter, sizeOf(at) / perStep, sizeOf(at));
        break;
      case 'MultiSelectList':
      case 'MultiSelectHash':
      case 'Projection':
      case 'ValueProjection':
      case 'FilterProjection':
        break;
      default:
        return visit.call(this, node, at);
    }
    const result = visit.call(this, node, at);
    meter.memory -= keptSize(result);
    return result;
  };
  // The library would create an interpreter that counts nothing.
  own.withScope = function (this: Interpreter, scope) {
    const { _scope } = this as unknown as { readonly _scope: Scope };
    return Object.assign(Object.create(this), { _scope: _scope.withScope(scope) });
  };
  return own.search(tree, value as Json);
}

function use(meter: Meter, steps: number, memory: number): void {
  meter.steps -= steps;
  if (meter.steps < 0) throw new OutOfSteps();
  if (memory > meter.memory) throw new OutOfMemory();
}

/** Estimates the memory that a function takes while it runs, in bytes. It stops beyond `limit`. */
function needOf(name: string, values: readonly unknown[], limit: number): number {
  const [first, second, third, count] = values;
  const own = sum(values, sizeOf);
  switch (name) {
    case 'length':
    case 'type':
    case 'contains':
    case 'starts_with':
    case 'ends_with':
      return 0;
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

/** The additional steps of the functions whose time grows with the square of a length. */
function slowSteps(name: string, [first, , , count]: readonly unknown[]): number {
  if (name.startsWith('trim')) return lengthOf(first) ** 2 / 512;
  return name === 'replace' ? (lengthOf(first) * numberIn(count)) / 512 : 0;
}

function sum(all: readonly unknown[], of: (one: unknown) => number): number {
  let total = 0;
  for (const one of all) total += of(one);
  return total;
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
