/** Compiles JMESPath expressions. */
import { orThrow } from '../caught.ts';
import { afterCommand, DtpError } from '../errors.ts';
import { answerLimit } from '../limits.ts';
import { isDeeper } from '../request/http.ts';
import { evaluate } from './interpreter.ts';
import { type Meter, OutOfMemory, OutOfSteps, textSize } from './meter.ts';
import { parseQuery } from './syntax.ts';
import { QueryError } from './values.ts';

/** Applies an expression to a value. Throws OutOfSteps, and `usage` for wrong types and for too much memory. */
export type Query = (value: unknown, meter?: Meter) => unknown;

/** Applies an expression to each value, and returns the results. With jq, a value may have any number of results. */
export type Selection = (values: readonly unknown[], place: Place) => Promise<readonly unknown[]>;

/** `note` writes a message of the expression to stderr. */
type Place = { readonly signal: AbortSignal; readonly note?: (text: string) => void };

/** The maximum nesting depth of the result of an expression with more characters than this. */
const deepest = 1000;

/** The memory in bytes that the values of an expression may take together. */
export const mostMemory = 256 * 1024 * 1024;

/** Returns what an expression may use: by default any number of steps. `taken` are bytes that are already used. */
export const openMeter = (steps = Number.POSITIVE_INFINITY, taken = 0): Meter => ({
  steps,
  memory: mostMemory - taken,
});

/** Throws `usage` for an invalid expression, an unknown function, or a wrong number of arguments. */
export function compileQuery(expression: string, label = '--query'): Query {
  const tree = explained(label, () => parseQuery(expression));
  const apply = (value: unknown, meter: Meter) => {
    const result = evaluate(tree, value, meter);
    // A short list can contain the same value a million times.
    if (textSize(result, answerLimit.bytes) > answerLimit.bytes) throw new OutOfMemory();
    // No other code could print it. Only a long expression can nest a value that deeply.
    if (expression.length > deepest && isDeeper(result, deepest)) throw new RangeError();
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
  if (error instanceof QueryError) return error.message;
  if (error instanceof OutOfMemory) return 'the result or the expression needs more than 256 MiB of memory';
  if (error instanceof RangeError) return 'the expression or its input is nested too deeply, or has too long a list';
  throw error;
}
