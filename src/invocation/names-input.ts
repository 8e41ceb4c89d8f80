/** Replaces the names in the input of an operation with ids. */
import { withFacts } from '../errors.ts';
import type { Operation } from '../operations/operation.ts';
import type { Calls } from './connection.ts';
import type { LookupContext } from './invocation.ts';
import { type TypedInput, unknownsIn } from './names-shape.ts';

/**
 * Replaces names with ids. A value that is not in the list stays as it was typed, also if the list cannot be read. No
 * request is sent for values that are certainly ids. Throws `usage` if several things have the name.
 */
export async function withIds(invocation: LookupContext, operation: Operation, typed: TypedInput, calls: Calls) {
  const unknowns = unknownsIn(operation, typed);
  if (unknowns.length === 0) return { input: typed.input, names: {} };
  const { lookUpNames } = await import('./names.ts');
  return lookUpNames(invocation, unknowns, typed.input, calls).catch((error) =>
    Promise.reject(withFacts(error, { operation: operation.id })),
  );
}
