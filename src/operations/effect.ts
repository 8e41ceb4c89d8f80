/** Determines what an operation does to the user's data. */
import type { Operation } from './operation.ts';

/** Returns the declared effect of an operation, or the default for its method. */
export const effectOf = ({ effect, method }: Operation): NonNullable<Operation['effect']> =>
  effect ?? (method === 'GET' ? 'read' : 'write');
