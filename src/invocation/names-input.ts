/** Replaces the names in the input of an operation by ids. */
import { withFacts } from '../errors.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Named } from '../render/short.ts';
import type { Invocation } from './invocation.ts';
import { unknownsIn } from './names-shape.ts';
import type { Calls } from './over.ts';

export interface WithIds {
  /** The input with ids in place of names. */
  readonly input: Input;
  /** By field. Only things that were looked up have a name. */
  readonly names: Readonly<Record<string, Named>>;
}

/**
 * Replaces names and shortened ids by ids. Values that have the form of an id cause no request. Throws `usage` if a name
 * is not unique, `not_found` if nothing has it, and the failure of the list with the advice to use an id.
 */
export async function withIds(
  invocation: Pick<Invocation, 'settings' | 'globals' | 'argv'>,
  operation: Operation,
  input: Input,
  calls: Calls,
): Promise<WithIds> {
  const unknowns = unknownsIn(operation, input);
  if (unknowns.length === 0) return { input, names: {} };
  const { lookedUp } = await import('./names.ts');
  return lookedUp(invocation, unknowns, input, calls).catch((error) => {
    throw withFacts(error, { operation: operation.id });
  });
}
