/** A JMESPath expression → a function of values. */
import { compile, getRegisteredFunctions, TreeInterpreter } from '@jmespath-community/jmespath';
import { messageOf } from '../caught.ts';
import { DtpError } from '../errors.ts';
import { fieldsOf } from '../json-object.ts';

export type Query = (value: unknown) => unknown;

/** Throws `usage` for what is no expression, and for a function that there is none of; so does the query, for wrong types. */
export function compileQuery(expression: string, label = '--query'): Query {
  const tree = told(label, () => compile(expression));
  for (const name of functionsIn(tree))
    if (!getRegisteredFunctions().includes(name))
      throw new DtpError('usage', `${label}: there is no function ${name}()`, { hint });
  return (value) =>
    told(label, () => TreeInterpreter.search(tree, value as Parameters<typeof TreeInterpreter.search>[1]));
}

const hint = "It is JMESPath (https://jmespath.org), such as 'items[].id'.";

function told<T>(label: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const message = messageOf(error);
    const why = message
      .replace(/^(Syntax|Runtime) error: /, '')
      .replace(/^Parsing error: /, '')
      // Words of the library's own language.
      .replace('invalid token (Number): "NaN"', 'a "-" stands before what is no number')
      .replace(/^not-a-number: undefined$/, 'something in it is no number');
    throw new DtpError('usage', `${label}: ${why}`, { hint });
  }
}

function* functionsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { type, name } = fieldsOf(node);
  if (type === 'Function') yield String(name);
  for (const inner of Object.values(node)) yield* functionsIn(inner);
}
