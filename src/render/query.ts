/** Compiles JMESPath expressions. */
import { compile, getRegisteredFunctions, TreeInterpreter } from '@jmespath-community/jmespath';
import { messageOf } from '../caught.ts';
import { afterCommand, DtpError } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';

export type Query = (value: unknown) => unknown;

/** Applies an expression to each value, and returns the results. With jq, a value may have any number of results. */
export type Selection = (values: readonly unknown[], place: Place) => Promise<readonly unknown[]>;

/** `note` writes a message of the expression to stderr. */
type Place = { readonly signal: AbortSignal; readonly note: (text: string) => void };

/** Throws `usage` for an invalid expression or an unknown function. The returned query throws it for wrong types. */
export function compileQuery(expression: string, label = '--query'): Query {
  const tree = explained(label, () => compile(expression));
  for (const name of functionsIn(tree))
    if (!getRegisteredFunctions().includes(name))
      throw new DtpError('usage', `${label}: unknown function ${name}()`, { hint: hintFor(label) });
  type Json = Parameters<typeof TreeInterpreter.search>[1];
  return (value) => explained(label, () => TreeInterpreter.search(tree, value as Json), afterCommand);
}

/** The tools for agents have no jq. */
const hintFor = (label: string): string =>
  `Use a JMESPath expression (https://jmespath.org), such as '[].id'${label === '--query' ? ', or --jq for jq' : ''}.`;

function explained<T>(label: string, work: () => T, before = ''): T {
  try {
    return work();
  } catch (error) {
    const message = messageOf(error);
    const why = message
      .replace(/^(Syntax|Runtime) error: /, '')
      .replace(/^Parsing error: /, '')
      // Replace the library's internal wording.
      .replace('invalid token (Number): "NaN"', '"-" must be followed by a number')
      .replace(/^not-a-number: undefined$/, 'a number is not valid');
    throw new DtpError('usage', `${label}: ${why}`, { hint: before + hintFor(label) });
  }
}

function* functionsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { type, name } = fieldsOf(node);
  if (type === 'Function') yield String(name);
  for (const inner of Object.values(node)) yield* functionsIn(inner);
}
