/** Determines what an operation does to the user's data, and why it needs confirmation. */
import { fieldsOf } from '../json-object.ts';
import type { Operation } from './operation.ts';

/** Returns the declared effect of an operation, or the default for its method. */
export const effectOf = ({ effect, method }: Operation): NonNullable<Operation['effect']> =>
  effect ?? (method === 'GET' ? 'read' : 'write');

/** Why an operation needs confirmation: it removes data or access, costs money, or makes something public. */
export type Harm = 'destroy' | 'bill' | 'publish';

/** Returns why an operation needs confirmation. Undefined if it never does. */
export function harmOf({ id, effect }: Pick<Operation, 'id' | 'effect'>): Harm | undefined {
  if (effect === 'destroy' || effect === 'bill') return effect;
  // These are the only operations that publish, so their records need no word for it.
  return id === 'setVisibility' || id === 'createSchemaStoreItem' ? 'publish' : undefined;
}

/** Whether a body leaves nothing to confirm: it makes a namespace private, or restores it. */
export const isHarmless = ({ id }: Pick<Operation, 'id'>, body: unknown): boolean =>
  (id === 'setVisibility' && fieldsOf(body).public === false) ||
  (id === 'archiveNamespace' && fieldsOf(body).archived === false);
