/** Compiles JMESPath expressions. */
import { compile, getRegisteredFunctions } from '@jmespath-community/jmespath';
import { messageOf, orThrow } from '../caught.ts';
import { afterCommand, DtpError } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';
import { answerLimit } from '../limits.ts';
import { evaluate, type Meter, OutOfMemory, OutOfSteps, textSize } from './metered.ts';

/** Applies an expression to a value. Throws OutOfSteps, and `usage` for wrong types and for too much memory. */
export type Query = (value: unknown, meter?: Meter) => unknown;

/** Applies an expression to each value, and returns the results. With jq, a value may have any number of results. */
export type Selection = (values: readonly unknown[], place: Place) => Promise<readonly unknown[]>;

/** `note` writes a message of the expression to stderr. */
type Place = { readonly signal: AbortSignal; readonly note?: (text: string) => void };

/** The maximum length of an expression in characters. Reading it takes a tenth of a second, and nothing can end that. */
const longest = 64 * 1024;

/** The memory in bytes that the values of an expression may take together. */
export const mostMemory = 256 * 1024 * 1024;

/** Returns what an expression may use: by default any number of steps. `taken` are bytes that are already used. */
export const openMeter = (steps = Number.POSITIVE_INFINITY, taken = 0): Meter => ({
  steps,
  memory: mostMemory - taken,
});

/** Throws `usage` for an invalid expression or an unknown function. */
export function compileQuery(expression: string, label = '--query'): Query {
  const tree = explained(label, () => {
    if (expression.length > longest) throw new Error(`the expression is longer than ${longest} characters`);
    const compiled = compile(expression);
    for (const name of functionsIn(compiled))
      if (!getRegisteredFunctions().includes(name)) throw new Error(`unknown function ${name}()`);
    return compiled;
  });
  const apply = (value: unknown, meter: Meter) => {
    const result = evaluate(tree, value, meter);
    // A short list can contain the same value a million times.
    if (textSize(result, answerLimit.bytes) > answerLimit.bytes) throw new OutOfMemory();
    return result;
  };
  return (value, meter = openMeter()) => explained(label, () => apply(value, meter), afterCommand);
}

/** The tools for agents have no jq. */
const hintFor = (label: string): string =>
  `Use a JMESPath expression (https://jmespath.org), such as '[].id'${label === '--query' ? ', or --jq for jq' : ''}.`;

function explained<T>(label: string, work: () => T, before = ''): T {
  return orThrow(work, (error) => (error instanceof OutOfSteps ? error : queryFault(label, error, before)));
}

/** Returns the `usage` error for a failure of an expression, by default of one that was applied to a result. */
export const queryFault = (label: string, error: unknown, before = afterCommand): DtpError =>
  new DtpError('usage', `${label}: ${reasonOf(error)}`, { hint: before + hintFor(label) });

function reasonOf(error: unknown): string {
  if (error instanceof OutOfMemory) return 'the result or the expression needs more than 256 MiB of memory';
  // The library only recurses, and lets no list be longer than the stack.
  if (error instanceof RangeError) return 'the expression or its input is nested too deeply, or has too long a list';
  return (
    messageOf(error)
      .replace(/^(Syntax|Runtime) error: /, '')
      .replace(/^Parsing error: /, '')
      // Replace the library's internal wording.
      .replace('invalid token (Number): "NaN"', '"-" must be followed by a number')
      .replace(/^not-a-number: undefined$/, 'a number is not valid')
  );
}

function* functionsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { type, name } = fieldsOf(node);
  if (type === 'Function') yield String(name);
  for (const inner of Object.values(node)) yield* functionsIn(inner);
}
