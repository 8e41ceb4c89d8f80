/** What an operation does to the user's data. */
import type { Operation } from './operation.ts';

/** The declared effect, or else the default for the method. */
export const effectOf = ({ effect, method }: Operation): NonNullable<Operation['effect']> =>
  effect ?? (method === 'GET' ? 'read' : 'write');
