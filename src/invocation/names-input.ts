/** Replaces the names in the input of an operation with ids. */
import { withFacts } from '../errors.ts';
import type { Input, Operation } from '../operations/operation.ts';
import type { Named } from '../render/short.ts';
import type { Invocation } from './invocation.ts';
import { unknownsIn } from './names-shape.ts';
import type { Calls } from './over.ts';

export interface WithIds {
  /** The input with ids in place of names. */
  readonly input: Input;
  /** The things that were looked up, by field. */
  readonly names: Readonly<Record<string, Named>>;
}

/**
 * Replaces names and shortened ids with full ids. No request is sent for values that look like full ids. Throws `usage`
 * if a name is not unique, and `not_found` if it does not exist. If the list cannot be fetched, throws that failure
 * with the advice to use an id.
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
