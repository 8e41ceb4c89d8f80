/** What an operation does to the user's things. */
import type { Operation } from './operation.ts';

/** As its record says; otherwise by its method. */
export const effectOf = ({ effect, method }: Operation): NonNullable<Operation['effect']> =>
  effect ?? (method === 'GET' ? 'read' : 'write');
